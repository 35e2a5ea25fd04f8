import 'leaflet/dist/leaflet.css'
import '../map.css'
import './areas-map.css'
import type { AreaGeometry, Box, Coordinates, Position } from '@qatra/contract/places/geo'
import { divIcon, type Map as LeafletMap } from 'leaflet'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { DrawnBahrain, latLngs, outlineOf } from '../DrawnBahrain.tsx'
import { MapContainer, Marker, Pane, Polygon, Polyline, useMap, useMapEvents } from '../layers.tsx'
import { startCentre, ZOOM_LEAST, ZOOM_MOST, ZOOM_START } from '../limits.ts'
import { Tiles } from '../Tiles.tsx'

export interface MapArea {
  id: number
  label: string
  geometry: AreaGeometry
  /** `open`: its panel is beside the map. `faint`: outside the current filter. */
  /** `heat-1` to `heat-4`: larger values are darker. */
  tone: 'plain' | 'chosen' | 'open' | 'faint' | `heat-${1 | 2 | 3 | 4}`
  /** A number with a name, shown while there is room; it replaces the place names. */
  badge?: Badge | undefined
  /** The vendor's colour over the ground. */
  tint?: string | null | undefined
}

export interface AreasMapProps {
  areas: readonly MapArea[]
  tileUrl: string | null
  onTilesFailed(): void
  onReady(map: LeafletMap): void
  onPick?: ((id: number) => void) | undefined
  /** Lines that hatch a problem. */
  strokes?: readonly (readonly Position[])[] | undefined
  /** Each new box is brought into view. */
  view?: Box | null | undefined
  children?: ReactNode
}

/** Areas on the map, in a chunk loaded after the page. The list beside it is the keyboard alternative. */
export function AreasMap({ areas, tileUrl, onTilesFailed, onReady, onPick, strokes, view, children }: AreasMapProps) {
  const badges = useMemo(() => areas.flatMap(({ badge }) => badge ?? []), [areas])
  return (
    <MapContainer
      className="map areas-map"
      center={[startCentre.lat, startCentre.lng]}
      zoom={ZOOM_START}
      minZoom={ZOOM_LEAST - 7}
      maxZoom={ZOOM_MOST}
      zoomControl={false}
      attributionControl={false}
      doubleClickZoom={false}
      // Without zoom animation: leaving the page during one would make Leaflet fail on the removed map.
      zoomAnimation={false}
      zoomSnap={0.25}
    >
      {tileUrl ? (
        <Tiles url={tileUrl} onFailed={onTilesFailed} />
      ) : (
        <DrawnBahrain pin={null} hasNames={badges.length === 0} />
      )}
      <Pane name="areas" zIndex={220}>
        {areas.map((area) => (
          <AreaShape key={`${area.id} ${area.tone} ${area.tint ?? ''}`} area={area} onPick={onPick} />
        ))}
      </Pane>
      <Pane name="strokes" zIndex={240}>
        {strokes?.map((stroke, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strokes have no identity but their index.
          <Polyline key={at} positions={latLngs(stroke)} interactive={false} className="area-stroke" />
        ))}
      </Pane>
      <Badges badges={badges} />
      {children}
      <View view={view ?? null} onReady={onReady} />
    </MapContainer>
  )
}

function AreaShape({ area, onPick }: { area: MapArea; onPick: AreasMapProps['onPick'] }) {
  const positions = useMemo(() => outlineOf(area.geometry), [area.geometry])
  const { id, label, tone, tint } = area
  const handlers = useMemo(() => (onPick ? { click: () => onPick(id) } : {}), [id, onPick])
  return (
    <Polygon
      positions={positions}
      interactive={onPick !== undefined}
      className={tint ? 'area-tinted' : `area area-${tone}`}
      {...(tint ? { fillColor: tint, color: tint } : {})}
      label={label}
      eventHandlers={handlers}
    />
  )
}

function View({ view, onReady }: { view: Box | null; onReady(map: LeafletMap): void }) {
  const map = useMap()
  useEffect(() => onReady(map), [map, onReady])
  useEffect(() => {
    const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }))
    observer.observe(map.getContainer())
    return () => observer.disconnect()
  }, [map])
  useEffect(() => {
    if (!view) return
    const { west, south, east, north } = view
    const corners: [[number, number], [number, number]] = [
      [south, west],
      [north, east],
    ]
    map.fitBounds(corners, { padding: [28, 28], maxZoom: 14, animate: false })
  }, [map, view])
  return null
}

/** A number, its name and its position. */
interface Badge {
  text: string
  name: string
  at: Coordinates
}
/** Pixels that a number with its name needs. */
const ROOM = { x: 62, y: 40 }

/** Numbers on the map, first ones first; those that would overlap appear at a higher zoom. */
function Badges({ badges }: { badges: readonly Badge[] }) {
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
