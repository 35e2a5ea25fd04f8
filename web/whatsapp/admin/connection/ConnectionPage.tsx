import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { type Connection, getConnection, resetConnection } from '@qatra/contract/whatsapp/connection/connection'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { signOut } from '../../../app/session/session.ts'
import { call, read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { useAction } from '../../../lib/use-action.ts'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { LoadFailed } from '../../../ui/admin/LoadFailed.tsx'
import { QrCode } from '../../../ui/admin/QrCode.tsx'
import { BoardShapes } from '../../../ui/admin/skeletons.tsx'
import { Phone } from '../../../ui/Bidi.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CheckIcon, ClockIcon, MinusIcon, WarningIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { SettingsTabs } from '../SettingsTabs.tsx'
import { AccountPart } from './AccountPart.tsx'
import { WhatsappSetup } from './WhatsappSetup.tsx'

const connectionQuery = () => read(getConnection)
/** Polling interval: a QR code is renewed within a minute, a stable connection changes rarely. */
const everyMs = ({ state, provider }: Partial<Connection> = {}) =>
  provider !== 'web' || state === 'connected' ? 30_000 : 3_000

function ConnectionPage() {
  const t = useT()
  const query = useQuery({ ...connectionQuery(), refetchInterval: ({ state }) => everyMs(state.data) })
  const { data } = query
  return (
    <AdminPageLayout title={t('connection.title')} head={<SettingsTabs current="connection" />}>
      <div className="grid max-w-240 content-start gap-8 px-4 py-6 md:px-6">
        {query.error && (
          <LoadFailed text={t(data ? 'connection.offline' : 'admin.failed')} onRetry={() => void query.refetch()} />
        )}
        {data ? <Known connection={data} /> : !query.error && <BoardShapes />}
      </div>
    </AdminPageLayout>
  )
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-heading">{title}</h2>
      {hint && <p className="text-ink-2">{hint}</p>}
      <div className="mt-3">{children}</div>
    </section>
  )
}

function Known({ connection }: { connection: Connection }) {
  const { t, lang } = useLanguage()
  const { provider, traffic, errors, uses } = connection
  return (
    <>
      <State connection={connection} />
      {provider !== 'web' && <WhatsappSetup />}
      {provider !== 'web' && <AccountPart />}
      <Part title={t('connection.uses')} hint={t('connection.uses.hint')}>
        <ul className="grid max-w-150 gap-2.5">
          {uses.map(({ use, channels, isOn }) => (
            <li key={use} className="flex items-start gap-2.5">
              {isOn ? (
                <CheckIcon size={18} aria-hidden="true" className="mt-0.5 flex-none text-aqua-ink" />
              ) : (
                <MinusIcon size={18} aria-hidden="true" className="mt-0.5 flex-none text-ink-3" />
              )}
              <span>
                <b className="font-strong">{t(`connection.use.${use}`)}</b>
                <span className="block text-ink-2">
                  {isOn
                    ? channels.map((channel) => t(`connection.channel.${channel}`)).join(t('connection.then'))
                    : t('connection.use.off', { provider: t(`connection.provider.${provider}`) })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t('connection.traffic')}>
        <dl className="grid max-w-150 grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
          {(['incoming', 'outgoing', 'waiting', 'failed'] as const).map((key) => (
            <div key={key}>
              <dt className="text-caption text-ink-3">{t(`connection.traffic.${key}`)}</dt>
              <dd className={classes('text-title', key === 'failed' && traffic.failed > 0 ? 'text-clay' : 'text-gulf')}>
                {traffic[key]}
              </dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title={t('connection.errors')} hint={t('connection.errors.hint')}>
        {errors.length === 0 ? (
          <p className="flex items-center gap-2 text-ink-2">
            <CheckIcon size={18} aria-hidden="true" className="text-aqua-ink" />
            {t('connection.errors.none')}
          </p>
        ) : (
          <ul className="grid">
            {errors.map(({ code, text, channel, count, lastAt }) => (
              <li
                key={`${channel} ${code}`}
                className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2 last:border-b-0"
              >
                <span className="min-w-0">
                  <bdi dir="ltr" className="font-strong">
                    {code || '—'}
                  </bdi>
                  <bdi dir="auto" className="block text-ink-2 wrap-break-word">
                    {text}
                  </bdi>
                </span>
                <span className="text-end">
                  {t('connection.errors.count', { count })}
                  <time dateTime={lastAt} className="block text-caption text-ink-3">
                    <bdi>{formatDateTime(new Date(lastAt), lang)}</bdi>
                  </time>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Part>
    </>
  )
}

const states = {
  connected: { icon: CheckIcon, className: 'bg-gulf-soft text-gulf' },
  simulated: { icon: MinusIcon, className: 'bg-well text-ink-2' },
  unheard: { icon: ClockIcon, className: 'bg-well text-ink-2' },
  loading: { icon: ClockIcon, className: 'bg-well text-ink-2' },
  qr: { icon: ClockIcon, className: 'bg-well text-ink-2' },
  qr_expired: { icon: WarningIcon, className: 'bg-clay-soft text-clay' },
  error: { icon: WarningIcon, className: 'bg-clay-soft text-clay' },
} as const

/** Errors of ours; others are Meta's words. */
const errors = ['NOT_RUNNING', 'NOT_CONFIGURED', 'META_SILENT', 'TOKEN_INVALID'] as const

function State({ connection }: { connection: Connection }) {
  const { t, lang } = useLanguage()
  const { state, provider, error, phone, connectedAt, heardAt, mayReset } = connection
  const { icon: StateIcon, className } = states[state]
  const known = errors.find((one) => one === error)
  const hint =
    state === 'loading' && provider === 'cloud'
      ? t('connection.state.loading.cloud')
      : t(`connection.state.${state}.hint`)
  const moment = (at: string) => formatDateTime(new Date(at), lang)
  return (
    <section className="grid items-start gap-x-10 gap-y-6 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 max-w-120">
        <p
          role="status"
          className={classes('inline-flex items-center gap-2 rounded-m px-3.5 py-2 text-body font-strong', className)}
        >
          <StateIcon size={20} aria-hidden="true" />
          {t(`connection.state.${state}`)}
        </p>
        <p className="mt-2 mb-3 text-ink-2">
          {known ? t(`connection.error.${known}`) : state === 'error' && error ? <bdi dir="auto">{error}</bdi> : hint}
        </p>
        <DescriptionList
          items={[
            [t('connection.provider'), t(`connection.provider.${provider}`)],
            [t('connection.phone'), phone && <Phone key="phone" phone={phone} />],
            [t('connection.since'), connectedAt && moment(connectedAt)],
            [t('connection.heard'), heardAt && moment(heardAt)],
          ]}
        />
        {mayReset && <Reset provider={provider} />}
      </div>
      <Code connection={connection} />
    </section>
  )
}

function Reset({ provider }: { provider: Connection['provider'] }) {
  const t = useT()
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const { busy, problem, run } = useAction(({ code }) =>
    t(code === 'OFFLINE' ? 'admin.form.error.OFFLINE' : 'connection.reset.failed'),
  )
  const reset = () =>
    run(async () => {
      queries.setQueryData(connectionQuery().queryKey, await call(resetConnection, {}))
      setAsked(false)
    })
  return (
    <div className="mt-4">
      <Button size="small" tone="danger" onClick={() => setAsked(true)}>
        {t('connection.reset')}
      </Button>
      <ConfirmDialog
        open={isAsked}
        title={t('connection.reset.title')}
        confirm={t('connection.reset')}
        tone="danger"
        busy={busy}
        error={problem}
        onConfirm={() => void reset()}
        onCancel={() => setAsked(false)}
      >
        {t(provider === 'web' ? 'connection.reset.text' : 'connection.reset.simulator')}
      </ConfirmDialog>
    </div>
  )
}

/** QR code with its remaining lifetime, or the reason why none is shown. */
function Code({ connection: { qr, qrExpiresAt, needsSignIn, now, state } }: { connection: Connection }) {
  const t = useT()
  const queries = useQueryClient()
  const left = useSecondsLeft(qrExpiresAt, now)
  if (state !== 'qr') return null
  if (needsSignIn) {
    return (
      <div className="max-w-80 rounded-l bg-well p-5">
        <p className="mb-3">{t('connection.qr.signIn')}</p>
        <Button
          size="small"
          tone="gulf"
          onClick={() => void signOut(queries).then(() => location.assign(`/login?redirect=${location.pathname}`))}
        >
          {t('connection.qr.signInAgain')}
        </Button>
      </div>
    )
  }
  if (!qr) return <Skeleton className="size-66" />
  return (
    <figure className="grid justify-items-center gap-2">
      <QrCode text={qr} label={t('connection.qr')} />
      <figcaption className="max-w-66 text-center">
        <span className="block">{t('connection.qr.how')}</span>
        <bdi className="text-ink-3">{t('connection.qr.left', { seconds: left })}</bdi>
      </figcaption>
    </figure>
  )
}

/** Seconds left by the server's clock: its last answer plus the time since. */
function useSecondsLeft(until: string | null, now: string): number {
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    const begun = performance.now()
    setPassed(0)
    const timer = setInterval(() => setPassed(performance.now() - begun), 1_000)
    return () => clearInterval(timer)
    // Each answer of the server restarts the count.
  }, [now, until])
  if (until === null) return 0
  return Math.max(0, Math.round((Date.parse(until) - Date.parse(now) - passed) / 1000))
}

export const page: Page = {
  Component: ConnectionPage,
  showsWaiting: true,
  load: ({ queries }) => queries.fetchQuery({ ...connectionQuery(), staleTime: 0 }).catch(() => undefined),
  head: ({ t }) => ({ title: t('connection.title'), hidden: true }),
}
