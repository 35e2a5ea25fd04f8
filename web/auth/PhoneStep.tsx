import { formatPhone, parsePhone, phoneProblemKey } from '@qatra/contract/lib/phone'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { ByMessage } from './ByMessage.tsx'
import { SignInHead } from './SignInFrame.tsx'
import type { SignIn } from './use-sign-in.ts'
import { isProvable, signInError } from './words.ts'

const bahrain = '+973'
/** A Bahrain number as `3600 0412`; the field shows the country code separately. */
const asTyped = (phone: string) => formatPhone(phone).replace(`${bahrain} `, '')

/** Whether the text can be a Bahrain number without its country code. */
function isLocal(typed: string) {
  const bare = typed.replace(/[^+\d٠-٩۰-۹]/g, '')
  return bare.length <= 8 && !/^(\+|00|٠٠|۰۰)/.test(bare)
}

interface PhoneStepProps {
  phone: string
  signIn: SignIn
}

export function PhoneStep({ phone, signIn }: PhoneStepProps) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(asTyped(phone))
  const [error, setError] = useState<string | null>(null)
  const [waitSeconds, setWaitSeconds] = useState<number | null>(null)
  const [isWithoutCode, setWithoutCode] = useState(false)
  const [isProof, setProof] = useState(false)
  const [busy, setBusy] = useState(false)
  const parsed = parsePhone(typed)
  const { claim } = signIn
  useEffect(() => field.current?.focus(), [])

  const refuse = (words: string) => {
    setError(words)
    field.current?.focus()
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (!parsed.ok) return refuse(t(phoneProblemKey(parsed.reason)))
    setBusy(true)
    setError(null)
    try {
      await signIn.askFor(parsed.phone)
    } catch (failure) {
      if (failure instanceof CallError && failure.code === 'CLAIM_CLOSED') signIn.dropClaim()
      const isTooSoon = failure instanceof CallError && failure.code === 'TOO_MANY_REQUESTS'
      const isProof = failure instanceof CallError && isProvable(failure)
      setProof(isProof)
      setWithoutCode(isTooSoon || isProof || (failure instanceof CallError && failure.code === 'CODE_NOT_SENT'))
      setWaitSeconds(isTooSoon ? (failure.retryAfter ?? 60) : null)
      refuse(signInError(failure, t, 'login.error.CODE_NOT_SENT'))
      setBusy(false)
    }
  }

  return (
    <>
      <SignInHead title={t(claim ? 'login.claim.title' : 'login.welcome')}>
        {t(claim ? 'login.claim.text' : 'login.noPassword')}
      </SignInHead>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5.5">
        <TextField
          ref={field}
          big
          ltr
          label={t('login.phone')}
          hint={!error && t('login.channels')}
          error={error}
          before={typed && isLocal(typed) && <CountryCode />}
          type="tel"
          name="phone"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="send"
          placeholder="973XXXXXXXX"
          required
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setError(null)
            setWaitSeconds(null)
            setWithoutCode(false)
          }}
        />
        <Button type="submit" tone="aqua" size="big" busy={busy}>
          {t('login.send')}
        </Button>
        {waitSeconds !== null && parsed.ok && (
          <Button
            tone="link"
            className="justify-self-center"
            onClick={() => signIn.enterCodeFor(parsed.phone, waitSeconds)}
          >
            {t('login.haveCode')}
          </Button>
        )}
        {isWithoutCode && parsed.ok && !claim && (
          <ByMessage phone={parsed.phone} isProof={isProof} signIn={signIn} onFailed={refuse} />
        )}
      </form>
    </>
  )
}

function CountryCode() {
  const t = useT()
  return (
    <span className="border-e border-line pe-3 leading-7 text-ink-2">
      <span className="sr-only">{t('login.countryCode')} </span>
      {bahrain}
    </span>
  )
}
