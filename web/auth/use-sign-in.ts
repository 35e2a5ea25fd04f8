import { finishProof, startProof, type User, verifyCode, verifyPhone } from '@qatra/contract/auth'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { track } from '../analytics/events.ts'
import { call } from '../app/call.ts'
import { useLang } from '../app/i18n.tsx'
import { saveLangOfSignIn } from '../app/language.ts'
import { signedIn } from '../app/session.ts'
import { useCartContext } from '../cart/CartProvider.tsx'
import { readSentCode, type SentCode, saveSentCode } from './sent-code.ts'

export type SignInStep =
  | { name: 'phone'; phone: string }
  | { name: 'code'; sent: SentCode }
  | { name: 'message'; proof: Proof }
  | { name: 'done'; isNew: boolean }

/** A word that the phone writes to the shop, what it answers then, and the secret by which this page is meant. */
export interface Proof {
  phone: string
  secret: string
  text: string
  answer: string
  url: string
}

/** An account made a moment ago was made by this sign-in. */
const NEW_ACCOUNT_MS = 60_000
const isNew = ({ createdAt }: User) => Math.abs(Date.now() - Date.parse(createdAt)) < NEW_ACCOUNT_MS

/** Phone, then code, then signed in; each act throws a CallError where the server refuses. */
export function useSignIn() {
  const [step, setStep] = useState<SignInStep>({ name: 'phone', phone: '' })
  const [latest, setLatest] = useState<SentCode | null>(null)
  const queries = useQueryClient()
  const { sync } = useCartContext()
  const language = useLang()

  useEffect(() => {
    const kept = readSentCode()
    if (!kept) return
    setLatest(kept)
    setStep({ name: 'code', sent: kept })
  }, [])

  function enter(sent: SentCode) {
    saveSentCode(sent)
    setLatest(sent)
    setStep({ name: 'code', sent })
  }

  async function finish(user: User, method: 'code' | 'message') {
    await saveLangOfSignIn(queries, user, language)
    saveSentCode(null)
    setStep({ name: 'done', isNew: isNew(user) })
    await signedIn(queries)
    track(isNew(user) ? 'sign_up' : 'login', { method })
  }

  return {
    step,

    /** Asks for a code. The one asked for a moment ago is still good, so it is not asked for twice. */
    async askFor(phone: string, again = false) {
      if (!again && latest?.phone === phone && latest.resendAt > Date.now()) return enter(latest)
      const { resendAfter } = await call(verifyPhone, { body: { phone, language } })
      enter({ phone, resendAt: Date.now() + resendAfter * 1000 })
    },

    /** For somebody whose code came although no more may be sent now. */
    enterCodeFor: (phone: string, waitSeconds: number) => enter({ phone, resendAt: Date.now() + waitSeconds * 1000 }),

    /** For whoever gets no codes. */
    async askForMessage(phone: string) {
      const { secret, text, answer, url } = await call(startProof, { body: { phone, language } })
      setStep({ name: 'message', proof: { phone, secret, text, answer, url } })
    },

    /** Signs in once the phone has proven itself; before, it says whether the word has come. */
    async finishMessage({ secret }: Proof): Promise<{ isAsked: boolean }> {
      await sync.flush()
      const { user, isAsked } = await call(finishProof, { body: { secret } })
      if (!user) return { isAsked }
      await finish(user, 'message')
      return { isAsked }
    },

    changeNumber(phone: string) {
      saveSentCode(null)
      setStep({ name: 'phone', phone })
    },

    async verify(phone: string, code: string) {
      // The guest's cart moves to the account, so it has to be complete.
      await sync.flush()
      const { user } = await call(verifyCode, { body: { phone, code } })
      await finish(user, 'code')
    },
  }
}

export type SignIn = ReturnType<typeof useSignIn>
