import { maskPhoneOnScreen } from '@qatra/contract/lib/phone'
import { getLinkStatus } from '@qatra/contract/links/links'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Page } from '../app/page.ts'
import { linkSearch } from '../app/routes/search.ts'
import { useLeaveFor } from '../app/session/leave-for.ts'
import { read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { type MessageKey, useT } from '../lib/language/i18n.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { CheckIcon, LinkIcon, WarningIcon } from '../ui/icons.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { SignInFrame, SignInHead } from './SignInFrame.tsx'
import { spokenToken, useLink } from './use-link.ts'

const SUCCESS_MS = 2000

function MagicLinkPage() {
  const { token } = useParams({ strict: false })
  const wanted = linkSearch(useSearch({ strict: false }))
  const { state, spend, confirm } = useLink(token, wanted)
  const user = useUser()
  const isOthers = state.name === 'ready' && state.isOwn === false
  usePressWhenSeen(state.name === 'ready' && !isOthers, confirm)
  return (
    <SignInFrame>
      {state.name === 'looking' && <Checking />}
      {state.name === 'working' && <Working />}
      {state.name === 'ready' && isOthers && (
        <Switch own={user ? maskPhoneOnScreen(user.phone) : null} phone={state.phone} onSwitch={spend} />
      )}
      {state.name === 'ready' && !isOthers && <Ready phone={state.phone} onContinue={confirm} />}
      {state.name === 'failed' && <Failed code={state.code} onRetry={spend} canRetry={spokenToken(token) === null} />}
      {state.name === 'signed-in' && <Done target={state.target} />}
    </SignInFrame>
  )
}

/** Waits until the page is visible: link previews open pages without showing them. */
function usePressWhenSeen(isOn: boolean, press: () => void) {
  const pressed = useRef(false)
  useEffect(() => {
    if (!isOn) return
    const pressWhenVisible = () => {
      if (pressed.current || document.visibilityState !== 'visible' || !document.hasFocus()) return
      pressed.current = true
      press()
    }
    pressWhenVisible()
    document.addEventListener('visibilitychange', pressWhenVisible)
    window.addEventListener('focus', pressWhenVisible)
    return () => {
      document.removeEventListener('visibilitychange', pressWhenVisible)
      window.removeEventListener('focus', pressWhenVisible)
    }
  })
}

function Sign({ tone, icon: Icon }: { tone: 'aqua' | 'gulf' | 'clay'; icon: typeof CheckIcon }) {
  const toneClasses = {
    aqua: 'bg-aqua-soft text-aqua-ink',
    gulf: 'bg-gulf-soft text-gulf',
    clay: 'bg-clay-soft text-clay',
  }
  return (
    <span className={`grid size-14 place-items-center rounded-full ${toneClasses[tone]}`}>
      <Icon size={26} aria-hidden="true" />
    </span>
  )
}

const Masked = ({ phone }: { phone: string }) => (
  <bdi dir="ltr" className="font-strong text-ink">
    {phone}
  </bdi>
)

function Checking() {
  const t = useT()
  return (
    <div aria-busy="true" className="grid gap-4">
      <Skeleton className="size-14 rounded-full" />
      <SignInHead title={t('login.link.title')}>{t('login.link.checking')}</SignInHead>
      <Skeleton className="h-13 w-full rounded-m" />
    </div>
  )
}

function Working() {
  const t = useT()
  return (
    <div role="status" className="grid gap-4">
      <Sign tone="gulf" icon={LinkIcon} />
      <SignInHead title={t('login.link.title')}>{t('login.link.checking')}</SignInHead>
      <Button tone="aqua" size="big" busy>
        {t('login.checking')}
      </Button>
    </div>
  )
}

function Ready({ phone, onContinue }: { phone: string; onContinue(): void }) {
  const t = useT()
  return (
    <div className="grid gap-4">
      <Sign tone="gulf" icon={LinkIcon} />
      <SignInHead title={t('login.link.title')}>
        {t('login.link.as')} <Masked phone={phone} />
      </SignInHead>
      <Button tone="aqua" size="big" onClick={onContinue}>
        {t('login.link.continue')}
      </Button>
      <p className="text-label text-ink-3">{t('login.link.hint')}</p>
    </div>
  )
}

/** Asks before switching accounts: an address typed afterwards would belong to the other account. */
function Switch({ own, phone, onSwitch }: { own: string | null; phone: string; onSwitch(): void }) {
  const t = useT()
  const numbers = [[t('login.link.current'), own] as const, [t('login.link.other'), phone] as const]
  return (
    <div className="grid gap-4">
      <Sign tone="gulf" icon={LinkIcon} />
      <SignInHead title={t('login.link.switchTitle')}>{t('login.link.switchText')}</SignInHead>
      <dl className="grid gap-2 rounded-m bg-well px-4 py-3">
        {numbers.map(
          ([label, number]) =>
            number && (
              <div key={label} className="flex justify-between gap-4">
                <dt className="text-ink-2">{label}</dt>
                <dd>
                  <Masked phone={number} />
                </dd>
              </div>
            ),
        )}
      </dl>
      <div className="grid grid-cols-2 gap-2.5">
        <Link to="/" replace className={buttonClass('quiet', 'normal', 'px-2')}>
          {t('login.link.stay')}
        </Link>
        <Button tone="aqua" className="px-2" onClick={onSwitch}>
          {t('login.link.switch')}
        </Button>
      </div>
    </div>
  )
}

function Done({ target }: { target: string }) {
  const t = useT()
  useLeaveFor(target, SUCCESS_MS)
  return (
    <div role="status" className="grid gap-4">
      <Sign tone="aqua" icon={CheckIcon} />
      <SignInHead title={t('login.link.success')}>{t('login.takingYou')}</SignInHead>
    </div>
  )
}

const failures: Record<string, MessageKey> = {
  INVALID_LINK: 'login.link.INVALID_LINK',
  EXPIRED_LINK: 'login.link.EXPIRED_LINK',
  USED_LINK: 'login.link.USED_LINK',
  GENERAL_ERROR: 'login.link.GENERAL_ERROR',
}

function Failed({ code, canRetry, onRetry }: { code: string; canRetry: boolean; onRetry(): void }) {
  const t = useT()
  const mayTryAgain = canRetry && code === 'GENERAL_ERROR'
  return (
    <div className="grid gap-4">
      <Sign tone="clay" icon={WarningIcon} />
      <div role="alert">
        <SignInHead title={t('login.link.failedTitle')}>{t(failures[code] ?? 'login.link.failed')}</SignInHead>
      </div>
      <div className="grid gap-2.5">
        {mayTryAgain && (
          <Button tone="aqua" size="big" onClick={onRetry}>
            {t('login.link.retry')}
          </Button>
        )}
        <Link to="/login" className={buttonClass(mayTryAgain ? 'quiet' : 'aqua', 'big')}>
          {t('login.link.toLogin')}
        </Link>
        <Link to="/" className={buttonClass('quiet', 'big')}>
          {t('login.link.toHome')}
        </Link>
      </div>
    </div>
  )
}

export const page: Page = {
  Component: MagicLinkPage,
  async load({ queries, params: { token } }) {
    if (token === undefined || spokenToken(token) !== null) return
    // The page shows the error of a failed query.
    await queries.prefetchQuery(read(getLinkStatus, { params: { token } }))
  },
  head: ({ t }) => ({ title: t('shell.title.magicLink'), hidden: true }),
}
