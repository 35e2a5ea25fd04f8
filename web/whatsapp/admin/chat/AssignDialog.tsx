import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { SelectField } from '../../../ui/admin/form/fields.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { peopleQuery } from '../inbox/inbox-cache.ts'
import { useConversationActions } from './use-conversation-actions.ts'

/** Assigns a conversation to a person. */
export function AssignDialog({ detail, onClose }: { detail: ConversationDetail; onClose(): void }) {
  const t = useT()
  const user = useUser()
  const { data: people } = useQuery(peopleQuery(detail.contactId))
  const actions = useConversationActions(detail.contactId)
  const [chosen, setChosen] = useState(String(detail.assignedTo?.id ?? user?.id ?? ''))
  // Whoever had it when the dialog opened.
  const [from] = useState(detail.assignedTo?.id ?? null)
  const [busy, setBusy] = useState(false)
  async function assign() {
    setBusy(true)
    if (await actions.assign(chosen === '' ? null : Number(chosen), from)) onClose()
    setBusy(false)
  }
  return (
    <Dialog
      open
      title={t('inbox.assign')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('admin.save'), tone: 'gulf', busy, onChoose: () => void assign() }}
    >
      <SelectField
        label={t('inbox.assign.to')}
        className="mt-3 text-ink"
        value={chosen}
        options={[
          { value: '', label: t('inbox.assign.nobody') },
          ...(people ?? []).map(({ id, name, openCount }) => ({
            value: String(id),
            label: t('inbox.assign.load', {
              name: id === user?.id ? t('inbox.assign.me', { name: name ?? '—' }) : (name ?? '—'),
              count: openCount,
            }),
          })),
        ]}
        onChange={(value) => setChosen(value ?? '')}
      />
    </Dialog>
  )
}
