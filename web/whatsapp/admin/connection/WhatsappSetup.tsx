import { formatDateTime } from '@qatra/contract/calendar/calendar'
import {
  checkWhatsapp,
  type WhatsappSetup as Setup,
  subscribeWhatsapp,
  type WhatsappStep,
} from '@qatra/contract/whatsapp/connection/setup'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { CopyButton } from '../../../ui/admin/CopyButton.tsx'
import { LoadFailed } from '../../../ui/admin/LoadFailed.tsx'
import { StateBadge } from '../../../ui/admin/StateBadge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { AgainIcon, CheckIcon, ClockIcon, MinusIcon, WarningIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { NeededTemplates } from '../templates/NeededTemplates.tsx'
import { WhatsappKeys } from './WhatsappKeys.tsx'
import { setupQuery, useSetupAction } from './use-setup-action.ts'

/** Submissions go one after the other, within seconds. */
const everyMs = (setup: Setup | null | undefined) =>
  setup?.templates.some(({ submission }) => submission === 'waiting') ? 2_000 : 30_000
/** Meta is asked when the page is opened, if the last answer is older. */
const FRESH_MS = 60_000

/** Steps of connecting the Cloud API, with Meta's answers and what to do next. */
export function WhatsappSetup() {
  const { t, lang } = useLanguage()
  const { data, error, refetch } = useQuery({ ...setupQuery(), refetchInterval: ({ state }) => everyMs(state.data) })
  const { busy, problem, run } = useSetupAction()
  const check = () => void run(() => call(checkWhatsapp, {}))
  useCheckOnce(data, check)
  if (data === undefined && error) {
    return <LoadFailed onRetry={() => void refetch()} />
  }
  if (data === undefined) return <Skeleton className="h-60" />
  if (data === null) return null
  const { steps, checkedAt, provider } = data
  return (
    <section aria-label={t('whatsappSetup.title')}>
      <h2 className="text-heading">{t('whatsappSetup.title')}</h2>
      <p className="text-ink-2">{t('whatsappSetup.hint')}</p>
      {provider === 'simulator' && (
        <p className="mt-3 max-w-170 rounded-m bg-well px-3.5 py-2.5">{t('whatsappSetup.simulator')}</p>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
        <span>
          {checkedAt
            ? t('whatsappSetup.checked', { time: formatDateTime(new Date(checkedAt), lang) })
            : t('whatsappSetup.neverChecked')}
        </span>
        <Button size="small" icon={AgainIcon} busy={busy} onClick={check}>
          {t(busy ? 'whatsappSetup.checking' : 'whatsappSetup.check')}
        </Button>
      </div>
      {problem && (
        <p role="alert" className="mt-2 text-clay">
          {problem}
        </p>
      )}
      {provider === 'cloud' && <WhatsappKeys keys={data.keys} />}
      <ol className="mt-3 grid max-w-200 grid-cols-1">
        {steps.map((step, at) => (
          <Step key={step.key} step={step} number={at + 1} setup={data} />
        ))}
      </ol>
    </section>
  )
}

function useCheckOnce(setup: Setup | null | undefined, check: () => void) {
  const isAsked = useRef(false)
  useEffect(() => {
    if (!setup || isAsked.current) return
    isAsked.current = true
    const age =
      setup.checkedAt === null ? Number.POSITIVE_INFINITY : Date.parse(setup.now) - Date.parse(setup.checkedAt)
    if (age > FRESH_MS) check()
  })
}

const badges = {
  done: { tone: 'gulf', icon: CheckIcon },
  waiting: { tone: 'quiet', icon: ClockIcon },
  todo: { tone: 'problem', icon: WarningIcon },
  unknown: { tone: 'quiet', icon: MinusIcon },
  simulated: { tone: 'quiet', icon: MinusIcon },
} as const

function Step({ step, number, setup }: { step: WhatsappStep; number: number; setup: Setup }) {
  const t = useT()
  const { key, state } = step
  const { tone, icon } = badges[state]
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 border-b border-line py-3 last:border-b-0">
      <span aria-hidden="true" className="text-ink-3">
        {number}
      </span>
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-3">
          <h3 className="font-strong">{t(`whatsappSetup.step.${key}`)}</h3>
          <StateBadge tone={tone} icon={icon}>
            {t(`whatsappSetup.state.${state}`)}
          </StateBadge>
        </div>
        <StepText step={step} heardAt={setup.webhook.heardAt} />
        {key === 'webhook' && <Webhook setup={setup} />}
        {key === 'templates' && <NeededTemplates setup={setup} />}
      </div>
    </li>
  )
}

function StepText({ step: { key, problem, detail, state }, heardAt }: { step: WhatsappStep; heardAt: string | null }) {
  const { t, lang } = useLanguage()
  const moment = (at: string) => formatDateTime(new Date(at), lang)
  if (problem === 'META_REFUSED') {
    return (
      <p className="text-clay">
        {t('whatsappSetup.problem.META_REFUSED')} <bdi dir="auto">{detail}</bdi>
      </p>
    )
  }
  const values = {
    detail: detail ?? '',
    count: Number(detail),
    time: problem === 'TOKEN_EXPIRES' && detail ? moment(detail) : '',
  }
  if (problem !== null)
    return <p className="wrap-anywhere text-ink-2">{t(`whatsappSetup.problem.${problem}`, values)}</p>
  if (key === 'heard' && heardAt)
    return <p className="text-ink-2">{t('whatsappSetup.heardAt', { time: moment(heardAt) })}</p>
  if (key === 'templates' && state === 'waiting')
    return <p className="text-ink-2">{t('whatsappSetup.inReview', values)}</p>
  return detail ? (
    <p className="text-ink-2">
      <bdi dir="auto">{detail}</bdi>
    </p>
  ) : null
}

/** What is entered at Meta, to copy, or to register by one press. */
function Webhook({ setup: { webhook, steps } }: { setup: Setup }) {
  const t = useT()
  const { busy, problem, run } = useSetupAction()
  const isRegistered = steps
    .filter(({ key }) => key === 'webhook' || key === 'fields' || key === 'subscription')
    .every(({ state }) => state === 'done' || state === 'simulated')
  return (
    <div className="mt-2 grid grid-cols-1 gap-2">
      <dl className="grid grid-cols-1 gap-1">
        <Copied label={t('whatsappSetup.address')} text={webhook.address} />
        {webhook.verifyToken && <Copied label={t('whatsappSetup.verifyToken')} text={webhook.verifyToken} />}
        <Copied label={t('whatsappSetup.fields')} text={webhook.fields.join(', ')} />
      </dl>
      <p className="text-ink-2">{t('whatsappSetup.fields.notRead')}</p>
      {!isRegistered && (
        <>
          <p className="text-ink-2">{t('whatsappSetup.copyHint')}</p>
          <p>
            <Button
              size="small"
              tone="gulf"
              busy={busy}
              onClick={() => void run(() => call(subscribeWhatsapp, {}), t('whatsappSetup.registered'))}
            >
              {t('whatsappSetup.register')}
            </Button>
          </p>
        </>
      )}
      {problem && (
        <p role="alert" className="text-clay">
          {problem}
        </p>
      )}
    </div>
  )
}

const Copied = ({ label, text }: { label: string; text: string }) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-2">
    <dt className="text-ink-3">{label}</dt>
    <dd className="flex min-w-0 items-center gap-1">
      <bdi dir="ltr" className="min-w-0 whitespace-normal wrap-anywhere">
        {text}
      </bdi>
      <CopyButton text={text} label={label} />
    </dd>
  </div>
)
