import type { AreaGeometry, Position } from '@qatra/contract/places/geo'
import { isInRing, polygonsOf } from '@qatra/contract/places/outline'
import { divIcon, type LatLng } from 'leaflet'
import { useEffect, useMemo, useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { latLngs, outlineOf } from '../DrawnBahrain.tsx'
import { Marker, Polygon, Polyline, useMap, useMapEvents } from '../layers.tsx'

/** `shape` moves corners, `part` draws another part, `hole` cuts one out. */
export type EditMode = 'shape' | 'part' | 'hole'

export interface OutlineEditorProps {
  geometry: AreaGeometry | null
  mode: EditMode
  onChange(geometry: AreaGeometry | null): void
  /** Drawing a ring was completed or cancelled. */
  onDrawn(): void
}

const corner = divIcon({ className: 'area-corner', iconSize: [13, 13] })
const middle = divIcon({ className: 'area-middle', iconSize: [9, 9] })
/** Maximum number of handles; zooming in shows those in view. */
const MOST_HANDLES = 220

const positionOf = ({ lat, lng }: LatLng): Position => [Number(lng.toFixed(6)), Number(lat.toFixed(6))]
const geometryOf = (polygons: Position[][][]): AreaGeometry | null => {
  const [only] = polygons
  if (!only) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: only }
    : { type: 'MultiPolygon', coordinates: polygons }
}

/** Moves, adds and removes corners; new parts and holes are drawn corner by corner. */
export function OutlineEditor({ geometry, mode, onChange, onDrawn }: OutlineEditorProps) {
  return (
    <>
      {geometry && <Polygon positions={outlineOf(geometry)} interactive={false} className="area-draft" />}
      {mode === 'shape' && geometry && <Corners geometry={geometry} onChange={onChange} />}
      {mode !== 'shape' && <Pen geometry={geometry} mode={mode} onChange={onChange} onDrawn={onDrawn} />}
    </>
  )
}

function Corners({ geometry, onChange }: { geometry: AreaGeometry; onChange: OutlineEditorProps['onChange'] }) {
  const t = useT()
  const map = useMapEvents({ moveend: () => setBounds(map.getBounds()) })
  const [bounds, setBounds] = useState(() => map.getBounds())
  const polygons = polygonsOf(geometry)

  /** Replaces `count` corners of a ring by `points`; removes a ring of fewer than three corners. */
  function splice(part: number, ring: number, at: number, count: number, points: Position[]) {
    const next = polygons.flatMap((rings, p) => {
      const rest = rings.flatMap((one, r) => {
        if (p !== part || r !== ring) return [one]
        const open = one.slice(0, -1)
        open.splice(at, count, ...points)
        const [first] = open
        return open.length < 3 || !first ? [] : [[...open, first]]
      })
      const isOuterGone = p === part && ring === 0 && rest.length < rings.length
      return isOuterGone || rest.length === 0 ? [] : [rest]
    })
    onChange(geometryOf(next))
  }

  const handles = polygons.flatMap((rings, part) =>
    rings.flatMap((points, ring) =>
      points.slice(0, -1).flatMap((point, at) => {
        const [lng, lat] = point
        if (!bounds.contains([lat, lng])) return []
        const after = points[at + 1] ?? point
        return [
          {
            key: `${part}.${ring}.${at}`,
            part,
            ring,
            at,
            lat,
            lng,
            half: [(lng + after[0]) / 2, (lat + after[1]) / 2] as const,
          },
        ]
      }),
    ),
  )
  if (handles.length > MOST_HANDLES) return null
  return handles.map(({ key, part, ring, at, lat, lng, half }) => (
    <span key={key}>
      <Marker
        position={[half[1], half[0]]}
        icon={middle}
        keyboard={false}
        alt=""
        draggable
        eventHandlers={{
          dragend: ({ target }) => splice(part, ring, at + 1, 0, [positionOf(target.getLatLng())]),
          click: () => splice(part, ring, at + 1, 0, [[half[0], half[1]]]),
        }}
      />
      <Marker
        position={[lat, lng]}
        icon={corner}
        draggable
        alt={t('admin.areas.corner', { number: at + 1 })}
        eventHandlers={{
          dragend: ({ target }) => splice(part, ring, at, 1, [positionOf(target.getLatLng())]),
          contextmenu: () => splice(part, ring, at, 1, []),
          keydown: ({ originalEvent: event }) => {
            const step = event.shiftKey ? 0.0005 : 0.00005
            const moves: Record<string, [number, number]> = {
              ArrowUp: [0, step],
              ArrowDown: [0, -step],
              ArrowLeft: [-step, 0],
              ArrowRight: [step, 0],
            }
            const move = moves[event.key]
            if (move) {
              event.preventDefault()
              event.stopPropagation()
              splice(part, ring, at, 1, [[Number((lng + move[0]).toFixed(6)), Number((lat + move[1]).toFixed(6))]])
            } else if (event.key === 'Delete' || event.key === 'Backspace') splice(part, ring, at, 1, [])
          },
        }}
      />
    </span>
  ))
}

function Pen({ geometry, mode, onChange, onDrawn }: OutlineEditorProps) {
  const [points, setPoints] = useState<Position[]>([])
  const map = useMap()
  useMapEvents({
    click: ({ latlng }) => setPoints((before) => [...before, positionOf(latlng)]),
    dblclick: () => finish(points),
  })

  function finish(drawn: readonly Position[]) {
    const open = drawn.filter((one, i) => i === 0 || one[0] !== drawn[i - 1]?.[0] || one[1] !== drawn[i - 1]?.[1])
    const [first] = open
    if (open.length < 3 || !first) return
    const ring: Position[] = [...open, first]
    const polygons = geometry ? polygonsOf(geometry) : []
    const [part, ...others] = polygons
    if (mode === 'hole' && part) {
      const owner = polygons.findIndex((rings) => isInRing(first, rings[0] ?? []))
      onChange(geometryOf(polygons.map((rings, i) => (i === Math.max(owner, 0) ? [...rings, ring] : rings))))
    } else onChange(geometryOf(part ? [part, ...others, [ring]] : [[ring]]))
    setPoints([])
    onDrawn()
  }

  useEffect(() => {
    const container = map.getContainer()
    container.classList.add('is-drawing')
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Enter') finish(points)
      else if (event.key === 'Backspace') setPoints((before) => before.slice(0, -1))
      else if (event.key === 'Escape') onDrawn()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      container.classList.remove('is-drawing')
      document.removeEventListener('keydown', onKey)
    }
  })

  const line = useMemo(() => latLngs(points), [points])
  return (
    <>
      <Polyline positions={line} interactive={false} className="area-line" />
      {points.map(([lng, lat], at) => (
        <Marker
          key={`${lng} ${lat} ${at}`}
          position={[lat, lng]}
          icon={at === 0 ? corner : middle}
          keyboard={false}
          alt=""
          eventHandlers={at === 0 ? { click: () => finish(points) } : {}}
        />
      ))}
    </>
  )
}
