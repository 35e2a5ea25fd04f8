import type { BotMiss } from '@qatra/contract/whatsapp/bot'
import * as api from '@qatra/contract/whatsapp/bot'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { ownRefusalText } from '../../../lib/refusal.ts'
import { Combobox } from '../../../ui/admin/form/Combobox.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { phraseIn, useRenewAssistant, useTargets } from './assistant-words.ts'

/** Says what a word of customers means: a brand, product, size, area or place. */
export function NameDialog({ miss, onClose }: { miss: BotMiss | null; onClose(): void }) {
  const t = useT()
  const renew = useRenewAssistant()
  const targets = useTargets()?.filter(({ type }) => type !== 'answer')
  const form = useForm({
    body: api.createBotAlias.body,
    start: { text: miss ? phraseIn(miss.text) : '', target: null as string | null },
    toBody: ({ text, target }) => {
      const chosen = targets?.find(({ value }) => value === target)
      return {
        text,
        type: chosen?.type ?? 'vendor',
        target: chosen?.target ?? '',
        ...(miss && { miss: miss.key }),
      }
    },
    send: (body) => call(api.createBotAlias, { body }),
    onSaved: async ({ text }) => {
      await renew()
      toast({ title: t('assistant.name.saved', { text }) })
      onClose()
    },
    failureOf: (error) => ownRefusalText(t, error, 'assistant'),
  })
  return (
    <Dialog
      open
      title={t('assistant.name.teach')}
      className="admin max-w-125"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('admin.save'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <div className="mt-3 grid min-h-80 content-start text-start text-ink">
        <Form form={form} label={t('assistant.name.teach')}>
          <TextField
            label={t('assistant.name.text')}
            hint={t('assistant.name.text.hint')}
            dir="auto"
            {...form.text('text')}
          />
          <Combobox
            label={t('assistant.name.target')}
            hint={t('assistant.name.target.hint')}
            options={targets}
            required
            {...form.field('target')}
          />
        </Form>
      </div>
    </Dialog>
  )
}
