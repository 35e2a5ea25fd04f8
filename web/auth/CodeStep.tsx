import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { CallError } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { StartIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { ByMessage } from './ByMessage.tsx'
import { CodeField } from './CodeField.tsx'
import { codeIn, LONGEST_CODE, SHORTEST_CODE } from './code-digits.ts'
import { PasskeyRequired } from './Passkey.tsx'
import { SignInHead } from './SignInFrame.tsx'
import type { SentCode } from './sent-code.ts'
import { type SignIn, useBackToPhone } from './use-sign-in.ts'
import { signInError } from './words.ts'

const left = (until: number) => Math.max(0, Math.ceil((until - Date.now()) / 1000))

/** Whole seconds until a Unix time in ms, counted down. */
function useSecondsLeft(until: number): number {
  const [seconds, setSeconds] = useState(() => left(until))
  useEffect(() => {
    setSeconds(left(until))
    const timer = setInterval(() => {
      setSeconds(left(until))
      if (left(until) === 0) clearInterval(timer)
    }, 1000)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

/** `0:42` */
const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/**
 * Four typed digits may be a whole code or the start of six, and the page must not know which. They are sent after a
 * pause. After a rejection the pause is longer, because a longer code may have been cut. Input that arrives at once
 * (paste, autofill, SMS) and six digits are complete and sent immediately.
 */
const SETTLE_MS = 600
const SETTLE_AFTER_REFUSAL_MS = 2000

interface CodeStepProps {
  sent: SentCode
  signIn: SignIn
}

export function CodeStep({ sent, signIn }: CodeStepProps) {
  const t = useT()
  const [{ code, whole }, setCode] = useState({ code: '', whole: false })
  const [error, setError] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)
  const [busy, setBusy] = useState(false)
  const [needsPasskey, setNeedsPasskey] = useState(false)
  const typed = useRef(code)
  typed.current = code
  // State changes at the next render only; a code must not be sent twice before it.
  const pending = useRef(false)

  async function submit(tried: string) {
    if (pending.current) return
    pending.current = true
    setBusy(true)
    setError(null)
    try {
      await signIn.verify(sent.phone, tried)
    } catch (failure) {
      setBusy(false)
      const isCut = typed.current !== tried && typed.current.startsWith(tried)
      if (isCut && failure instanceof CallError && failure.code === 'INVALID_CODE') return
      setError(signInError(failure, t))
      if (failure instanceof CallError && failure.code === 'CLAIM_CLOSED') signIn.dropClaim()
      if (failure instanceof CallError && failure.code === 'PASSKEY_REQUIRED') setNeedsPasskey(true)
      if (failure instanceof CallError && failure.status === 422) setRefusals((count) => count + 1)
    } finally {
      pending.current = false
    }
  }

  const submitSettled = useEffectEvent(submit)
  const isComplete = code.length >= SHORTEST_CODE
  useEffect(() => {
    if (!isComplete || busy || error) return
    const settle = refusals > 0 ? SETTLE_AFTER_REFUSAL_MS : SETTLE_MS
    const timer = setTimeout(() => void submitSettled(code), whole || code.length === LONGEST_CODE ? 0 : settle)
    return () => clearTimeout(timer)
  }, [code, whole, isComplete, busy, error, refusals])

  useBackToPhone(signIn, sent.phone)
  useEffect(() => {
    const leaving = new AbortController()
    void codeFromSms(leaving.signal).then((found) => setCode({ code: codeIn(found), whole: true }))
    return () => leaving.abort()
  }, [])

  const press = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (isComplete) void submit(code)
    else setError(t('validation.code'))
  }
  return (
    <>
      <div>
        <button
          type="button"
          aria-label={t('login.changeNumber')}
          onClick={() => signIn.changeNumber(sent.phone)}
          className="-ms-3 mb-2 grid size-tap place-items-center rounded-m hover:bg-well"
        >
          <StartIcon size={24} aria-hidden="true" />
        </button>
        <SignInHead title={t('login.codeTitle')}>
          {t('login.sentTo')} <Phone phone={sent.phone} className="block w-fit" />
        </SignInHead>
      </div>
      <form noValidate onSubmit={press} className="grid gap-5.5">
        <CodeField
          label={t('login.code')}
          value={code}
          error={error}
          refusals={refusals}
          onChange={(digits, isWhole) => {
            setCode({ code: digits, whole: isWhole })
            setError(null)
          }}
        />
        <div className="flex items-center justify-between gap-4">
          <Resend sent={sent} signIn={signIn} onFailed={setError} onSent={() => setCode({ code: '', whole: false })} />
          <Button tone="link" className="-me-2" onClick={() => signIn.changeNumber(sent.phone)}>
            {t('login.changeNumber')}
          </Button>
        </div>
        <Button
          type="submit"
          tone="aqua"
          size="big"
          busy={busy}
          reason={!isComplete && t('login.completeCode')}
          reasonShown
        >
          {t(busy ? 'login.checking' : isComplete ? 'login.continue' : 'login.completeCode')}
        </Button>
        {needsPasskey ? (
          <PasskeyRequired signIn={signIn} />
        ) : signIn.claim ? (
          <p className="text-label text-ink-2">{t('login.claim.console')}</p>
        ) : (
          <ByMessage phone={sent.phone} signIn={signIn} onFailed={setError} />
        )}
      </form>
    </>
  )
}

interface ResendProps extends CodeStepProps {
  onFailed(words: string): void
  onSent(): void
}

function Resend({ sent, signIn, onFailed, onSent }: ResendProps) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const seconds = useSecondsLeft(sent.resendAt)
  if (seconds > 0) {
    return <span className="text-label text-ink-3">{t('login.resendIn', { time: clock(seconds) })}</span>
  }
  const resend = async () => {
    setBusy(true)
    try {
      await signIn.askFor(sent.phone, true)
      onSent()
      toast({ title: t('login.resent') })
    } catch (failure) {
      onFailed(signInError(failure, t, 'login.error.CODE_NOT_SENT'))
    }
    setBusy(false)
  }
  return (
    <Button tone="link" className="-ms-2" busy={busy} onClick={() => void resend()}>
      {t('login.resend')}
    </Button>
  )
}

/** WebOTP API, missing in TypeScript's types: reads a code from an SMS bound to this site. */
interface CodeRequest extends CredentialRequestOptions {
  otp: { transport: ['sms'] }
}

/** The code of the next SMS bound to this site. Never settles if the browser lacks the API or the user declines. */
async function codeFromSms(signal: AbortSignal): Promise<string> {
  const never = new Promise<string>(() => undefined)
  if (!('OTPCredential' in window)) return never
  const request: CodeRequest = { otp: { transport: ['sms'] }, signal }
  const found: unknown = await navigator.credentials.get(request).catch(() => null)
  const isCode = typeof found === 'object' && found !== null && 'code' in found && typeof found.code === 'string'
  return isCode ? String(found.code) : never
}
