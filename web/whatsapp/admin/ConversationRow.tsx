import { formatPhone } from '@qatra/contract/phone'
import type { Conversation } from '@qatra/contract/whatsapp-inbox'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.tsx'
import { Avatar } from '../../ui/admin/Avatar.tsx'
import { BotIcon, HandIcon } from '../../ui/admin/icons.ts'
import { classes } from '../../ui/class-names.ts'
import { UserIcon, WarningIcon } from '../../ui/icons.tsx'
import { shortTime } from './chat-time.ts'
import { previewOf } from './message-words.ts'

/** The contact's name, else the phone number. */
export function useContactName() {
  const { t } = useLanguage()
  return ({ name, phone }: Pick<Conversation, 'name' | 'phone'>): string =>
    name ?? (phone ? formatPhone(phone) : t('inbox.noName'))
}

interface RowProps {
  conversation: Conversation
  isOpen: boolean
  hasDraft: boolean
  now: Date
}

export function ConversationRow({ conversation, isOpen, hasDraft, now }: RowProps) {
  const { t, lang } = useLanguage()
  const nameOf = useContactName()
  const { contactId, last, unreadCount } = conversation
  const name = nameOf(conversation)
  const isUnread = unreadCount > 0
  return (
    <Link
      to="/admin/whatsapp"
      // Keeps the address of this page and replaces the open conversation.
      search={(before: object) => ({ ...before, open: contactId, card: undefined })}
      resetScroll={false}
      data-contact={contactId}
      aria-current={isOpen ? 'true' : undefined}
      className={classes(
        'grid grid-cols-[40px_minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 border-b border-line px-4 py-2.75 focus-visible:-outline-offset-2',
        isOpen ? 'bg-gulf-soft' : 'hover:bg-well',
      )}
    >
      <span className="row-span-2 self-center">
        <Avatar name={name} size="large" />
      </span>
      <span className={classes('grid min-w-0 justify-items-start leading-relaxed', isUnread && 'font-strong')}>
        <span dir={conversation.name ? 'auto' : 'ltr'} className="max-w-full truncate">
          {name}
        </span>
      </span>
      <time dateTime={last?.at ?? conversation.lastActivity} className="text-end text-caption text-ink-3">
        <bdi>{shortTime(last?.at ?? conversation.lastActivity, now, lang, t)}</bdi>
      </time>
      <span className={classes('flex min-w-0 gap-1 leading-relaxed', isUnread ? 'text-ink' : 'text-ink-2')}>
        {hasDraft && <span className="flex-none text-aqua-ink">{t('inbox.draft')}</span>}
        {last && (
          // `dir="auto"` truncates the text at its own end.
          <span dir="auto" className="min-w-0 truncate">
            {previewOf(last, t)}
          </span>
        )}
      </span>
      <RowSign conversation={conversation} />
    </Link>
  )
}

function RowSign({ conversation }: { conversation: Conversation }) {
  const { t } = useLanguage()
  const { unreadCount, waitingSince, pausedUntil, last } = conversation
  return (
    <span className="flex items-center justify-end gap-1.5 text-ink-3">
      {waitingSince && (
        <span className="text-clay" title={t('inbox.waits')}>
          <HandIcon size={16} aria-hidden="true" />
          <span className="sr-only">{t('inbox.waits')}</span>
        </span>
      )}
      {last?.status === 'failed' && (
        <span className="text-clay" title={t('inbox.status.failed')}>
          <WarningIcon size={16} aria-hidden="true" />
          <span className="sr-only">{t('inbox.status.failed')}</span>
        </span>
      )}
      {unreadCount > 0 ? (
        <b className="h-5 min-w-5 rounded-full bg-aqua px-1.25 text-center text-caption leading-5 text-on-aqua">
          {unreadCount}
          <span className="sr-only"> {t('inbox.unread')}</span>
        </b>
      ) : (
        <span title={t(pausedUntil ? 'inbox.person' : 'inbox.bot')}>
          {pausedUntil ? <UserIcon size={16} aria-hidden="true" /> : <BotIcon size={16} aria-hidden="true" />}
          <span className="sr-only">{t(pausedUntil ? 'inbox.person' : 'inbox.bot')}</span>
        </span>
      )}
    </span>
  )
}
