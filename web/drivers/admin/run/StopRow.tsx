import { bahrainDate, formatDay, formatTime } from '@qatra/contract/calendar/calendar'
import type { RunStop } from '@qatra/contract/drivers'
import { formatAmount, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { changeFrom } from '@qatra/contract/orders/buyer'
import { isClosed } from '@qatra/contract/orders/order-status'
import { paymentMeans } from '@qatra/contract/orders/payments'
import { sumText } from '@qatra/contract/products/unit-text'
import { useInLang } from '../../../app/names.ts'
import { useToday } from '../../../delivery/use-today.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CheckIcon, CloseIcon } from '../../../ui/icons.tsx'

interface TriedAtProps {
  attempt: RunStop['attempts'][number]
  /** The day of a paper, which is often printed on the day before; otherwise today. */
  paperOf?: string
}

/** When and why a delivery failed: the time on the same day, the date of another one. */
export function TriedAt({ attempt, paperOf }: TriedAtProps) {
  const { t, lang } = useLanguage()
  // An unknown reason, from a newer server, is shown as "other".
  const today = useToday()
  const day = bahrainDate(new Date(attempt.at))
  const reason = reasons.find((known) => known === attempt.reason) ?? 'other'
  return (
    <>
      {day === (paperOf ?? today)
        ? t('run.tried', { time: formatTime(new Date(attempt.at), lang), reason: t(`admin.attempt.${reason}`) })
        : t('run.triedOn', { day: formatDay(day, lang, 'short'), reason: t(`admin.attempt.${reason}`) })}
      {attempt.notes && <bdi> · {attempt.notes}</bdi>}
    </>
  )
}
const reasons = ['absent', 'unreachable', 'wrong-address', 'refused', 'no-cash', 'closed', 'other'] as const

/** «Attempt 2» of an open stop that was tried before. */
export function AttemptNumber({ stop: { status, attempts } }: { stop: RunStop }) {
  const t = useT()
  if (isClosed(status) || attempts.length === 0) return null
  return <b className="whitespace-nowrap text-clay">{t('admin.attemptNumber', { number: attempts.length + 1 })}</b>
}

/** The means of a delivered stop; several are on a line of their own, with the sum of each. */
function PaidBy({ stop: { collectedMeans, due } }: { stop: RunStop }) {
  const t = useT()
  const used = paymentMeans.filter((means) => collectedMeans[means])
  const [only] = used
  if (used.length < 2) return <> · {t(only ? `admin.means.${only}` : due > 0 ? 'run.notPaid' : 'run.paid')}</>
  return (
    <span className="block">
      {used.map((means, i) => (
        <span key={means} className="whitespace-nowrap">
          {i > 0 && ' + '}
          {t(`admin.means.${means}`)} <bdi>{formatAmount(fromBhd(collectedMeans[means] ?? 0))}</bdi>
        </span>
      ))}
    </span>
  )
}

/** What a stop without an order is for, with the empties that are expected or came back. */
export function VisitOf({ visit }: { visit: NonNullable<RunStop['visit']> }) {
  const t = useT()
  const count = visit.returned ?? visit.bottles
  return (
    <b className="text-gulf">
      {' · '}
      {t(`run.visit.${visit.kind}`)}
      {count !== null && count > 0 && <> · {t('run.visitBottles', { count })}</>}
    </b>
  )
}

interface StopRowProps {
  stop: RunStop
  /** Not sent yet. */
  isWaiting?: boolean
}

/** A stop in the list: number, customer, address, amount. */
export function StopRow({ stop, isWaiting }: StopRowProps) {
  const words = useLanguage()
  const { t, lang } = words
  const inLang = useInLang()
  const isDone = stop.status === 'delivered'
  const isCancelled = stop.status === 'cancelled'
  const attempt = stop.attempts.at(-1)
  const where = [inLang(stop.areaName, stop.areaNameAr), stop.addressParts?.block].filter(Boolean).join(' ')
  return (
    <div className="grid min-h-15 grid-cols-[32px_minmax(0,1fr)_auto] items-center gap-x-3 py-1.5">
      <span
        className={classes(
          'grid size-8 place-items-center rounded-[10px] font-strong',
          isDone ? 'bg-done text-done-ink' : isCancelled ? 'bg-cancel text-cancel-ink' : 'bg-well',
        )}
      >
        {isDone ? (
          <CheckIcon size={18} aria-hidden="true" />
        ) : isCancelled ? (
          <CloseIcon size={18} aria-hidden="true" />
        ) : (
          stop.number
        )}
      </span>
      <span className="min-w-0">
        <span className={classes('block truncate text-body', (isDone || isCancelled) && 'text-ink-2')}>
          <bdi>{stop.customerName}</bdi>
        </span>
        <span className="block text-label text-ink-2">
          {isDone ? (
            <>
              {isWaiting || !stop.deliveredAt
                ? t('run.waitingToSend')
                : t(stop.visit ? 'run.visitDoneAt' : 'run.deliveredAt', {
                    time: formatTime(new Date(stop.deliveredAt), lang),
                  })}
              {stop.visit ? <VisitOf visit={stop.visit} /> : <PaidBy stop={stop} />}
            </>
          ) : isCancelled ? (
            t('run.cancelledStop')
          ) : attempt ? (
            <>
              <AttemptNumber stop={stop} /> · <TriedAt attempt={attempt} />
            </>
          ) : (
            <>
              {where}
              {stop.visit ? (
                <VisitOf visit={stop.visit} />
              ) : (
                <>
                  {' · '}
                  <bdi>{sumText(words, stop.items)}</bdi>
                </>
              )}
            </>
          )}
        </span>
      </span>
      <span className="flex items-center gap-2">
        {!isCancelled && !(stop.visit && stop.cashCollected === null) && (
          <Money
            bhd={isDone ? (stop.cashCollected ?? 0) : stop.cashToCollect}
            className={isDone ? 'text-ink-2' : undefined}
          />
        )}
      </span>
    </div>
  )
}

/** What the driver gives back from the notes that the customer announced. */
export function Change({ stop: { payingWith, cashToCollect } }: { stop: RunStop }) {
  const { t, lang } = useLanguage()
  const back = changeFrom(payingWith, cashToCollect)
  if (back === 0) return null
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  return (
    <span className="block text-label font-strong text-gulf">
      {t('run.change', { amount: money(back), notes: money(payingWith ?? 0) })}
    </span>
  )
}
