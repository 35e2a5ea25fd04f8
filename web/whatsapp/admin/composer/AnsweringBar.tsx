import { leftToRight } from '@qatra/contract/lib/text'
import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { BotIcon, HandIcon } from '../../../ui/admin/icons.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckIcon, UserIcon, WarningIcon } from '../../../ui/icons.tsx'
import { clock } from '../chat/chat-time.ts'
import { useConversationActions } from '../chat/use-conversation-actions.ts'
import { shortId } from '../contact-panel/order-words.ts'

/** Shows whether the bot or a person answers, with the actions that change it. */
export function AnsweringBar({ detail }: { detail: ConversationDetail }) {
  const { t, lang } = useLanguage()
  const user = useUser()
  const actions = useConversationActions(detail.contactId)
  const [busy, setBusy] = useState(false)
  const { pausedUntil, pausedBy, waitingSince, waitingOrderId, doneAt } = detail
  async function change(action: () => Promise<boolean>) {
    setBusy(true)
    await action()
    setBusy(false)
  }
  if (detail.blocked)
    return (
      <div className="mb-2.5 flex items-center gap-2">
        <WarningIcon size={17} aria-hidden="true" className="flex-none text-clay" />
        <p role="status" className="min-w-0">
          <b className="font-strong">{t('inbox.blocked')}</b>{' '}
          <bdi className="text-ink-2">{detail.blocked.reason ?? t('inbox.blocked.hint')}</bdi>
        </p>
        {detail.blocked.mayEnd && (
          <Button
            size="small"
            className="ms-auto flex-none px-3 text-label md:min-h-8.5"
            busy={busy}
            onClick={() => void change(() => actions.block(null))}
          >
            {t('inbox.unblock')}
          </Button>
        )}
      </div>
    )
  if (doneAt)
    return (
      <p role="status" className="mb-2.5 flex items-center gap-2 text-ink-2">
        <CheckIcon size={17} aria-hidden="true" className="flex-none" />
        {t('inbox.isDone')} {t('inbox.resolved.text')}
      </p>
    )
  const isOwn = pausedBy !== null && pausedBy.id === user?.id
  const Sign = pausedUntil ? UserIcon : waitingSince ? HandIcon : BotIcon
  const who = pausedUntil
    ? isOwn
      ? t('inbox.answering.you')
      : t('inbox.answering.other', { name: pausedBy?.name ?? t('inbox.by.staff') })
    : t(waitingSince ? 'inbox.answering.waiting' : 'inbox.answering.bot')
  const more = pausedUntil
    ? t('inbox.answering.quiet', { time: clock(pausedUntil, lang) })
    : t(waitingSince ? 'inbox.answering.waiting.hint' : 'inbox.answering.bot.hint')
  return (
    <div className="mb-2.5 flex items-center gap-2">
      <Sign size={17} aria-hidden="true" className={waitingSince ? 'flex-none text-clay' : 'flex-none text-ink-2'} />
      <p role="status" className="min-w-0">
        <b className="font-strong">{who}</b> <span className="text-ink-2 max-md:hidden">{more}</span>
        {waitingOrderId !== null && (
          <Link
            to="/admin/orders/$id"
            params={{ id: waitingOrderId }}
            search={{ chat: detail.contactId }}
            className="ms-1 underline"
          >
            {t('inbox.answering.order', { id: leftToRight(shortId(waitingOrderId)) })}
          </Link>
        )}
      </p>
      <Button
        size="small"
        className="ms-auto flex-none px-3 text-label md:min-h-8.5"
        busy={busy}
        onClick={() => void change(() => (pausedUntil ? actions.handBack() : actions.takeOver()))}
      >
        {pausedUntil ? <BotIcon size={17} aria-hidden="true" /> : <HandIcon size={17} aria-hidden="true" />}
        {t(pausedUntil ? 'inbox.handBack' : 'inbox.takeOver')}
      </Button>
    </div>
  )
}
