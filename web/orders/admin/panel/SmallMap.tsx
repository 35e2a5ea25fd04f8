import '../../../map/map.css'
import { nameIn } from '@qatra/contract/lib/lang'
import type { Order } from '@qatra/contract/orders/orders'
import { placeLabels } from '@qatra/contract/places/places'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { MapOutline } from '../../../map/MapOutline.tsx'
import { offsetFrom } from '../../../map/projection.ts'
import { EndIcon } from '../../../ui/icons.tsx'

const ZOOM = 13
const NEAR = { x: 165, y: 58 }
/** Closer place names would overlap the pin. */
const BELOW_PIN = 26

/** Static map of the delivery point with the places around it, linked to the person's map app. */
export function SmallMap({ order, className }: { order: Pick<Order, 'mapCoordinates'>; className?: string }) {
  const { t, lang } = useLanguage()
  const { lat, lng } = order.mapCoordinates
  if (lat === 0 && lng === 0) return null
  const near = placeLabels
    .map((place) => ({ place, at: offsetFrom(place.point, { centre: order.mapCoordinates, zoom: ZOOM }) }))
    .filter(({ at: [x, y] }) => Math.abs(x) < NEAR.x && Math.abs(y) < NEAR.y)
    .filter(({ at: [x, y] }) => Math.abs(x) > BELOW_PIN * 2 || y > BELOW_PIN || y < -BELOW_PIN * 2)
    .slice(0, 6)
  return (
    <a
      href={`https://www.google.com/maps/search/?api=1&query=${lat},${lng}`}
      target="_blank"
      rel="noreferrer"
      aria-label={t('desk.openMap')}
      title={t('desk.openMap')}
      className={`group relative block h-33 overflow-hidden rounded-m ${className ?? ''}`}
    >
      <MapOutline centre={order.mapCoordinates} zoom={ZOOM} hasPin />
      {near.map(({ place, at: [x, y] }) => (
        <span
          key={place.name}
          aria-hidden="true"
          className="map-place map-place-2 absolute"
          // Maps are never mirrored.
          style={{ left: `calc(50% + ${Math.round(x)}px)`, top: `calc(50% + ${Math.round(y)}px)` }}
        >
          <span>{nameIn(lang, place)}</span>
        </span>
      ))}
      <span className="absolute end-2 bottom-2 inline-flex h-7 items-center gap-1 rounded-s bg-surface px-2 text-caption opacity-0 shadow-float transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100">
        {t('desk.openMap')}
        <EndIcon size={14} aria-hidden="true" />
      </span>
    </a>
  )
}
