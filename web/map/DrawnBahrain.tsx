import type { Position } from '@qatra/contract/geo'
import { nameIn } from '@qatra/contract/lang'
import { land, type PlaceLabel, placeLabels, roads } from '@qatra/contract/places'
import { divIcon, svg } from 'leaflet'
import { useMemo, useState } from 'react'
import { Marker, Pane, Polygon, Polyline, useMapEvents } from 'react-leaflet'
import { useLang } from '../app/i18n.tsx'

/** Leaflet's order. */
export const latLngs = (line: readonly Position[]) => line.map(([lng, lat]): [number, number] => [lat, lng])

const shape = land.coordinates.map((polygon) => polygon.map(latLngs))
const lines = roads.map(({ line }) => latLngs(line))

/** Zoom from which the names of a rank are shown. */
const shownFrom: Readonly<Record<PlaceLabel['rank'], number>> = { 1: 0, 2: 12, 3: 14 }

/** Bahrain from our own data: what there is without a tile server, or when it does not answer. */
export function DrawnBahrain() {
  // Drawn a screen beyond each edge, so that a finger does not pull emptiness into view.
  const [ground] = useState(() => svg({ pane: 'land', padding: 1 }))
  const [above] = useState(() => svg({ pane: 'roads', padding: 1 }))
  return (
    <>
      <Pane name="land" style={{ zIndex: 210 }}>
        <Polygon positions={shape} renderer={ground} interactive={false} className="map-shore" />
        <Polygon positions={shape} renderer={ground} interactive={false} className="map-land" />
      </Pane>
      <Pane name="roads" style={{ zIndex: 230 }}>
        <Polyline positions={lines} renderer={above} interactive={false} className="map-kerb" />
        <Polyline positions={lines} renderer={above} interactive={false} className="map-street" />
      </Pane>
      <PlaceNames />
    </>
  )
}

function PlaceNames() {
  const lang = useLang()
  const map = useMapEvents({ zoomend: () => setZoom(map.getZoom()) })
  const [zoom, setZoom] = useState(() => map.getZoom())
  const names = useMemo(
    () => placeLabels.map((label) => ({ ...label, icon: iconOf(nameIn(lang, label), label.rank) })),
    [lang],
  )
  return names
    .filter(({ rank }) => zoom >= shownFrom[rank])
    .map(({ name, icon, point: [lng, lat] }) => (
      <Marker key={name} position={[lat, lng]} icon={icon} interactive={false} keyboard={false} alt="" />
    ))
}

function iconOf(name: string, rank: PlaceLabel['rank']) {
  const text = document.createElement('span')
  text.dir = 'auto'
  text.textContent = name
  return divIcon({ html: text, className: `map-place map-place-${rank}`, iconSize: [0, 0] })
}
