import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../web/lib/language/i18n.tsx'
import { Button } from '../../../web/ui/Button.tsx'
import { WriteLine } from '../WriteLine.tsx'
import type { TelegramActions } from './use-telegram-actions.ts'

interface ChatFootProps {
  isBot: boolean
  isClosed: boolean
  /** The chat has no messages yet. */
  isNew: boolean
  start: string | null
  actions: TelegramActions
}

/** Reply field. A bot has to be started first; a closed topic accepts no messages. */
export function ChatFoot({ isBot, isClosed, isNew, start, actions }: ChatFootProps) {
  const t = useT()
  const { error } = actions
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line bg-surface p-3">
      {error && (
        <p role="alert" id="telegram-error" className="text-label text-clay">
          {error}
        </p>
      )}
      {isBot && (start !== null || isNew) ? (
        <Start code={start} actions={actions} />
      ) : isClosed ? (
        <Closed actions={actions} />
      ) : (
        <WriteLine
          label={t(isBot ? 'simulator.telegram.writeBot' : 'simulator.telegram.writeTopic')}
          maxLength={4096}
          onSend={actions.write}
          error={{ id: 'telegram-error', isThere: error !== null }}
          onError={actions.setError}
        />
      )}
    </div>
  )
}

/** The start button, shown before the first message and for a link with a code. */
function Start({ code, actions }: { code: string | null; actions: TelegramActions }) {
  const t = useT()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  // A link with a code leads to this button, so focus it.
  useEffect(() => {
    if (code !== null) place.current?.querySelector('button')?.focus()
  }, [code])
  const begin = async () => {
    setBusy(true)
    const isSent = await actions.write(code === null ? '/start' : `/start ${code}`)
    setBusy(false)
    // The code can be used once: remove it from the address.
    if (isSent && code !== null) {
      void router.navigate({
        to: '/simulator/telegram',
        search: (old) => ({ ...old, start: undefined, chat: 'bot' }),
        replace: true,
        resetScroll: false,
      })
    }
  }
  return (
    <div ref={place} className="grid">
      <Button tone="aqua" size="big" busy={busy} onClick={() => void begin()}>
        {t('simulator.telegram.start')}
      </Button>
    </div>
  )
}

function Closed({ actions }: { actions: TelegramActions }) {
  const t = useT()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="min-w-0 flex-1 text-label text-ink-2">{t('simulator.telegram.closedHint')}</p>
      <Button size="small" onClick={() => void actions.change('reopen')}>
        {t('simulator.telegram.reopen')}
      </Button>
    </div>
  )
}
