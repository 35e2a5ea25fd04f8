import { nameIn } from '@qatra/contract/lib/lang'
import type { AreaGeometry, Coordinates, Position } from '@qatra/contract/places/geo'
import { land, type PlaceLabel, placeLabels, roads } from '@qatra/contract/places/places'
import { divIcon, svg } from 'leaflet'
import { useMemo, useState } from 'react'
import { useLang } from '../lib/language/i18n.tsx'
import { Marker, Pane, Polygon, Polyline, useMapEvents } from './layers.tsx'
import { PIN_HEIGHT, PIN_WIDTH } from './pin.ts'

/** Converts to Leaflet's order of latitude and longitude. */
export const latLngs = (line: readonly Position[]) => line.map(([lng, lat]): [number, number] => [lat, lng])

/** All rings of all parts. */
export const outlineOf = (geometry: AreaGeometry) =>
  (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).map((polygon) => polygon.map(latLngs))

const shape = land.coordinates.map((polygon) => polygon.map(latLngs))
const lines = roads.map(({ line }) => latLngs(line))

/** Zoom level from which the names of a rank are shown. */
const shownFrom: Readonly<Record<PlaceLabel['rank'], number>> = { 1: 0, 2: 12, 3: 14 }

interface DrawnBahrainProps {
  pin: Coordinates | null
  hasNames?: boolean
  /** Height in pixels of the controls at the top and the bottom, which would cover names. */
  controls?: number
}

/** Bahrain drawn from our own data, used without a tile server or if it fails. */
export function DrawnBahrain({ pin, hasNames = true, controls = 0 }: DrawnBahrainProps) {
  // Draw one screen beyond each edge, so that panning does not show empty space.
  const [ground] = useState(() => svg({ pane: 'land', padding: 1 }))
  const [above] = useState(() => svg({ pane: 'roads', padding: 1 }))
  return (
    <>
      <Pane name="land" zIndex={210}>
        <Polygon positions={shape} renderer={ground} interactive={false} className="map-shore" />
        <Polygon positions={shape} renderer={ground} interactive={false} className="map-land" />
      </Pane>
      <Pane name="roads" zIndex={230}>
        <Polyline positions={lines} renderer={above} interactive={false} className="map-kerb" />
        <Polyline positions={lines} renderer={above} interactive={false} className="map-street" />
      </Pane>
      {hasNames && <PlaceNames pin={pin} controls={controls} />}
    </>
  )
}

function PlaceNames({ pin, controls }: { pin: Coordinates | null; controls: number }) {
  const lang = useLang()
  const map = useMapEvents({
    zoomend: () => setZoom(map.getZoom()),
    moveend: () => setCentre(map.getCenter()),
  })
  const [zoom, setZoom] = useState(() => map.getZoom())
  const [centre, setCentre] = useState(() => map.getCenter())
  const names = useMemo(() => {
    const tip = pin && map.project([pin.lat, pin.lng], zoom)
    const taken: { x: number; y: number; half: number }[] = []
    return placeLabels
      .filter(({ rank }) => zoom >= shownFrom[rank])
      .flatMap(({ name, nameAr, rank, point: [lng, lat] }) => {
        const { x, y } = map.project([lat, lng], zoom)
        const text = nameIn(lang, { name, nameAr })
        const down = tip ? below({ x: x - tip.x, y: y - tip.y }) : 0
        const own = { x, y: y + down, half: (text.length * LETTER_PX) / 2 }
        // Of two names that would cover each other, the first is shown: the larger place.
        if (taken.some((other) => Math.abs(other.x - x) < other.half + own.half && Math.abs(other.y - own.y) < LINE_PX))
          return []
        taken.push(own)
        return [{ name, at: [lat, lng] as const, icon: iconOf(text, rank, down) }]
      })
  }, [lang, map, pin, zoom])
  const { y: height } = map.getSize()
  const middle = map.project(centre, zoom).y
  const isCovered = ([lat, lng]: readonly [number, number]) =>
    controls > 0 && height > 0 && Math.abs(map.project([lat, lng], zoom).y - middle) > height / 2 - controls
  return names
    .filter(({ at }) => !isCovered(at))
    .map(({ name, icon, at: [lat, lng] }) => (
      <Marker key={name} position={[lat, lng]} icon={icon} interactive={false} keyboard={false} alt="" />
    ))
}

/** Pixels to move a name down so that the pin does not cover it; `x` and `y` are relative to the pin's point. */
function below({ x, y }: { x: number; y: number }): number {
  const isHidden = Math.abs(x) < PIN_WIDTH && y > -PIN_HEIGHT && y < BESIDE_PX
  return isHidden ? BESIDE_PX - y : 0
}
const BESIDE_PX = 16
/** About the size of a name's letters, with the space that two names need between them. */
const LETTER_PX = 9
const LINE_PX = 20

function iconOf(name: string, rank: PlaceLabel['rank'], down: number) {
  const text = document.createElement('span')
  text.dir = 'auto'
  text.textContent = name
  return divIcon({ html: text, className: `map-place map-place-${rank}`, iconSize: [0, 0], iconAnchor: [0, -down] })
}
