import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { LONGEST_LABEL, MOST_LABELS } from '@qatra/contract/whatsapp/inbox/work'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { Avatar } from '../../../ui/admin/Avatar.tsx'
import { LabelIcon } from '../../../ui/admin/icons.ts'
import { Menu } from '../../../ui/admin/Menu.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { CloseIcon } from '../../../ui/icons.tsx'
import { labelsQuery } from '../inbox/inbox-cache.ts'
import type { Colleague } from './presence.ts'
import { useConversationActions } from './use-conversation-actions.ts'

const SUGGESTED = 8

interface StripProps {
  detail: ConversationDetail
  /** Colleagues with the conversation open. */
  others: readonly Colleague[]
  mayReply: boolean
}

/** Who else looks at the conversation, and its labels. */
export function ChatStrip({ detail, others, mayReply }: StripProps) {
  const t = useT()
  if (others.length === 0 && detail.labels.length === 0 && !mayReply) return null
  return (
    <div className="flex min-h-9.5 flex-none items-center gap-2 border-b border-line bg-page px-4 py-1 md:px-6">
      <p role="status" className="flex min-w-0 items-center gap-2 text-caption text-ink-2">
        {others.slice(0, 1).map(({ id, name, isTyping }) => (
          <span key={id} className="flex min-w-0 items-center gap-2">
            <Avatar name={name} size="small" />
            <span className="truncate">
              {t(isTyping ? 'inbox.presence.typing' : 'inbox.presence.looking', { name })}
            </span>
          </span>
        ))}
        {others.slice(1).map(({ id, name }) => (
          <Avatar key={id} name={name} size="small" title={t('inbox.presence.looking', { name })} />
        ))}
      </p>
      <Labels detail={detail} mayReply={mayReply} />
    </div>
  )
}

const chip = 'flex h-6.5 items-center gap-1 rounded-s bg-well px-2 text-caption text-ink-2 max-md:h-tap'

function Labels({ detail: { contactId, labels }, mayReply }: { detail: ConversationDetail; mayReply: boolean }) {
  const t = useT()
  const actions = useConversationActions(contactId)
  const { data } = useQuery({ ...labelsQuery(), enabled: mayReply })
  const [isNew, setNew] = useState(false)
  const suggested = (data ?? []).filter(({ label }) => !labels.includes(label)).slice(0, SUGGESTED)
  return (
    <ul aria-label={t('inbox.labels')} className="ms-auto flex flex-none flex-wrap items-center gap-1.5">
      {labels.map((label) => (
        <li key={label} className={chip}>
          <LabelIcon size={14} aria-hidden="true" />
          <bdi>{label}</bdi>
          {mayReply && (
            <button
              type="button"
              aria-label={t('inbox.labels.remove', { label })}
              className="grid size-6 place-items-center rounded-s hover:text-ink max-md:size-tap"
              onClick={() => void actions.label([], [label])}
            >
              <CloseIcon size={13} aria-hidden="true" />
            </button>
          )}
        </li>
      ))}
      {mayReply && labels.length < MOST_LABELS && (
        <li>
          <Menu
            label={t('inbox.labels')}
            buttonLabel={t('inbox.labels.add')}
            className="grid size-6.5 place-items-center rounded-s text-ink-2 hover:bg-well max-md:size-tap"
            button={<LabelIcon size={16} aria-hidden="true" />}
            choices={[
              ...suggested.map(({ label }) => ({
                key: `label ${label}`,
                label,
                onChoose: () => void actions.label([label], []),
              })),
              { key: 'new', label: t('inbox.labels.new'), onChoose: () => setNew(true) },
            ]}
          />
        </li>
      )}
      {isNew && <NewLabel onClose={() => setNew(false)} onChosen={(label) => actions.label([label], [])} />}
    </ul>
  )
}

function NewLabel({ onClose, onChosen }: { onClose(): void; onChosen(label: string): Promise<boolean> }) {
  const t = useT()
  const [label, setLabel] = useState('')
  const [busy, setBusy] = useState(false)
  async function add() {
    const text = label.trim()
    if (text === '') return
    setBusy(true)
    if (await onChosen(text)) onClose()
    setBusy(false)
  }
  return (
    <Dialog
      open
      title={t('inbox.labels.new')}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('admin.save'), tone: 'gulf', busy, onChoose: () => void add() }}
    >
      <TextField
        label={t('inbox.labels.new')}
        className="mt-3 text-ink"
        value={label}
        maxLength={LONGEST_LABEL}
        onChange={({ target }) => setLabel(target.value)}
      />
    </Dialog>
  )
}
