import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { call, type read } from '../../web/lib/api-client.ts'
import { useT } from '../../web/lib/language/i18n.tsx'
import { Phone } from '../../web/ui/Bidi.tsx'
import { Mark } from '../../web/ui/Mark.tsx'
import { type SimulatedMessage, sendSimulatedMessage } from '../contract/simulator.ts'
import { Bubble } from './Bubble.tsx'
import { Composer } from './Composer.tsx'
import { MessageLog } from './MessageLog.tsx'
import type { Written } from './written.ts'

const POLL_MS = 1500

interface TestPhoneProps {
  /** Null shows the messages to all numbers. */
  phone: string | null
  messages: ReturnType<typeof read<typeof import('../contract/simulator.ts').listSimulatedMessages>>
}

/** A simulated phone. Polls only while the page is visible. */
export function TestPhone({ phone, messages }: TestPhoneProps) {
  const t = useT()
  const { data, isError, refetch } = useQuery({ ...messages, staleTime: 0, refetchInterval: POLL_MS })
  const [error, setError] = useState<string | null>(null)
  const foot = useRef<HTMLDivElement>(null)
  async function send(written: Written): Promise<boolean> {
    setError(null)
    try {
      await call(sendSimulatedMessage, { body: { ...written, from: phone ?? '' } })
      void refetch()
      return true
    } catch {
      setError(t('simulator.notSent'))
      return false
    }
  }
  const oldestFirst = useMemo(() => [...(data ?? [])].reverse(), [data])
  return (
    <section
      aria-label={t('simulator.messages')}
      className="flex h-155 max-h-[calc(100dvh-96px)] min-h-100 flex-col overflow-hidden rounded-[36px] border-8 border-gulf-deep bg-page shadow-float md:h-175"
    >
      <header className="deep flex h-16 shrink-0 items-center gap-3 px-4 pb-2">
        <span className="grid size-10 place-items-center rounded-full bg-deep-track">
          <Mark size={24} />
        </span>
        <div className="min-w-0">
          <p className="leading-5 font-strong">{t('simulator.shop')}</p>
          <p className="text-label leading-5 text-on-gulf-2">
            {phone ? <Phone phone={phone} /> : t('simulator.allPhones')}
          </p>
        </div>
      </header>
      {isError && (
        <p role="alert" className="bg-clay-soft px-4 py-1.5 text-label text-clay">
          {t('simulator.offline')}
        </p>
      )}
      <Thread
        messages={oldestFirst}
        showsPhone={phone === null}
        onTap={phone ? (written) => void send(written) : undefined}
        onLocation={() => foot.current?.querySelector<HTMLElement>('[data-place]')?.focus()}
      />
      {phone && (
        <div ref={foot}>
          <Composer onSend={send} error={error} onError={setError} />
        </div>
      )}
    </section>
  )
}

interface ThreadProps {
  messages: readonly SimulatedMessage[]
  showsPhone: boolean
  onTap?: ((written: Written) => void) | undefined
  onLocation(): void
}

function Thread({ messages, showsPhone, onTap, onLocation }: ThreadProps) {
  const t = useT()
  return (
    <MessageLog latest={messages.at(-1)?.id}>
      {messages.length === 0 && (
        <div className="m-auto max-w-80 text-center">
          <p className="text-heading font-strong">{t('simulator.empty')}</p>
          <p className="text-label text-ink-2">{t(showsPhone ? 'simulator.emptyAllHint' : 'simulator.emptyHint')}</p>
        </div>
      )}
      {messages.map((message) => (
        <Bubble key={message.id} message={message} showsPhone={showsPhone} onTap={onTap} onLocation={onLocation} />
      ))}
    </MessageLog>
  )
}
