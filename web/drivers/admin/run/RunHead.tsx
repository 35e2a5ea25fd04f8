import { formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import type { Run, RunStop } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { shortId } from '@qatra/contract/orders/order-id'
import { paymentMeans } from '@qatra/contract/orders/payments'
import { type MessageKey, useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CashIcon, ClockIcon, WarningIcon } from '../../../ui/icons.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { type StopAction, takenBy } from './run-actions.ts'
import type { RunState } from './use-run.ts'

/** Progress of the day and cash in hand. */
export function RunHead({ run }: { run: Run }) {
  const { t, lang } = useLanguage()
  const counted = run.stops.filter(({ status }) => status !== 'cancelled')
  const done = counted.filter(({ status }) => status === 'delivered').length
  const words = t('run.delivered', { done, all: counted.length })
  return (
    <header className="bg-gulf-deep px-4 pt-3.5 pb-4 text-on-deep">
      <div className="flex items-center justify-between gap-3">
        <h1 className="text-heading">
          {t('run.title', { day: formatDay(run.date, lang, 'long').split(/[\s،,]/)[0] ?? '' })}
        </h1>
        <span className="inline-flex items-center gap-2 text-heading font-strong">
          <CashIcon size={20} aria-hidden="true" />
          <Money bhd={run.cash.inHand} />
        </span>
      </div>
      <Progress
        value={counted.length === 0 ? 0 : done / counted.length}
        label={words}
        className="mt-3 bg-deep-track! [&>rect]:fill-[var(--bottle-deep)]"
      />
      <div className="mt-1.5 flex justify-between gap-3 text-label text-on-gulf-2">
        <span>{words}</span>
        <span>{t('run.cashInHand')}</span>
      </div>
      <OtherMeans of={run.otherMeans} />
    </header>
  )
}

/** Taken by other means than cash. */
function OtherMeans({ of: amounts }: { of: Run['otherMeans'] }) {
  const t = useT()
  const taken = paymentMeans.filter((means) => amounts[means])
  if (taken.length === 0) return null
  return (
    <p className="mt-1.5 border-t border-deep-line pt-1.5 text-label text-on-gulf-2">
      {t('run.otherMeans')}{' '}
      {taken.map((means, i) => (
        <span key={means} className="whitespace-nowrap">
          {i > 0 && ' · '}
          {t(`admin.means.${means}`)} <Money bhd={amounts[means] ?? 0} className="text-on-deep" />
        </span>
      ))}
    </p>
  )
}

/** State of the outbox. */
export function RunNews({ state }: { state: RunState }) {
  const { t, lang } = useLanguage()
  const { run, waiting, isCutOff, isSavedOffline, isSignedOut, isSending, outbox, actions, query } = state
  const count = waiting.length
  // Undoable actions are shown in the toast, so that the page does not shift.
  const showsWaiting = count > 0 && !isSignedOut && isCutOff
  const isOld = isCutOff && run !== undefined && query.data === undefined
  return (
    <div role="status" aria-live="polite">
      {isSignedOut ? (
        <Line icon="warning">
          {t('run.waiting', { count })} · {t('run.signedOut')}{' '}
          <a
            href={`/login?redirect=${encodeURIComponent('/admin/run')}`}
            className="font-strong text-aqua-ink underline"
          >
            {t('admin.retry')}
          </a>
        </Line>
      ) : (
        isCutOff && (
          <Line icon="warning">
            {t(isSavedOffline ? 'run.offlineKept' : 'run.offline')}
            {isOld && ` ${t('run.old', { time: formatDateTime(new Date(run.now), lang) })}`}
          </Line>
        )
      )}
      {showsWaiting && (
        <Line icon="clock">
          <span className="flex flex-wrap items-center justify-between gap-x-3">
            <span>
              <b>{t('run.waiting', { count })}</b> {t('run.waitingSaved')}
            </span>
            {!isSending && (
              <button
                type="button"
                className="min-h-tap font-strong text-aqua-ink"
                onClick={() => void outbox.flush({ isHurry: true })}
              >
                {t('run.sendNow')}
              </button>
            )}
          </span>
        </Line>
      )}
      {actions
        .filter(({ problem }) => problem)
        .map((action) =>
          action.kind === 'van' ? (
            <Refused key={action.key} isNote={false} onRead={() => outbox.dismiss(action.key)}>
              {t(vanProblem(action.problem?.code))}
            </Refused>
          ) : (
            <Problem key={action.key} action={action} state={state} />
          ),
        )}
    </div>
  )
}

function Line({ icon, children }: { icon: 'warning' | 'clock'; children: React.ReactNode }) {
  const LineIcon = icon === 'warning' ? WarningIcon : ClockIcon
  return (
    <div className="flex items-start gap-2.5 border-b border-line bg-gulf-soft px-4 py-2.5 text-[0.9375rem] text-ink">
      <LineIcon size={20} aria-hidden="true" className="mt-0.5 flex-none" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

interface ProblemProps {
  action: StopAction
  state: RunState
}

function Problem({ action, state: { run, outbox } }: ProblemProps) {
  const { t, lang } = useLanguage()
  const stop = run?.stops.find(({ id }) => id === action.orderId)
  const name = stop?.customerName ?? shortId(action.orderId)
  const money = action.kind === 'deliver' ? (action.amount ?? 0) : 0
  const amount = formatMoney(fromBhd(money), lang)
  const day = action.problem?.code === 'BOOKED_LATER' ? (action.problem.from ?? '') : null
  const words = {
    cancelled: t('run.problem.cancelled', { name, amount }),
    gone: t('run.problem.gone', { name }),
    closed: t('run.problem.closed', { name }),
    otherwise: t('run.problem.otherwise', { name, amount }),
    van: t('run.problem.van', { name, amount }),
    changed: t('run.problem.changed', { name, amount }),
    taken: t('run.problem.taken', { name, amount }),
    later: t('run.problem.later', {
      name,
      amount,
      day: day === null ? '' : formatDay(day, lang, 'long'),
      has: action.kind === 'deliver' && takenBy(action).some(({ means }) => means === 'cash') ? 'cash' : 'none',
    }),
    other: t('run.problem.other', { name }),
  }
  const kind = problemOf(action, stop)
  const isVisit = action.visitId !== undefined
  const visitWords =
    kind === 'later'
      ? t('run.problem.visitLater', { name, day: day === null ? '' : formatDay(day, lang, 'long') })
      : t('run.problem.visit', { name, amount: formatMoney(fromBhd(Math.abs(money)), lang) })
  // What is booked later is recorded, so it is no warning.
  return (
    <Refused isNote={kind === 'later'} onRead={() => outbox.dismiss(action.key)}>
      {isVisit ? visitWords : words[kind]}
    </Refused>
  )
}

interface RefusedProps {
  isNote: boolean
  onRead(): void
  children: React.ReactNode
}

function Refused({ isNote, onRead, children }: RefusedProps) {
  const t = useT()
  const ProblemIcon = isNote ? ClockIcon : WarningIcon
  return (
    <div
      role="alert"
      className={classes(
        'flex items-start gap-2.5 border-b border-line px-4 py-3 text-[0.9375rem]',
        isNote ? 'bg-gulf-soft text-ink' : 'bg-clay-soft text-clay',
      )}
    >
      <ProblemIcon size={20} aria-hidden="true" className="mt-0.5 flex-none" />
      <div className="min-w-0 flex-1">
        <p>{children}</p>
        <Button className="mt-2" onClick={onRead}>
          {t('run.understood')}
        </Button>
      </div>
    </div>
  )
}

const vanProblems: Readonly<Record<string, MessageKey>> = {
  CASH_DAY_CLOSED: 'run.vanClosed',
  MORE_THAN_VAN: 'run.vanLess',
  VAN_COUNTED: 'run.vanCounted',
}
const vanProblem = (code = '') => vanProblems[code] ?? 'run.vanFailed'

function problemOf(
  { kind, problem }: StopAction,
  stop?: RunStop,
): 'cancelled' | 'gone' | 'closed' | 'otherwise' | 'van' | 'changed' | 'taken' | 'later' | 'other' {
  if (problem?.status === 404) return 'gone'
  if (problem?.code === 'ILLEGAL_TRANSITION' && problem.from === 'cancelled') return 'cancelled'
  if (problem?.code === 'VERSION_CONFLICT' && stop?.status === 'cancelled') return 'cancelled'
  if (problem?.code === 'DELIVERED_OTHERWISE') return 'otherwise'
  if (problem?.code === 'MORE_THAN_VAN') return 'van'
  if (problem?.code === 'MORE_THAN_DUE') return 'taken'
  if (problem?.code === 'BOOKED_LATER') return 'later'
  if (problem?.code === 'VERSION_CONFLICT') return 'changed'
  return kind === 'attempt' && problem?.code === 'ORDER_CLOSED' ? 'closed' : 'other'
}
