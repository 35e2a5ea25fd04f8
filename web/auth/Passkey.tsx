import { useState } from 'react'
import { CallError } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import type { SignIn } from './use-sign-in.ts'
import { signInError } from './words.ts'

/** Signs in with a passkey of this device, a phone or a key. */
export function PasskeyButton({ signIn }: { signIn: SignIn }) {
  const t = useT()
  const [{ busy, problem }, setState] = useState<{ busy: boolean; problem: string | null }>({
    busy: false,
    problem: null,
  })
  const start = async () => {
    setState({ busy: true, problem: null })
    try {
      await signIn.verifyPasskey()
    } catch (failure) {
      // The browser refuses in its own words, and says nothing of why: the dialog was closed, or there is no passkey.
      const problem = failure instanceof CallError ? signInError(failure, t) : t('login.passkey.none')
      setState({ busy: false, problem })
    }
  }
  return (
    <div className="grid gap-2">
      <Button tone="outline" size="big" busy={busy} onClick={() => void start()}>
        {t('login.passkey')}
      </Button>
      {problem && (
        <p role="alert" className="text-label text-clay">
          {problem}
        </p>
      )}
    </div>
  )
}

/** For a super admin whose code was right: the passkey, or the code of the console where it is lost. */
export function PasskeyRequired({ signIn }: { signIn: SignIn }) {
  const t = useT()
  const [isLost, setLost] = useState(false)
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <PasskeyButton signIn={signIn} />
      {isLost ? (
        <TextField
          ltr
          label={t('login.passkey.console')}
          hint={t('login.passkey.console.hint')}
          autoComplete="off"
          spellCheck={false}
          maxLength={19}
          value={signIn.recovery}
          onChange={({ target }) => signIn.setRecovery(target.value)}
        />
      ) : (
        <Button tone="link" className="justify-self-center" onClick={() => setLost(true)}>
          {t('login.passkey.lost')}
        </Button>
      )}
    </div>
  )
}
