import { isolated } from '@qatra/contract/lib/text'
import type { TelegramStatus } from '@qatra/contract/telegram'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { CopyButton } from '../../ui/admin/CopyButton.tsx'
import { QrCode } from '../../ui/admin/QrCode.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { AgainIcon, TelegramIcon } from '../../ui/icons.tsx'
import { type LinkCode, useRequestCode } from './use-ask-for-code.ts'

interface LinkStepsProps {
  code: LinkCode
  status: TelegramStatus
  onCode(code: LinkCode | null): void
}

/** Steps to link an account while the code is valid: on this device, by QR code, or by hand. */
export function LinkSteps({ code, status: { botName, isSimulated }, onCode }: LinkStepsProps) {
  const t = useT()
  const left = useSecondsLeft(code.expiresAt, code.now)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  if (left === 0) return <Expired onCode={onCode} />
  // The bot's name may become known after the code was created.
  const url = isSimulated ? code.url : botName && `https://t.me/${botName}?start=${code.code}`
  const bot = botName && isolated(`@${botName}`)
  const steps = [
    bot ? t('telegramPage.step.open', { bot }) : t('telegramPage.step.openNameless'),
    t(url ? 'telegramPage.step.start' : 'telegramPage.step.send'),
    t('telegramPage.step.done'),
  ]
  return (
    <section className="grid items-start gap-x-10 gap-y-7 pt-2 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid min-w-0 max-w-110 gap-5">
        <h2 ref={heading} tabIndex={-1} className="text-heading outline-none">
          {t('telegramPage.link')}
        </h2>
        <ol className="grid gap-3.5">
          {steps.map((step, at) => (
            <li key={step} className="flex gap-3">
              <span
                aria-hidden="true"
                className="grid size-6.5 flex-none place-items-center rounded-full bg-gulf-soft text-caption font-strong text-gulf"
              >
                {at + 1}
              </span>
              <span className="min-w-0 pt-0.5">{step}</span>
            </li>
          ))}
        </ol>
        {url && (
          <a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClass('aqua', 'normal', 'sm:justify-self-start')}
          >
            <TelegramIcon size={20} aria-hidden="true" />
            {t('telegramPage.open')}
          </a>
        )}
        <div>
          <p className="mb-1.5 text-ink-2">{bot ? t('telegramPage.code', { bot }) : t('telegramPage.codeNameless')}</p>
          <div className="flex items-center gap-1 rounded-m bg-well py-1.5 ps-3.5 pe-1.5">
            <code dir="ltr" className="min-w-0 flex-1 text-label break-all select-all">
              {code.code}
            </code>
            <CopyButton text={code.code} label={t('telegramPage.codeName')} />
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <CountdownRing left={left / LIFE_SECONDS} />
          <div className="me-auto">
            <p className="font-strong">{t('telegramPage.waiting')}</p>
            <p role="timer" className="text-ink-3">
              {t('telegramPage.left', { time: isolated(clock(left)) })}
            </p>
          </div>
          <Button size="small" onClick={() => onCode(null)}>
            {t('telegramPage.notNow')}
          </Button>
        </div>
      </div>
      {url && !isSimulated && (
        <figure className="grid justify-items-center gap-2 max-md:hidden">
          <QrCode text={url} label={t('telegramPage.qr')} />
          <figcaption className="max-w-66 text-center text-ink-2">{t('telegramPage.qr.hint')}</figcaption>
        </figure>
      )}
    </section>
  )
}

const LIFE_SECONDS = 15 * 60
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const radius = 20
const around = 2 * Math.PI * radius

/** Remaining time as a ring that empties; never mirrored, since clocks are not. */
function CountdownRing({ left }: { left: number }) {
  const rest = Math.min(1, Math.max(0, left)) * around
  return (
    <svg width="48" height="48" viewBox="0 0 48 48" aria-hidden="true" className="shrink-0" fill="none" strokeWidth="5">
      <circle cx="24" cy="24" r={radius} stroke="var(--well-2)" />
      <circle
        cx="24"
        cy="24"
        r={radius}
        stroke="var(--gulf)"
        strokeLinecap="round"
        strokeDasharray={`${rest} ${around}`}
        transform="rotate(-90 24 24)"
      />
    </svg>
  )
}

function Expired({ onCode }: Pick<LinkStepsProps, 'onCode'>) {
  const t = useT()
  const { requestCode, busy, problem } = useRequestCode(onCode)
  return (
    <section className="max-w-120 pt-2">
      <div role="status">
        <h2 className="text-heading">{t('telegramPage.expired')}</h2>
        <p className="mt-1 text-ink-2">{t('telegramPage.expiredText')}</p>
      </div>
      <div className="mt-4 flex flex-wrap gap-2.5">
        <Button tone="aqua" icon={AgainIcon} busy={busy} onClick={() => void requestCode()}>
          {t('telegramPage.again')}
        </Button>
        <Button onClick={() => onCode(null)}>{t('telegramPage.notNow')}</Button>
      </div>
      {problem && (
        <p role="alert" className="mt-3 text-clay">
          {problem}
        </p>
      )}
    </section>
  )
}

/** Seconds left by the server's clock: its last answer plus the time since. */
function useSecondsLeft(until: string, now: string): number {
  const whole = Math.round((Date.parse(until) - Date.parse(now)) / 1_000)
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const begun = performance.now()
    setPassed(0)
    const timer = setInterval(() => setPassed(Math.floor((performance.now() - begun) / 1_000)), 1_000)
    return () => clearInterval(timer)
    // Each answer of the server restarts the count.
  }, [now, until])
  return Math.max(0, whole - passed)
}
