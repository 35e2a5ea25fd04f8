import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../web/lib/language/i18n.tsx'
import { Dialog } from '../../../web/ui/Dialog.tsx'
import { BinIcon, LockIcon, StartIcon } from '../../../web/ui/icons.tsx'
import { Skeleton } from '../../../web/ui/Skeleton.tsx'
import type { SimulatedTelegramChat, SimulatedTelegramMessage } from '../../contract/telegram.ts'
import { MessageLog } from '../MessageLog.tsx'
import { ChatFoot } from './ChatFoot.tsx'
import { TelegramBubble } from './TelegramBubble.tsx'
import { useTelegramActions } from './use-telegram-actions.ts'

interface ChatProps {
  phone: string
  id: string
  isBot: boolean
  /** Undefined while it loads. */
  chat: SimulatedTelegramChat | undefined
  isGone: boolean
  botName: string | null
  messages: readonly SimulatedTelegramMessage[] | undefined
  start: string | null
  notice: ReactNode
  /** Called after an action, to reload the messages. */
  onChange(): void
}

/** One chat: with the bot, or a topic of the group, which can be closed and deleted. */
export function Chat(props: ChatProps) {
  const { phone, id, isBot, chat, isGone, botName, messages, start, notice, onChange } = props
  const t = useT()
  const router = useRouter()
  const [isAsked, setAsked] = useState(false)
  const actions = useTelegramActions({ phone, threadId: isBot ? null : Number(id), onChange })
  const title = isBot ? (botName ?? '') : (chat?.title ?? '')
  const leave = () => void router.navigate({ to: '/simulator/telegram', search: { phone }, resetScroll: false })
  const button = 'grid size-tap place-items-center rounded-full hover:bg-deep-track'
  return (
    <>
      <header className="deep flex h-16 shrink-0 items-center gap-1 px-1.5 pb-2">
        <Link
          to="/simulator/telegram"
          search={{ phone }}
          resetScroll={false}
          aria-label={t('simulator.telegram.back')}
          className={button}
        >
          <StartIcon size={22} aria-hidden="true" />
        </Link>
        <div className="min-w-0 flex-1">
          <h2 className="truncate leading-5 font-strong">
            <bdi>{title}</bdi>
          </h2>
          {isBot && <p className="text-label leading-5 text-on-gulf-2">{t('simulator.telegram.bot')}</p>}
        </div>
        {chat && !isBot && (
          <>
            {!chat.isClosed && (
              <button
                type="button"
                aria-label={t('simulator.telegram.close')}
                onClick={() => void actions.change('close')}
                className={button}
              >
                <LockIcon size={19} aria-hidden="true" />
              </button>
            )}
            <button
              type="button"
              aria-label={t('simulator.telegram.delete')}
              onClick={() => setAsked(true)}
              className={button}
            >
              <BinIcon size={19} aria-hidden="true" />
            </button>
          </>
        )}
      </header>
      {notice}
      <Thread phone={phone} isBot={isBot} isGone={isGone} messages={messages} />
      {chat && messages && (
        <ChatFoot
          isBot={isBot}
          isClosed={chat.isClosed}
          isNew={messages.length === 0}
          start={start}
          actions={actions}
        />
      )}
      <DeleteTopic
        open={isAsked}
        error={actions.error}
        onKeep={() => setAsked(false)}
        onDelete={async () => {
          if (!(await actions.change('delete'))) return
          setAsked(false)
          leave()
        }}
      />
    </>
  )
}

function Thread({ phone, isBot, isGone, messages }: Pick<ChatProps, 'phone' | 'isBot' | 'isGone' | 'messages'>) {
  const t = useT()
  const isEmpty = !isGone && messages?.length === 0
  return (
    <MessageLog latest={messages?.at(-1)?.id}>
      {isGone && (
        <div className="m-auto max-w-80 text-center">
          <p className="text-heading font-strong">{t('simulator.telegram.gone')}</p>
          <p className="text-label text-ink-2">{t('simulator.telegram.goneHint')}</p>
          <Link
            to="/simulator/telegram"
            search={{ phone }}
            resetScroll={false}
            className="inline-grid min-h-tap place-items-center text-aqua-ink underline"
          >
            {t('simulator.telegram.back')}
          </Link>
        </div>
      )}
      {isEmpty && (
        <p className="m-auto max-w-80 text-center text-label text-ink-2">
          {t(isBot ? 'simulator.telegram.emptyBot' : 'simulator.telegram.emptyTopic')}
        </p>
      )}
      {!messages && <Waiting />}
      {messages?.map((message) => (
        <TelegramBubble
          key={message.id}
          message={message}
          answered={messages.find(({ id }) => id === message.replyToId) ?? null}
        />
      ))}
    </MessageLog>
  )
}

function Waiting() {
  return (
    <div aria-hidden="true" className="grid gap-3">
      <Skeleton className="h-14 w-3/5 rounded-l" />
      <Skeleton className="h-14 w-2/5 justify-self-end rounded-l" />
    </div>
  )
}

interface DeleteTopicProps {
  open: boolean
  error: string | null
  onKeep(): void
  onDelete(): Promise<void>
}

/** Confirms the deletion of a topic with all its messages. */
function DeleteTopic({ open, error, onKeep, onDelete }: DeleteTopicProps) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    await onDelete()
    setBusy(false)
  }
  return (
    <Dialog
      open={open}
      title={t('simulator.telegram.deleteTitle')}
      safe={{ label: t('simulator.telegram.keep'), onChoose: onKeep }}
      action={{ label: t('simulator.telegram.delete'), tone: 'danger', busy, onChoose: () => void remove() }}
    >
      <p>{t('simulator.telegram.deleteText')}</p>
      {error && (
        <p role="alert" className="mt-2 text-clay">
          {error}
        </p>
      )}
    </Dialog>
  )
}
