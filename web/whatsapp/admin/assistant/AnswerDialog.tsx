import * as api from '@qatra/contract/whatsapp/bot'
import { answerKeyOf, type BotAnswer, type BotFact, isVendorTopic } from '@qatra/contract/whatsapp/bot'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { ownRefusalText, refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { AnswerFields } from './AnswerFields.tsx'
import { questionOf, useRenewAssistant } from './assistant-words.ts'

interface AnswerDialogProps {
  answer: BotAnswer
  facts: readonly BotFact[]
  onClose(): void
}

/** Edits one answer; returns a topic to its default, deletes an answer that staff added. */
export function AnswerDialog({ answer: opened, facts, onClose }: AnswerDialogProps) {
  const t = useT()
  // As opened: a version read later is one whose texts this form does not show.
  const [answer] = useState(opened)
  const renew = useRenewAssistant()
  const question = questionOf(t, answer)
  const isOwn = answer.title !== null
  const params = { key: answer.key }
  const form = useForm({
    body: api.changeBotAnswer.body,
    start: { title: answer.title ?? '', ar: answer.ar, en: answer.en },
    toBody: ({ title, ar, en }) => ({ ar, en, version: answer.version, ...(isOwn && { title }) }),
    send: (body) => call(api.changeBotAnswer, { params, body }),
    onSaved: async () => {
      await renew()
      toast({ title: t('assistant.answer.saved'), text: question })
      onClose()
    },
    onRefused: () => void renew(),
    failureOf: (error) => ownRefusalText(t, error, 'assistant'),
  })
  return (
    <Dialog
      open
      title={t('assistant.answer.edit', { question })}
      className="admin max-w-150"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('admin.save'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <div className="-mx-1 mt-3 max-h-[66dvh] overflow-y-auto px-1 pb-1 text-start text-ink">
        <Form form={form} label={question}>
          {isVendorTopic(answerKeyOf(answer.key)) && <p className="text-ink-2">{t('assistant.answer.oneBrand')}</p>}
          {isOwn && <TextField label={t('assistant.answer.title')} dir="auto" {...form.text('title')} />}
          <AnswerFields
            values={form.values}
            facts={facts}
            field={(lang) => form.text(lang)}
            onChange={(values) => form.set(values)}
          />
          {!answer.isDefault && <Removal answer={answer} onDone={onClose} />}
        </Form>
      </div>
    </Dialog>
  )
}

/** Undo of a reset writes the texts again; an added answer is deleted by a second press. */
function Removal({ answer, onDone }: { answer: BotAnswer; onDone(): void }) {
  const t = useT()
  const renew = useRenewAssistant()
  const [isSure, setSure] = useState(answer.title === null)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'assistant'))
  const { key, version, ar, en } = answer
  const restore = () =>
    call(api.changeBotAnswer, { params: { key }, body: { ar, en, version: version + 1 } })
      .catch(() => toast({ title: t('assistant.error.other'), tone: 'error' }))
      .finally(() => void renew())
  const remove = () =>
    run(async () => {
      await call(api.resetBotAnswer, { params: { key }, query: { version } })
      await renew()
      toast({
        title: t(answer.title === null ? 'assistant.answer.reset.done' : 'assistant.answer.delete'),
        text: questionOf(t, answer),
        ...(answer.title === null && { action: { label: t('assistant.undo'), onClick: () => void restore() } }),
      })
      onDone()
    })
  return (
    <div className="grid justify-items-start gap-2">
      {problem && (
        <p role="alert" className="text-clay">
          {problem}
        </p>
      )}
      <Button size="small" tone="danger" busy={busy} onClick={() => (isSure ? void remove() : setSure(true))}>
        {t(
          answer.title === null
            ? 'assistant.answer.reset'
            : isSure
              ? 'assistant.answer.delete.sure'
              : 'assistant.answer.delete',
        )}
      </Button>
    </div>
  )
}
