import { bahrainDate, formatTime } from '@qatra/contract/calendar/calendar'
import { type BoardDay, type BoardStop, silentMinutes } from '@qatra/contract/driver-board'
import { untriedFirst } from '@qatra/contract/drivers'
import { isClosed } from '@qatra/contract/orders/order-status'
import { useInLang } from '../../app/names.ts'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { CloudOffIcon } from '../../ui/admin/icons.ts'
import { ShareBar } from '../../ui/admin/ShareBar.tsx'
import { classes } from '../../ui/class-names.ts'

export type StopState = 'delivered' | 'next' | 'failed' | 'waiting'
export interface ShownStop extends BoardStop {
  number: number
  state: StopState
}

export const nameOf = ({ driver }: Pick<BoardDay, 'driver'>) => driver.name ?? driver.phone

/** The run with what each stop is now; the next one is the driver's. */
export function stopsOf({ run }: Pick<BoardDay, 'run'>): ShownStop[] {
  const isTried = ({ status, at }: BoardStop) => !isClosed(status) && at !== null
  const next = nextOf(run)
  return run.map((stop, at) => ({
    ...stop,
    number: at + 1,
    state:
      stop.status === 'delivered' ? 'delivered' : isTried(stop) ? 'failed' : stop.id === next?.id ? 'next' : 'waiting',
  }))
}

const nextOf = (run: readonly BoardStop[]) =>
  untriedFirst(
    run.filter(({ status }) => !isClosed(status)),
    ({ at }) => at !== null,
  )[0]

/** The stop of the last delivery or attempt. */
export const lastStopOf = (stops: readonly ShownStop[]): ShownStop | undefined =>
  stops.reduce<ShownStop | undefined>((last, stop) => (stop.at && stop.at > (last?.at ?? '') ? stop : last), undefined)

export interface Moment {
  date: string
  today: string
  now: string
}

/** Minutes without a call of the driver's phone on this day; only today's can be silent. */
export const silenceOf = (row: BoardDay, { date, today, now }: Moment) =>
  date === today ? silentMinutes(row, new Date(now)) : null

export function usePlace() {
  const inLang = useInLang()
  return ({ areaName, areaNameAr, block }: BoardStop) => [inLang(areaName, areaNameAr), block].filter(Boolean).join(' ')
}

const looks: Readonly<Record<StopState, string>> = {
  delivered: 'series-now',
  next: 'series-present',
  failed: 'fill-clay-soft stroke-clay stroke-4',
  waiting: 'fill-well-2 forced-colors:stroke-[GrayText]',
}
export const stopStates: readonly StopState[] = ['delivered', 'next', 'failed', 'waiting']

/** A bar of the look of a state: of a stop, and in the legend. */
export const StateBar = ({ state, className }: { state: StopState; className: string }) => (
  <svg aria-hidden="true" className={classes('h-2.5', className)}>
    <rect width="100%" height="100%" rx="3" className={looks[state]} />
  </svg>
)

/** One segment for each stop, in driving order; read as numbers. */
export function Segments({ stops }: { stops: readonly ShownStop[] }) {
  const t = useT()
  const label = stopStates
    .map((state) => ({ state, count: stops.filter((stop) => stop.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => t(`drivers.segments.${state}`, { count }))
    .join(t('drivers.and'))
  return (
    <span role="img" aria-label={label} className="flex w-full gap-0.75">
      {stops.map(({ id, state }) => (
        <StateBar key={id} state={state} className="w-0 min-w-0.5 flex-1" />
      ))}
    </span>
  )
}

interface LastActProps {
  row: BoardDay
  moment: Moment
}

/** Time of the last act and what it says of the run: not begun, done, or a phone that is silent. */
export function LastAct({ row, moment }: LastActProps) {
  const { t, lang } = useLanguage()
  const silent = silenceOf(row, moment)
  if (silent !== null)
    return (
      <span className="flex items-center gap-1.5 text-clay">
        <CloudOffIcon size={14} aria-hidden="true" className="flex-none" />
        <span className="truncate">{t('drivers.silent', { ago: agoText(t, silent) })}</span>
      </span>
    )
  if (row.lastActAt === null)
    return <span className="text-ink-3">{row.run.length > 0 ? t('drivers.idle') : t('drivers.noStops')}</span>
  const at = new Date(row.lastActAt)
  if (row.run.every(({ status }) => isClosed(status)))
    return <span className="text-ink-2">{t('drivers.finished', { time: formatTime(at, lang) })}</span>
  const minutes = Math.floor((new Date(moment.now).getTime() - at.getTime()) / 60_000)
  return (
    <time dateTime={row.lastActAt} title={formatTime(at, lang)} className="text-ink-2">
      {moment.date === moment.today && bahrainDate(at) === moment.today
        ? t('drivers.ago', { ago: agoText(t, minutes) })
        : t('drivers.lastAct', { time: formatTime(at, lang) })}
    </time>
  )
}

function agoText(t: ReturnType<typeof useT>, minutes: number): string {
  return minutes < 60
    ? t('drivers.minutes', { minutes: Math.max(1, minutes) })
    : t('drivers.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** The next stop with its place; where a phone is silent, also where the last act was. */
export function NextStop({ row, stops, moment }: LastActProps & { stops: readonly ShownStop[] }) {
  const t = useT()
  const place = usePlace()
  const next = stops.find(({ id }) => id === nextOf(row.run)?.id)
  const last = lastStopOf(stops)
  if (!next)
    return stops.length === 0 ? (
      <span className="text-ink-3">{t('drivers.none')}</span>
    ) : (
      <>
        <span className="block truncate">{t('drivers.allDone')}</span>
        {row.cash.inHand > 0 && <span className="block truncate text-ink-2">{t('drivers.cashLeft')}</span>}
      </>
    )
  return (
    <>
      <bdi className="block truncate">{next.customerName}</bdi>
      {silenceOf(row, moment) !== null && last ? (
        <span className="block truncate text-clay">{t('drivers.lastSeen', { place: place(last) })}</span>
      ) : (
        <span className="block truncate text-ink-2">
          {[place(next), t('drivers.stopNumber', { number: next.number })].filter(Boolean).join(' · ')}
        </span>
      )}
    </>
  )
}

/** Units that are still to be delivered, of all units of the day. */
export function VanLoad({ stops }: { stops: readonly ShownStop[] }) {
  const t = useT()
  const sum = (of: readonly ShownStop[]) => of.reduce((units, stop) => units + stop.units, 0)
  const all = sum(stops)
  if (all === 0) return <span className="text-ink-3">{t('drivers.none')}</span>
  const left = sum(stops.filter(({ state }) => state !== 'delivered'))
  return (
    <>
      <span className="block">
        <bdi>
          <b className="font-strong">{left}</b>{' '}
          <span className="text-ink-2">{t('drivers.ofUnits', { count: all })}</span>
        </bdi>
      </span>
      <ShareBar parts={[{ share: left / all }]} className="mt-1" />
    </>
  )
}
