import { useState } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { WhatsAppIcon } from '../ui/icons.tsx'
import type { SignIn } from './use-sign-in.ts'
import { signInError } from './words.ts'

interface ByMessageProps {
  phone: string
  /** The number gets no codes at all. */
  isProof?: boolean
  signIn: SignIn
  onFailed(words: string): void
}

/** Button that starts the sign-in by WhatsApp message for a phone that gets no code. */
export function ByMessage({ phone, isProof = false, signIn, onFailed }: ByMessageProps) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const requestCode = async () => {
    setBusy(true)
    try {
      await signIn.askForMessage(phone)
    } catch (failure) {
      onFailed(signInError(failure, t))
      setBusy(false)
    }
  }
  return (
    <Button
      tone="link"
      icon={WhatsAppIcon}
      busy={busy}
      className="justify-self-center"
      onClick={() => void requestCode()}
    >
      {t(isProof ? 'login.message.prove' : 'login.message.offer')}
    </Button>
  )
}
