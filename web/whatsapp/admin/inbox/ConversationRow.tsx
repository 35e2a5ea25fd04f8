import { formatPhone } from '@qatra/contract/lib/phone'
import type { Conversation } from '@qatra/contract/whatsapp/inbox/inbox'
import { isLate } from '@qatra/contract/whatsapp/inbox/settings'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { Avatar, initialsOf } from '../../../ui/admin/Avatar.tsx'
import { BotIcon, HandIcon, MutedIcon } from '../../../ui/admin/icons.ts'
import { classes } from '../../../ui/class-names.ts'
import { CheckIcon, UserIcon, WarningIcon } from '../../../ui/icons.tsx'
import { dayAndClock, shortTime, waitedFor } from '../chat/chat-time.ts'
import { shortId } from '../contact-panel/order-words.ts'
import { previewOf } from '../thread/message-words.ts'

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
  /** In the waiting list: without a sign that the customer waits. */
  isWaiting?: boolean
  /** A customer who has waited this long is late. */
  waitMinutes: number
  now: Date
}

export function ConversationRow({ conversation, isOpen, hasDraft, isWaiting = false, waitMinutes, now }: RowProps) {
  const { t, lang } = useLanguage()
  const nameOf = useContactName()
  const { contactId, last, unreadCount, assignedTo, waitingSince, orderId } = conversation
  const name = nameOf(conversation)
  const isUnread = unreadCount > 0
  const waits = conversation.snoozedUntil === null ? waitingSince : null
  const isTooLong = waits !== null && isLate(waits, now, { waitMinutes })
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
        isOpen ? 'bg-gulf-soft' : isTooLong ? 'bg-clay-soft hover:bg-well' : 'hover:bg-well',
      )}
    >
      <span className="relative row-span-2 self-center">
        <Avatar name={name} size="large" />
        {assignedTo && (
          <span className="absolute -end-1 -bottom-1 grid size-5 place-items-center rounded-full bg-gulf text-[0.625rem] font-strong text-on-gulf ring-2 ring-page">
            <span aria-hidden="true">{initialsOf(assignedTo.name ?? '—').slice(0, 1)}</span>
            <span className="sr-only">{t('inbox.has', { name: assignedTo.name ?? t('inbox.by.staff') })}</span>
          </span>
        )}
      </span>
      <span className={classes('grid min-w-0 justify-items-start leading-relaxed', isUnread && 'font-strong')}>
        <span dir={conversation.name ? 'auto' : 'ltr'} className="max-w-full truncate">
          {name}
        </span>
      </span>
      {waits ? (
        <time
          dateTime={waits}
          className={classes('text-end text-caption font-strong', isTooLong ? 'text-clay' : 'text-ink')}
        >
          <span aria-hidden="true">{waitedFor(waits, now, t)}</span>
          <span className="sr-only">
            {t(isTooLong ? 'inbox.waited.late' : 'inbox.waited.label', { time: waitedFor(waits, now, t) })}
          </span>
        </time>
      ) : (
        <time dateTime={last?.at ?? conversation.lastActivity} className="text-end text-caption text-ink-3">
          <bdi>{shortTime(last?.at ?? conversation.lastActivity, now, lang, t)}</bdi>
        </time>
      )}
      <span className={classes('flex min-w-0 gap-1 leading-relaxed', isUnread ? 'text-ink' : 'text-ink-2')}>
        {isWaiting && orderId && (
          <bdi dir="ltr" className="flex-none text-ink-3">
            {shortId(orderId)}
          </bdi>
        )}
        {hasDraft && <span className="flex-none text-aqua-ink">{t('inbox.draft')}</span>}
        {last && (
          // `dir="auto"` truncates the text at its own end.
          <span dir="auto" className="min-w-0 truncate">
            {previewOf(last, t)}
          </span>
        )}
      </span>
      <RowSign conversation={conversation} isWaiting={isWaiting} />
    </Link>
  )
}

function RowSign({ conversation, isWaiting }: { conversation: Conversation; isWaiting: boolean }) {
  const { t, lang } = useLanguage()
  const { unreadCount, waitingSince, pausedUntil, last, labels, snoozedUntil, doneAt } = conversation
  const [label] = labels
  return (
    <span className="flex items-center justify-end gap-1.5 text-ink-3">
      {conversation.isMuted && (
        <span title={t('inbox.muted')}>
          <MutedIcon size={16} aria-hidden="true" />
          <span className="sr-only">{t('inbox.muted')}</span>
        </span>
      )}
      {conversation.blocked && <span className="text-caption text-clay">{t('inbox.blocked.short')}</span>}
      {label && <bdi className="max-w-20 truncate text-caption">{label}</bdi>}
      {snoozedUntil && (
        <span className="text-caption">
          {t('inbox.snoozedTo', { time: dayAndClock(new Date(snoozedUntil), lang) })}
        </span>
      )}
      {waitingSince && !isWaiting && (
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
      ) : doneAt ? (
        <span title={t('inbox.resolved')}>
          <CheckIcon size={16} aria-hidden="true" />
          <span className="sr-only">{t('inbox.resolved')}</span>
        </span>
      ) : isWaiting ? null : (
        <span title={t(pausedUntil ? 'inbox.person' : 'inbox.bot')}>
          {pausedUntil ? <UserIcon size={16} aria-hidden="true" /> : <BotIcon size={16} aria-hidden="true" />}
          <span className="sr-only">{t(pausedUntil ? 'inbox.person' : 'inbox.bot')}</span>
        </span>
      )}
    </span>
  )
}
