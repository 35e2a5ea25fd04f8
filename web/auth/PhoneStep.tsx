import { bareNumber, formatPhone, parsePhone, phoneProblemKey } from '@qatra/contract/lib/phone'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { CallError } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { DownIcon } from '../ui/icons.tsx'
import { ByMessage } from './ByMessage.tsx'
import { SignInHead } from './SignInFrame.tsx'
import type { SignIn } from './use-sign-in.ts'
import { isProvable, signInError } from './words.ts'

/** Country codes of the Gulf states, with the digits of a mobile number there. */
const countries = {
  BH: { code: '+973', digits: 8 },
  SA: { code: '+966', digits: 9 },
  AE: { code: '+971', digits: 9 },
  KW: { code: '+965', digits: 8 },
  OM: { code: '+968', digits: 8 },
  QA: { code: '+974', digits: 8 },
} as const
type Country = keyof typeof countries
const gulf = Object.keys(countries) as Country[] // the keys of the literal above

/** A whole number of a Gulf state as its country, which the field shows separately, and the rest; else null. */
function inParts(typed: string): { country: Country; rest: string } | null {
  const bare = bareNumber(typed).replace(/^00/, '+')
  for (const country of gulf) {
    const { code, digits } = countries[country]
    const [hasPlus, length] = [bare.startsWith('+'), code.length + digits]
    if (hasPlus && bare.startsWith(code) && bare.length <= length) return { country, rest: bare.slice(code.length) }
    // Copied without its plus sign.
    if (!hasPlus && `+${bare}`.startsWith(code) && bare.length + 1 === length)
      return { country, rest: bare.slice(code.length - 1) }
  }
  return null
}

/** A known number as the field shows it: `3600 0412`. */
function shown(phone: string): { country: Country; typed: string } {
  const country = inParts(phone)?.country ?? 'BH'
  return { country, typed: formatPhone(phone).replace(`${countries[country].code} `, '') }
}

/** Whether the text can be a number of the country without its code. */
function isLocal(typed: string, country: Country) {
  const bare = bareNumber(typed)
  // Other Gulf states write a zero before nine digits.
  return !/^(\+|00)/.test(bare) && bare.length <= (country === 'BH' ? 8 : 10)
}

interface PhoneStepProps {
  phone: string
  signIn: SignIn
}

export function PhoneStep({ phone, signIn }: PhoneStepProps) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [{ country, typed }, setNumber] = useState(() => shown(phone))
  const [error, setError] = useState<string | null>(null)
  const [waitSeconds, setWaitSeconds] = useState<number | null>(null)
  const [isWithoutCode, setWithoutCode] = useState(false)
  const [isProof, setProof] = useState(false)
  const [busy, setBusy] = useState(false)
  const hasCode = isLocal(typed, country)
  const isWhole = bareNumber(typed).length >= countries[country].digits
  const parsed = parsePhone(hasCode && isWhole ? `${countries[country].code}${bareNumber(typed)}` : typed)
  const { claim } = signIn
  useEffect(() => field.current?.focus(), [])

  function enter(of: Country, text: string) {
    setNumber({ country: of, typed: text })
    setError(null)
    setWaitSeconds(null)
    setWithoutCode(false)
  }
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
          hint={!error && `${t('login.channels')} ${t('login.abroad')}`}
          error={error}
          before={hasCode && <CountryCode country={country} onChoose={(chosen) => enter(chosen, typed)} />}
          type="tel"
          name="phone"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="send"
          placeholder={'X'.repeat(countries[country].digits)}
          required
          value={typed}
          onChange={({ target: { value } }) => {
            const parts = inParts(value)
            enter(parts?.country ?? country, parts?.rest ?? value)
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

/** The code of the country, with a choice of the Gulf states; other numbers are typed with their code. */
function CountryCode({ country, onChoose }: { country: Country; onChoose(country: Country): void }) {
  const t = useT()
  return (
    <span className="relative flex h-12 items-center gap-1 border-e border-line pe-2 text-ink-2 has-focus-visible:outline-2 has-focus-visible:outline-focus">
      {countries[country].code}
      <DownIcon size={16} aria-hidden="true" />
      <select
        aria-label={t('login.countryCode')}
        value={country}
        onChange={({ target }) => onChoose(gulf.find((one) => one === target.value) ?? 'BH')}
        className="absolute inset-0 cursor-pointer opacity-0"
      >
        {gulf.map((one) => (
          <option key={one} value={one}>
            {t(`login.country.${one}`)} {countries[one].code}
          </option>
        ))}
      </select>
    </span>
  )
}
