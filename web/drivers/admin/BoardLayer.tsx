import './board-layer.css'
import type { Coordinates } from '@qatra/contract/places/geo'
import { divIcon } from 'leaflet'
import { useMemo } from 'react'
import { Marker, Pane, Polyline } from '../../map/layers.tsx'
import { classes } from '../../ui/class-names.ts'
import type { ShownStop, StopState } from './board.tsx'

export interface BoardLayerProps {
  drivers: readonly {
    id: number
    name: string
    initials: string
    stops: readonly ShownStop[]
    /** Where the last act was; null before the first. */
    at: Coordinates | null
    isSilent: boolean
  }[]
  open: number | undefined
  onOpen(driverId: number): void
}

const point = ({ lat, lng }: Coordinates): [number, number] => [lat, lng]

/** Dots of stops and marks of drivers, in the chunk of the map. */
export function BoardLayer({ drivers, open, onOpen }: BoardLayerProps) {
  const chosen = drivers.find(({ id }) => id === open)
  return (
    <>
      <Pane name="run" zIndex={560}>
        {chosen && chosen.stops.length > 1 && (
          <Polyline
            key={chosen.id}
            positions={chosen.stops.map(({ mapCoordinates }) => point(mapCoordinates))}
            interactive={false}
            className="board-line"
          />
        )}
      </Pane>
      {drivers.map((driver) => (
        <DriverStops
          key={driver.id}
          driver={driver}
          isFaint={chosen !== undefined && chosen !== driver}
          hasNumbers={chosen === driver}
          onOpen={onOpen}
        />
      ))}
    </>
  )
}

interface DriverStopsProps {
  driver: BoardLayerProps['drivers'][number]
  isFaint: boolean
  hasNumbers: boolean
  onOpen(driverId: number): void
}

function DriverStops({ driver, isFaint, hasNumbers, onOpen }: DriverStopsProps) {
  const { id, name, initials, stops, at, isSilent } = driver
  const handlers = useMemo(() => ({ click: () => onOpen(id) }), [id, onOpen])
  const icon = useMemo(() => driverIcon({ name, initials, isSilent, isFaint }), [name, initials, isSilent, isFaint])
  return (
    <>
      {stops.map((stop) => (
        <Marker
          key={`${stop.id} ${isFaint} ${hasNumbers}`}
          position={point(stop.mapCoordinates)}
          icon={stopIcon(stop.state, isFaint, hasNumbers ? stop.number : null)}
          eventHandlers={handlers}
          keyboard={false}
          alt=""
        />
      ))}
      {at && <Marker position={point(at)} icon={icon} eventHandlers={handlers} keyboard={false} alt="" />}
    </>
  )
}

const icons = new Map<string, ReturnType<typeof divIcon>>()

/** One object for equal looks, so that a marker that does not change is not drawn again. */
function stopIcon(state: StopState, isFaint: boolean, number: number | null) {
  const key = `${state} ${isFaint} ${number}`
  const known = icons.get(key)
  if (known) return known
  const size = number === null ? 12 : 20
  const icon = divIcon({
    html: number === null ? '' : String(number),
    className: classes('board-stop', `board-${state}`, isFaint && 'is-faint'),
    iconSize: [size, size],
  })
  icons.set(key, icon)
  return icon
}

function driverIcon({
  name,
  initials,
  isSilent,
  isFaint,
}: Record<'name' | 'initials', string> & Record<'isSilent' | 'isFaint', boolean>) {
  const box = document.createElement('span')
  box.title = name
  box.textContent = initials
  return divIcon({
    html: box,
    className: classes('board-driver', isSilent && 'is-silent', isFaint && 'is-faint'),
    iconSize: [28, 28],
    // Beside the stop of the last act, which stays in sight.
    iconAnchor: [14, 34],
  })
}
