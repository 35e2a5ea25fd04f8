import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CallError, type read } from '../../../web/lib/api-client.ts'
import { useT } from '../../../web/lib/language/i18n.tsx'
import { Phone } from '../../../web/ui/Bidi.tsx'
import { TelegramIcon } from '../../../web/ui/icons.tsx'
import { Skeleton } from '../../../web/ui/Skeleton.tsx'
import { BOT_CHAT, type getSimulatedTelegram } from '../../contract/telegram.ts'
import { Chat } from './Chat.tsx'
import { ChatList } from './ChatList.tsx'

const POLL_MS = 1_500

interface TelegramPhoneProps {
  /** Null until a phone is selected. */
  phone: string | null
  /** Null shows the list of chats. */
  chat: string | null
  start: string | null
  query: ReturnType<typeof read<typeof getSimulatedTelegram>> | null
}

/** A simulated phone with Telegram. Polls only while the page is visible. */
export function TelegramPhone({ phone, chat, start, query }: TelegramPhoneProps) {
  const t = useT()
  return (
    <section
      aria-label={t('simulator.page.telegram')}
      className="flex h-155 max-h-[calc(100dvh-96px)] min-h-100 flex-col overflow-hidden rounded-[36px] border-8 border-gulf-deep bg-page shadow-float md:h-175"
    >
      {phone === null || query === null ? (
        <Middle title={t('simulator.telegram.choose')} text={t('simulator.telegram.chooseHint')} />
      ) : (
        <Open phone={phone} chat={chat} start={start} query={query} />
      )}
    </section>
  )
}

interface OpenProps {
  phone: string
  chat: string | null
  start: string | null
  query: NonNullable<TelegramPhoneProps['query']>
}

function Open({ phone, chat, start, query }: OpenProps) {
  const t = useT()
  const { data, error, refetch } = useQuery({ ...query, staleTime: 0, refetchInterval: POLL_MS })
  // A real bot is configured, so there is no simulated one.
  if (error instanceof CallError && error.status === 404) {
    return <Middle title={t('simulator.telegram.real')} text={t('simulator.telegram.realHint')} />
  }
  const offline = error !== null && (
    <p role="alert" className="bg-clay-soft px-4 py-1.5 text-label text-clay">
      {t('simulator.offline')}
    </p>
  )
  const reload = () => void refetch()
  if (chat !== null) {
    const known = data?.chats.find(({ id }) => id === chat)
    return (
      <Chat
        key={chat}
        phone={phone}
        isBot={chat === BOT_CHAT}
        id={chat}
        chat={known}
        isGone={data !== undefined && known === undefined}
        botName={data?.botName ?? null}
        messages={data?.messages}
        start={start}
        notice={offline}
        onChange={reload}
      />
    )
  }
  return (
    <>
      <header className="deep flex h-16 shrink-0 items-center gap-3 px-4 pb-2">
        <span className="grid size-10 place-items-center rounded-full bg-deep-track">
          <TelegramIcon size={22} aria-hidden="true" />
        </span>
        <div className="min-w-0">
          <p className="leading-5 font-strong">{t('simulator.page.telegram')}</p>
          <p className="text-label leading-5 text-on-gulf-2">
            <Phone phone={phone} />
          </p>
        </div>
      </header>
      {offline}
      {data ? <ChatList phone={phone} chats={data.chats} botName={data.botName} /> : <Waiting />}
    </>
  )
}

function Waiting() {
  return (
    <div aria-hidden="true" className="grid gap-4 p-4">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex gap-3">
          <Skeleton className="size-11 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-4 w-full" />
          </div>
        </div>
      ))}
    </div>
  )
}

function Middle({ title, text }: { title: string; text: ReactNode }) {
  return (
    <div className="m-auto max-w-80 p-6 text-center">
      <TelegramIcon size={40} aria-hidden="true" className="mx-auto mb-3 text-gulf" />
      <h2 className="text-heading font-strong">{title}</h2>
      <p className="text-ink-2">{text}</p>
    </div>
  )
}
