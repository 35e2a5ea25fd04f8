import { useEffect, useEffectEvent, useState } from 'react'
import { CallError } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { CopyIcon, StartIcon, WhatsAppIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { SignInHead } from './SignInFrame.tsx'
import { type MessageLogin, type SignIn, useBackToPhone } from './use-sign-in.ts'
import { signInError } from './words.ts'

const POLL_MS = 2000

/** Sign-in by message: the phone sends a word to the shop and answers a question, while this page polls. */
export function MessageStep({ login, signIn }: { login: MessageLogin; signIn: SignIn }) {
  const t = useT()
  const [error, setError] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  useBackToPhone(signIn, login.phone)
  const poll = useEffectEvent(async () => {
    try {
      setAsked((await signIn.finishMessage(login)).isAsked)
      setError(null)
    } catch (failure) {
      const isRefused = failure instanceof CallError && failure.code === 'INVALID_CODE'
      setOver(isRefused)
      setError(isRefused ? t('login.message.over') : signInError(failure, t))
    }
  })
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void poll()
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isOver])

  const restart = async () => {
    setBusy(true)
    try {
      await signIn.askForMessage(login.phone)
      setOver(false)
      setAsked(false)
      setError(null)
    } catch (failure) {
      setError(signInError(failure, t))
    }
    setBusy(false)
  }
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(login.text)
      toast({ title: t('login.message.copied') })
    } catch {
      toast({ title: t('login.message.notCopied', { text: login.text }), tone: 'error' })
    }
  }
  return (
    <>
      <div>
        <button
          type="button"
          aria-label={t('login.changeNumber')}
          onClick={() => signIn.changeNumber(login.phone)}
          className="-ms-3 mb-2 grid size-tap place-items-center rounded-m hover:bg-well"
        >
          <StartIcon size={24} aria-hidden="true" />
        </button>
        <SignInHead title={t('login.message.title')}>
          {t('login.message.how')} <Phone phone={login.phone} className="block w-fit" />
        </SignInHead>
      </div>
      <div className="grid gap-5.5">
        <div className="flex items-center justify-between gap-3 rounded-m bg-well ps-4 pe-1.5 py-1.5">
          <bdi dir="ltr" className="text-heading font-strong tracking-wide">
            {login.text}
          </bdi>
          <Button tone="link" icon={CopyIcon} onClick={() => void copy()}>
            {t('login.message.copy')}
          </Button>
        </div>
        <a href={login.url} target="_blank" rel="noopener noreferrer" className={buttonClass('aqua', 'big')}>
          <WhatsAppIcon size={22} aria-hidden="true" />
          {t('login.message.open')}
        </a>
        <p className="flex items-center justify-between gap-3 rounded-m bg-well px-4 py-2.5 text-label text-ink-2">
          {t('login.message.answer')}
          <bdi dir="ltr" className="text-title font-strong tracking-wide text-ink">
            {login.answer}
          </bdi>
        </p>
        <p role="status" className="text-label text-ink-2">
          {error ?? t(isAsked ? 'login.message.asked' : 'login.message.waiting', { answer: login.answer })}
        </p>
        <p className="text-label text-ink-3">{t('login.message.warning')}</p>
        {isOver && (
          <Button tone="link" className="justify-self-start" busy={busy} onClick={() => void restart()}>
            {t('login.message.again')}
          </Button>
        )}
      </div>
    </>
  )
}
