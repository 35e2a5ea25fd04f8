import { formatTime } from '@qatra/contract/calendar/calendar'
import { Link } from '@tanstack/react-router'
import { type Translate, useLang, useT } from '../../../web/lib/language/i18n.tsx'
import { LockIcon, SmsIcon } from '../../../web/ui/icons.tsx'
import { Mark } from '../../../web/ui/Mark.tsx'
import { BOT_CHAT, type SimulatedTelegramChat } from '../../contract/telegram.ts'
import { linked } from '../message-parts.ts'

interface ChatListProps {
  phone: string
  chats: readonly SimulatedTelegramChat[]
  botName: string
}

/** All chats of the account: the bot, then the topics of the staff group. */
export function ChatList({ phone, chats, botName }: ChatListProps) {
  const t = useT()
  return (
    <nav aria-label={t('simulator.telegram.chats')} className="flex flex-1 flex-col overflow-y-auto overscroll-contain">
      <ul>
        {chats.map((chat) => (
          <li key={chat.id} className="border-b border-line">
            <Line phone={phone} chat={chat} botName={botName} />
          </li>
        ))}
      </ul>
      {chats.length === 1 && (
        <p className="m-auto max-w-80 p-6 text-center text-label text-ink-2">
          {t('simulator.telegram.noTopics')}{' '}
          <a href="/admin/telegram" className="text-aqua-ink underline">
            {t('simulator.telegram.link')}
          </a>
        </p>
      )}
    </nav>
  )
}

function Line({ phone, chat, botName }: { phone: string; chat: SimulatedTelegramChat; botName: string }) {
  const t = useT()
  const lang = useLang()
  const { id, title, isClosed, last } = chat
  return (
    <Link
      to="/simulator/telegram"
      search={{ phone, chat: id }}
      resetScroll={false}
      className="flex min-h-17 items-center gap-3 px-4 py-2.5 hover:bg-well focus-visible:-outline-offset-2"
    >
      <span className="grid size-11 flex-none place-items-center rounded-full bg-gulf-soft text-gulf">
        {id === BOT_CHAT ? <Mark size={24} /> : <SmsIcon size={20} aria-hidden="true" />}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <bdi className="truncate font-strong">{title ?? botName}</bdi>
          {last && <bdi className="flex-none text-label text-ink-3">{formatTime(new Date(last.createdAt), lang)}</bdi>}
        </span>
        <span className="flex items-center gap-1.5 text-label text-ink-2">
          {isClosed && (
            <>
              <LockIcon size={14} aria-hidden="true" className="flex-none" />
              {last?.text && <span className="sr-only">{t('simulator.telegram.closed')}</span>}
            </>
          )}
          <bdi className="truncate">{summaryOf(chat, t)}</bdi>
        </span>
      </span>
    </Link>
  )
}

/** Last message in one line, without a trailing address. */
function summaryOf({ isClosed, last }: SimulatedTelegramChat, t: Translate): string {
  if (!last) return t('simulator.telegram.nothing')
  const words = linked(last.text)
    .map(({ text, href }) => (href ? '' : text))
    .join('')
  // Closing and opening a topic are events without a text.
  return (
    words.replace(/\s+/g, ' ').trim() ||
    last.text ||
    t(isClosed ? 'simulator.telegram.closed' : 'simulator.telegram.reopened')
  )
}
