import type { BotMiss } from '@qatra/contract/whatsapp/bot'
import * as api from '@qatra/contract/whatsapp/bot'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call, read } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { ownRefusalText } from '../../../lib/refusal.ts'
import { Combobox } from '../../../ui/admin/form/Combobox.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Segmented } from '../../../ui/admin/Segmented.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { AnswerFields } from './AnswerFields.tsx'
import { answersQuery, phraseIn, questionOf, useRenewAssistant } from './assistant-words.ts'

interface PhraseDialogProps {
  miss: BotMiss | null
  onClose(): void
}

const ways = ['existing', 'own'] as const

/** Answers a phrase of customers, by an answer that exists or a new one. */
export function PhraseDialog({ miss, onClose }: PhraseDialogProps) {
  const t = useT()
  const [way, setWay] = useState<(typeof ways)[number]>('existing')
  const Way = way === 'existing' ? ExistingAnswer : NewAnswer
  return (
    <Way miss={miss} onClose={onClose}>
      <Segmented
        label={t('assistant.teach.which')}
        value={way}
        options={ways.map((value) => ({ value, label: t(`assistant.teach.${value}`) }))}
        onChange={(next) => setWay(next)}
      />
    </Way>
  )
}

interface WayProps extends PhraseDialogProps {
  children: ReactNode
}

function useSaved(onClose: () => void) {
  const t = useT()
  const renew = useRenewAssistant()
  return async (text: string) => {
    await renew()
    toast({ title: t('assistant.name.saved', { text }) })
    onClose()
  }
}

function ExistingAnswer({ miss, onClose, children }: WayProps) {
  const t = useT()
  const saved = useSaved(onClose)
  const { data } = useQuery(read(answersQuery))
  const form = useForm({
    body: api.createBotAlias.body,
    start: { text: miss ? phraseIn(miss.text) : '', target: null as string | null },
    toBody: ({ text, target }) => ({
      text,
      type: 'answer' as const,
      target: target ?? '',
      ...(miss && { miss: miss.key }),
    }),
    send: (body) => call(api.createBotAlias, { body }),
    onSaved: ({ text }) => saved(text),
    failureOf: (error) => ownRefusalText(t, error, 'assistant'),
  })
  return (
    <Dialog
      open
      title={t('assistant.teach.answer')}
      className="admin max-w-150"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('admin.save'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <div className="mt-3 grid min-h-80 content-start gap-4 text-start text-ink">
        {children}
        <Form form={form} label={t('assistant.teach.answer')}>
          <TextField
            label={t('assistant.name.text')}
            hint={t('assistant.name.text.hint')}
            dir="auto"
            {...form.text('text')}
          />
          <Combobox
            label={t('assistant.teach.which')}
            options={data?.answers.map((answer) => ({ value: answer.key, label: questionOf(t, answer) }))}
            required
            {...form.field('target')}
          />
        </Form>
      </div>
    </Dialog>
  )
}

function NewAnswer({ miss, onClose, children }: WayProps) {
  const t = useT()
  const saved = useSaved(onClose)
  const { data } = useQuery(read(answersQuery))
  const phrase = miss ? phraseIn(miss.text) : ''
  const form = useForm({
    body: api.createBotAnswer.body,
    start: { phrase, title: phrase, ar: '', en: '' },
    toBody: (values) => ({ ...values, ...(miss && { miss: miss.key }) }),
    send: (body) => call(api.createBotAnswer, { body }),
    onSaved: ({ title }) => saved(title ?? ''),
    failureOf: (error) => ownRefusalText(t, error, 'assistant'),
  })
  return (
    <Dialog
      open
      title={t('assistant.answer.new')}
      className="admin max-w-150"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('admin.save'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <div className="-mx-1 mt-3 grid max-h-[66dvh] min-h-80 content-start gap-4 overflow-y-auto px-1 pb-1 text-start text-ink">
        {children}
        <Form form={form} label={t('assistant.answer.new')}>
          <TextField
            label={t('assistant.name.text')}
            hint={t('assistant.name.text.hint')}
            dir="auto"
            {...form.text('phrase')}
          />
          <TextField label={t('assistant.answer.title')} dir="auto" {...form.text('title')} />
          <AnswerFields
            values={form.values}
            facts={data?.facts ?? []}
            field={(lang) => form.text(lang)}
            onChange={(values) => form.set(values)}
          />
        </Form>
      </div>
    </Dialog>
  )
}
