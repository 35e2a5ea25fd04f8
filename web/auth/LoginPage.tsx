import { safeRedirect } from '@qatra/contract/links/redirect'
import { getSite } from '@qatra/contract/settings/site'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Page } from '../app/page.ts'
import { useLeaveFor } from '../app/session/leave-for.ts'
import { read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Phone } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { CodeStep } from './CodeStep.tsx'
import { MessageStep } from './MessageStep.tsx'
import { PasskeyButton } from './Passkey.tsx'
import { PhoneStep } from './PhoneStep.tsx'
import { SignInFrame, SignInHead } from './SignInFrame.tsx'
import { useSignIn } from './use-sign-in.ts'

const ALREADY_MS = 1500
const VERIFIED_MS = 500

function LoginPage() {
  const user = useUser()
  const signIn = useSignIn()
  const target = useTarget()
  const { step } = signIn
  return (
    <SignInFrame>
      {step.name === 'done' ? (
        <Verified isNew={step.isNew} target={target} />
      ) : user && !signIn.claim ? (
        <Already phone={user.phone} target={target} />
      ) : step.name === 'phone' ? (
        <>
          <PhoneStep key={step.phone} phone={step.phone} signIn={signIn} />
          {target.startsWith('/admin') && !signIn.claim && <PasskeyButton signIn={signIn} />}
        </>
      ) : step.name === 'message' ? (
        <MessageStep login={step.login} signIn={signIn} />
      ) : (
        <CodeStep key={step.sent.phone} sent={step.sent} signIn={signIn} />
      )}
    </SignInFrame>
  )
}

/** The page to open after the sign-in. */
function useTarget() {
  const { redirect } = useSearch({ from: '/login' })
  const { data: site } = useQuery(read(getSite))
  return safeRedirect(redirect, site?.origin ?? 'https://localhost', '/orders')
}

function Verified({ isNew, target }: { isNew: boolean; target: string }) {
  const t = useT()
  useLeaveFor(target, VERIFIED_MS)
  return <Signed title={t(isNew ? 'login.verifiedNew' : 'login.verified')} />
}

function Already({ phone, target }: { phone: string; target: string }) {
  const t = useT()
  const leave = useLeaveFor(target, ALREADY_MS)
  return (
    <>
      <Signed title={t('login.already')} phone={phone} />
      <Button tone="aqua" size="big" onClick={leave}>
        {t('login.continue')}
      </Button>
    </>
  )
}

function Signed({ title, phone }: { title: string; phone?: string }) {
  const t = useT()
  return (
    <div role="status" className="grid gap-4 pt-4">
      <span className="grid size-14 place-items-center rounded-full bg-aqua-soft text-aqua-ink">
        <CheckIcon size={28} aria-hidden="true" />
      </span>
      <SignInHead title={title}>
        {phone && <Phone phone={phone} className="block w-fit" />}
        {t('login.takingYou')}
      </SignInHead>
    </div>
  )
}

export const page: Page = {
  Component: LoginPage,
  head: ({ t }) => ({ title: t('shell.title.login'), hidden: true }),
}
