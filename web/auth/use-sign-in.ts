import { finishMessageLogin, startMessageLogin, type User, verifyCode, verifyPhone } from '@qatra/contract/users/auth'
import { finishPasskeySignIn, startPasskeySignIn } from '@qatra/contract/users/passkeys'
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { track } from '../analytics/events.ts'
import { saveLangOfSignIn } from '../app/language/language.ts'
import { signedIn } from '../app/session/session.ts'
import { useCartContext } from '../cart/CartProvider.tsx'
import { call } from '../lib/api-client.ts'
import { useLang } from '../lib/language/i18n.tsx'
import { openLayer } from '../ui/back-closes.ts'
import { readSentCode, type SentCode, saveSentCode } from './sent-code.ts'

export type SignInStep =
  | { name: 'phone'; phone: string }
  | { name: 'code'; sent: SentCode }
  | { name: 'message'; login: MessageLogin }
  | { name: 'done'; isNew: boolean }

/** Sign-in by message: the word that the phone sends, the answer it gives, and the secret that identifies this page. */
export interface MessageLogin {
  phone: string
  secret: string
  text: string
  answer: string
  url: string
}

/** The one-time secret of the link that a new installation prints. A fragment is in no log and in no referrer. */
const claimIn = (hash: string) => /^#claim=([\w-]{16,40})$/.exec(hash)?.[1] ?? null

/** An account younger than this was created by this sign-in. */
const NEW_ACCOUNT_MS = 60_000
const isNew = ({ createdAt }: User) => Math.abs(Date.now() - Date.parse(createdAt)) < NEW_ACCOUNT_MS

/** Steps of the sign-in: phone, code, done. Actions throw a CallError if the server rejects. */
export function useSignIn() {
  const [step, setStep] = useState<SignInStep>({ name: 'phone', phone: '' })
  const [latest, setLatest] = useState<SentCode | null>(null)
  const [claim, setClaim] = useState<string | null>(null)
  const [recovery, setRecovery] = useState('')
  const queries = useQueryClient()
  const { sync } = useCartContext()
  const language = useLang()
  const claimed = claim === null ? {} : { claim }

  useEffect(() => {
    const found = claimIn(location.hash)
    setClaim(found)
    const stored = readSentCode()
    if (!stored) return
    setLatest(stored)
    setStep({ name: 'code', sent: stored })
  }, [])

  function enter(sent: SentCode) {
    saveSentCode(sent)
    setLatest(sent)
    setStep({ name: 'code', sent })
  }

  async function finish(user: User, method: 'code' | 'message' | 'passkey') {
    await saveLangOfSignIn(queries, user, language)
    saveSentCode(null)
    setStep({ name: 'done', isNew: isNew(user) })
    await signedIn(queries)
    track(isNew(user) ? 'sign_up' : 'login', { method })
  }

  return {
    step,
    /** Set if the page was opened by the link for the first super admin. */
    claim,
    dropClaim() {
      setClaim(null)
      history.replaceState(history.state, '', location.pathname + location.search)
    },

    /** Requests a code, unless the last one was requested a moment ago. */
    async askFor(phone: string, again = false) {
      if (!again && latest?.phone === phone && latest.resendAt > Date.now()) return enter(latest)
      const { resendAfter } = await call(verifyPhone, { body: { phone, language, ...claimed } })
      enter({ phone, resendAt: Date.now() + resendAfter * 1000 })
    },

    /** Opens the code step without a request, for a code that arrived although the limit is reached. */
    enterCodeFor: (phone: string, waitSeconds: number) => enter({ phone, resendAt: Date.now() + waitSeconds * 1000 }),

    /** Starts the sign-in by message. */
    async askForMessage(phone: string) {
      const { secret, text, answer, url } = await call(startMessageLogin, { body: { phone, language } })
      setStep({ name: 'message', login: { phone, secret, text, answer, url } })
    },

    /** Signs in after the phone has answered; until then returns whether the word has arrived. */
    async finishMessage({ secret }: MessageLogin): Promise<{ isAsked: boolean }> {
      await sync.flush()
      const { user, isAsked } = await call(finishMessageLogin, { body: { secret } })
      if (!user) return { isAsked }
      await finish(user, 'message')
      return { isAsked }
    },

    changeNumber(phone: string) {
      saveSentCode(null)
      setStep({ name: 'phone', phone })
    },

    /** The code of the console, typed where a passkey is lost. */
    recovery,
    setRecovery,

    async verify(phone: string, code: string) {
      // Flush the guest's cart before it moves to the account.
      await sync.flush()
      const recovered = recovery.trim() === '' ? {} : { recovery }
      const { user } = await call(verifyCode, { body: { phone, code, ...claimed, ...recovered } })
      await finish(user, 'code')
    },

    /** Rejects with an error of the browser if the person dismisses its dialog or has no passkey for the site. */
    async verifyPasskey() {
      const { options } = await call(startPasskeySignIn, {})
      const { startAuthentication } = await import('@simplewebauthn/browser')
      // The server's options, as WebAuthn defines them.
      const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
      const { id, rawId, response } = await startAuthentication({ optionsJSON })
      const { clientDataJSON, authenticatorData, signature, userHandle = null } = response
      const answer = { clientDataJSON, authenticatorData, signature, userHandle }
      await sync.flush()
      const credential = { id, rawId, type: 'public-key' as const, response: answer }
      const { user } = await call(finishPasskeySignIn, { body: { credential } })
      await finish(user, 'passkey')
    },
  }
}

export type SignIn = ReturnType<typeof useSignIn>

/** Back goes from a later step to the phone step. */
export function useBackToPhone(signIn: SignIn, phone: string) {
  const change = useEffectEvent(() => signIn.changeNumber(phone))
  useEffect(() => openLayer(() => change()), [])
}
