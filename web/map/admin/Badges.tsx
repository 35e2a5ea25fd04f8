import type { Coordinates } from '@qatra/contract/places/geo'
import { divIcon } from 'leaflet'
import { useMemo, useState } from 'react'
import { Marker, useMapEvents } from '../layers.tsx'

/** A number, its name and its position. */
export interface Badge {
  text: string
  name: string
  at: Coordinates
}
/** Pixels that a number with its name needs. */
const ROOM = { x: 62, y: 40 }

/** Numbers on the map, first ones first; those that would overlap appear at a higher zoom. */
export function Badges({ badges }: { badges: readonly Badge[] }) {
  const map = useMapEvents({ zoomend: () => setZoom(map.getZoom()) })
  const [zoom, setZoom] = useState(() => map.getZoom())
  const shown = useMemo(() => {
    const placed: { badge: Badge; x: number; y: number }[] = []
    for (const badge of badges) {
      const { x, y } = map.project([badge.at.lat, badge.at.lng], zoom)
      const isFree = placed.every((other) => Math.abs(other.x - x) > ROOM.x || Math.abs(other.y - y) > ROOM.y)
      if (isFree) placed.push({ badge, x, y })
    }
    return placed.map(({ badge }) => ({ ...badge, icon: iconOf(badge) }))
  }, [badges, map, zoom])
  return shown.map(({ name, at, icon }) => (
    <Marker key={name} position={[at.lat, at.lng]} icon={icon} interactive={false} keyboard={false} alt="" />
  ))
}

function iconOf({ text, name }: Badge) {
  const box = document.createElement('span')
  const number = box.appendChild(document.createElement('b'))
  number.textContent = text
  const words = box.appendChild(document.createElement('span'))
  words.dir = 'auto'
  words.textContent = name
  return divIcon({ html: box, className: 'area-badge', iconSize: [0, 0] })
}
