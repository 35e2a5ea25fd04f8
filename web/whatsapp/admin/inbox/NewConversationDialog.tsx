import { parsePhone } from '@qatra/contract/lib/phone'
import { startConversation } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { TemplateFields } from '../templates/TemplateFields.tsx'
import { useTemplateChoice } from '../templates/template-choice.ts'
import { renewConversation, renewList } from './inbox-cache.ts'

interface NewConversationProps {
  onStarted(contactId: number): void
  onClose(): void
}

/** Starts a conversation. WhatsApp allows this with a template only. */
export function NewConversationDialog({ onStarted, onClose }: NewConversationProps) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const choice = useTemplateChoice({ language: lang, hasOffers: true })
  const [phone, setPhone] = useState('')
  const [phoneProblem, setPhoneProblem] = useState<string | undefined>()
  const { busy, problem, setProblem, run } = useAction((error) => refusalText(t, error, 'inbox'))
  // Idempotency key: repeated submits send one message.
  const key = useRef<{ content: string; key: string } | null>(null)

  async function submit() {
    if (busy) return
    setProblem(null)
    const parsed = parsePhone(phone)
    if (!parsed.ok) setPhoneProblem(t('inbox.start.phone.wrong'))
    const filled = choice.filled()
    if (!parsed.ok || !filled) return
    const body = { phone: parsed.phone, template: filled.choice }
    const content = JSON.stringify(body)
    if (key.current?.content !== content) key.current = { content, key: crypto.randomUUID() }
    const idempotencyKey = key.current.key
    await run(async () => {
      const { contactId } = await call(startConversation, { body }, { idempotencyKey })
      await Promise.all([renewList(queries), renewConversation(queries, contactId)])
      onStarted(contactId)
    })
  }
  return (
    <Dialog
      open
      title={t('inbox.start')}
      className="max-w-130"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      {...(choice.template ? { action: { label: t('inbox.template.send'), onChoose: () => void submit() } } : {})}
    >
      <p>{t('inbox.start.hint')}</p>
      <div className="mt-3 grid max-h-[55dvh] gap-3.5 overflow-y-auto p-0.5 text-ink" data-first>
        <TextField
          label={t('inbox.start.phone')}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          dir="ltr"
          value={phone}
          error={phoneProblem}
          onChange={({ target }) => {
            setPhoneProblem(undefined)
            setPhone(target.value)
          }}
        />
        <TemplateFields choice={choice} />
        {problem && (
          <p role="alert" className="text-clay">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  )
}
