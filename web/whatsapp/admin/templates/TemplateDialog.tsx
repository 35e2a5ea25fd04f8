import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQueryClient } from '@tanstack/react-query'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { languageOf } from '../composer/CannedSuggestions.tsx'
import { send } from '../composer/outbox.ts'
import { TemplateFields } from './TemplateFields.tsx'
import { useTemplateChoice } from './template-choice.ts'

/** Sends a template, which is allowed outside the 24-hour window. */
export function TemplateDialog({ detail, onClose }: { detail: ConversationDetail; onClose(): void }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const choice = useTemplateChoice({ language: languageOf(detail, lang), hasOffers: detail.optedOutAt === null })
  function submit() {
    const filled = choice.filled()
    if (!filled) return
    send(queries, { contactId: detail.contactId, reply: { template: filled.choice }, text: filled.text })
    onClose()
  }
  return (
    <Dialog
      open
      title={t('inbox.template.choose')}
      className="max-w-130"
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      {...(choice.template ? { action: { label: t('inbox.template.send'), onChoose: submit } } : {})}
    >
      <div className="mt-3 grid max-h-[55dvh] gap-3.5 overflow-y-auto p-0.5 text-ink">
        <TemplateFields choice={choice} />
      </div>
    </Dialog>
  )
}
