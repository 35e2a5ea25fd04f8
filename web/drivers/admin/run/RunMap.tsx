import type { RunStop } from '@qatra/contract/drivers'
import { isChosen } from '@qatra/contract/places/geo'
import { useMemo } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { MapOutline } from '../../../map/MapOutline.tsx'
import { offsetFrom } from '../../../map/projection.ts'
import '../../../map/map.css'
import { classes } from '../../../ui/class-names.ts'

const WIDTH = 320
const HEIGHT = 260
const MARGIN = 28
const CLOSEST = 15
const FARTHEST = 8

/** Bounds that contain all stops. */
function viewOf(stops: readonly RunStop[]) {
  const lats = stops.map(({ mapCoordinates }) => mapCoordinates.lat)
  const lngs = stops.map(({ mapCoordinates }) => mapCoordinates.lng)
  const centre = {
    lat: (Math.min(...lats) + Math.max(...lats)) / 2,
    lng: (Math.min(...lngs) + Math.max(...lngs)) / 2,
  }
  for (let zoom = CLOSEST; zoom > FARTHEST; zoom -= 0.5) {
    const fits = stops.every(({ mapCoordinates: at }) => {
      const [x, y] = offsetFrom([at.lng, at.lat], { centre, zoom })
      return Math.abs(x) < WIDTH / 2 - MARGIN && Math.abs(y) < HEIGHT / 2 - MARGIN
    })
    if (fits) return { centre, zoom }
  }
  return { centre, zoom: FARTHEST }
}

/** Stops by number on the local outline; needs no tiles and so no network. */
export function RunMap({ stops: all, nextId }: { stops: readonly RunStop[]; nextId: string | null }) {
  const t = useT()
  // A done stop of an erased customer has no coordinates.
  const stops = useMemo(() => all.filter(({ mapCoordinates }) => isChosen(mapCoordinates)), [all])
  const view = useMemo(() => viewOf(stops), [stops])
  if (stops.length === 0) return null
  const pins = stops.map((stop) => {
    const { lat, lng } = stop.mapCoordinates
    return { stop, at: offsetFrom([lng, lat], view) }
  })
  return (
    <div
      role="img"
      aria-label={t('run.mapLabel')}
      className="relative overflow-hidden rounded-l"
      style={{ height: HEIGHT }}
    >
      <MapOutline centre={view.centre} zoom={view.zoom} hasPin={false} />
      <svg className="absolute inset-0 size-full" aria-hidden="true">
        <svg x="50%" y="50%" overflow="visible">
          <polyline
            points={pins.map(({ at: [x, y] }) => `${Math.round(x)},${Math.round(y)}`).join(' ')}
            className="fill-none stroke-gulf [stroke-dasharray:5_5]"
            strokeWidth={2}
          />
        </svg>
      </svg>
      {pins.map(({ stop, at: [x, y] }) => (
        <span
          key={stop.id}
          aria-hidden="true"
          className={classes(
            'absolute grid size-7 place-items-center rounded-full text-label font-strong shadow-float',
            stop.id === nextId
              ? 'z-1 bg-aqua text-on-aqua'
              : stop.status === 'delivered'
                ? 'bg-done text-done-ink'
                : 'bg-gulf text-on-gulf',
          )}
          // Maps are never mirrored.
          style={{
            left: `calc(50% + ${Math.round(x)}px)`,
            top: `calc(50% + ${Math.round(y)}px)`,
            translate: '-50% -50%',
          }}
        >
          {stop.number}
        </span>
      ))}
    </div>
  )
}
