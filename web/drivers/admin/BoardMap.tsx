import { formatTime } from '@qatra/contract/calendar/calendar'
import type { BoardDay } from '@qatra/contract/driver-board'
import { type Box, isChosen } from '@qatra/contract/places/geo'
import { type ReactNode, useMemo } from 'react'
import { useLanguage, useT } from '../../lib/language/i18n.tsx'
import { useChunk } from '../../lib/use-chunk.ts'
import { MapFrame } from '../../map/admin/MapFrame.tsx'
import type { BoardLayerProps } from './BoardLayer.tsx'
import {
  LastAct,
  lastStopOf,
  type Moment,
  nameOf,
  type ShownStop,
  StateBar,
  silenceOf,
  stopStates,
  stopsOf,
  usePlace,
} from './board.tsx'

interface BoardMapProps {
  rows: readonly BoardDay[]
  moment: Moment
  initials: ReadonlyMap<number, string>
  /** The driver whose run is drawn as a line; the others are faint. */
  open?: number | undefined
  onOpen(driverId: number): void
  className?: string
}

const hasPlace = (stop: ShownStop) => isChosen(stop.mapCoordinates)

/** The stops of the day by state, and each driver where the last act was. The table beside it is the keyboard alternative. */
export function BoardMap({ rows, moment, initials, open, onOpen, className }: BoardMapProps) {
  const t = useT()
  const Layer = useChunk(loadLayer)
  const drivers = useMemo(
    () =>
      rows.map((row): BoardLayerProps['drivers'][number] => {
        const stops = stopsOf(row).filter(hasPlace)
        return {
          id: row.driver.id,
          name: nameOf(row),
          initials: initials.get(row.driver.id) ?? '',
          stops,
          at: lastStopOf(stops)?.mapCoordinates ?? null,
          isSilent: silenceOf(row, moment) !== null,
        }
      }),
    [rows, moment, initials],
  )
  const shown = drivers.find(({ id }) => id === open)
  const places = (shown ? [shown] : drivers).flatMap(({ stops }) => stops.map(({ mapCoordinates }) => mapCoordinates))
  // Live changes do not move the map under the hand: only another day or driver, or the first stops.
  const key = `${moment.date} ${shown?.id ?? ''} ${places.length > 0}`
  // oxlint-disable-next-line react/exhaustive-deps -- see above
  const view = useMemo(() => boxOf(places), [key])
  return (
    <div className={className}>
      <MapFrame label={t('drivers.map')} className="min-h-0 flex-1" areas={[]} view={view}>
        {Layer && <Layer drivers={drivers} open={open} onOpen={onOpen} />}
      </MapFrame>
      <ul className="flex flex-none flex-wrap gap-x-4 gap-y-1 px-5 py-2.5 text-caption text-ink-2">
        {stopStates.map((state) => (
          <li key={state} className="flex items-center gap-1.5">
            <StateBar state={state} className="w-4" />
            {t(`drivers.legend.${state}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

interface AttentionProps {
  rows: readonly BoardDay[]
  moment: Moment
  onOpen(driverId: number): void
}

/** Silent phones and failed stops, beside the table. */
export function Attention({ rows, moment, onOpen }: AttentionProps) {
  const { t, lang } = useLanguage()
  const place = usePlace()
  const silent = rows.filter((row) => silenceOf(row, moment) !== null)
  const failed = rows.flatMap((row) =>
    stopsOf(row).flatMap((stop) => (stop.state === 'failed' ? [{ row, stop, at: stop.at ?? '' }] : [])),
  )
  return (
    <section
      aria-label={t('drivers.attention')}
      className="min-h-0 flex-1 overflow-y-auto border-t border-line px-5 py-3.5"
    >
      <h2 className="mb-1 text-caption text-ink-3">{t('drivers.attention')}</h2>
      {silent.length + failed.length === 0 && <p className="text-ink-2">{t('drivers.calm')}</p>}
      <ul>
        {silent.map((row) => (
          <AttentionLine
            key={row.driver.id}
            onPress={() => onOpen(row.driver.id)}
            end={<LastAct row={row} moment={moment} />}
          >
            <bdi className="font-strong">{nameOf(row)}</bdi>
          </AttentionLine>
        ))}
        {failed
          .sort((a, b) => (a.at < b.at ? 1 : -1))
          .map(({ row, stop, at }) => (
            <AttentionLine
              key={stop.id}
              onPress={() => onOpen(row.driver.id)}
              end={<span className="text-clay">{t('drivers.failedAt', { time: formatTime(new Date(at), lang) })}</span>}
            >
              <bdi className="font-strong">{stop.customerName}</bdi>
              <span className="text-ink-2"> · {[place(stop), nameOf(row)].filter(Boolean).join(' · ')}</span>
            </AttentionLine>
          ))}
      </ul>
    </section>
  )
}

export function AttentionLine({ onPress, end, children }: { onPress(): void; end: ReactNode; children: ReactNode }) {
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        className="-mx-2 flex min-h-10 w-[calc(100%+1rem)] items-center justify-between gap-3 rounded-s px-2 text-start hover:bg-well"
        onClick={onPress}
      >
        <span className="min-w-0 truncate">{children}</span>
        <span className="flex-none text-caption">{end}</span>
      </button>
    </li>
  )
}

const loadLayer = () => import('./BoardLayer.tsx').then((module) => module.BoardLayer)

function boxOf(places: readonly { lat: number; lng: number }[]): Box | null {
  if (places.length === 0) return null
  const [lats, lngs] = [places.map(({ lat }) => lat), places.map(({ lng }) => lng)]
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) }
}
