import 'leaflet/dist/leaflet.css'
import { getArea } from '@qatra/contract/places/areas'
import { bahrainBox, type Coordinates, roundPoint } from '@qatra/contract/places/geo'
import { useQuery } from '@tanstack/react-query'
import { divIcon, type LatLng, type Map as LeafletMap } from 'leaflet'
import { useEffect, useState } from 'react'
import { read } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { DrawnBahrain, outlineOf } from './DrawnBahrain.tsx'
import { MapContainer, Marker, Pane, Polygon, useMap, useMapEvents } from './layers.tsx'
import { startCentre, ZOOM_LEAST, ZOOM_MOST, ZOOM_START } from './limits.ts'
import { type ArrowKey, MapKeys } from './MapKeys.tsx'
import { PIN_HEIGHT, PIN_WIDTH, pinAnchor, pinSvg } from './pin.ts'
import { Tiles } from './Tiles.tsx'

export interface PickerMapProps {
  point: Coordinates | null
  areaId: number | null
  tileUrl: string | null
  /** Zoom at which a chosen place is shown. */
  zoomChosen: number
  onPick(point: Coordinates): void
  onMove(point: Coordinates, key: ArrowKey | 'Enter'): void
  onReady(map: LeafletMap): void
  onTilesFailed(): void
}

/** The search above and the buttons below, with their distance from the edge. */
const CONTROLS_PX = 64

const pinIcon = divIcon({ html: pinSvg, className: '', iconSize: [PIN_WIDTH, PIN_HEIGHT], iconAnchor: pinAnchor })

/** Rounds to about one metre, the precision of a tap or GPS. */
export const pointOf = ({ lat, lng }: LatLng): Coordinates => roundPoint({ lat, lng }, 5)

const bounds: [[number, number], [number, number]] = [
  [bahrainBox.south - 0.2, bahrainBox.west - 0.3],
  [bahrainBox.north + 0.2, bahrainBox.east + 0.3],
]

/** The Leaflet map, in a chunk loaded after the page. */
export function PickerMap(props: PickerMapProps) {
  const { point, areaId, tileUrl, zoomChosen, onPick, onMove, onReady, onTilesFailed } = props
  const start = point ?? startCentre
  return (
    <MapContainer
      className="map"
      center={[start.lat, start.lng]}
      zoom={point ? zoomChosen : ZOOM_START}
      minZoom={ZOOM_LEAST}
      maxZoom={ZOOM_MOST}
      maxBounds={bounds}
      zoomControl={false}
      attributionControl={false}
      keyboard={false}
      // The wheel scrolls the page; buttons and pinch zoom the map.
      scrollWheelZoom={false}
    >
      {tileUrl ? <Tiles url={tileUrl} onFailed={onTilesFailed} /> : <DrawnBahrain pin={point} controls={CONTROLS_PX} />}
      {areaId !== null && <AreaOutline id={areaId} />}
      <Pin point={point} onPick={onPick} />
      <View point={point} zoomChosen={zoomChosen} onReady={onReady} />
      <MapKeys point={point} onMove={onMove} />
    </MapContainer>
  )
}

function AreaOutline({ id }: { id: number }) {
  const { data: area } = useQuery(read(getArea, { params: { id: String(id) } }))
  return (
    <Pane name="area" zIndex={220}>
      {area && <Polygon key={id} positions={outlineOf(area.geometry)} interactive={false} className="map-area" />}
    </Pane>
  )
}

function Pin({ point, onPick }: Pick<PickerMapProps, 'point' | 'onPick'>) {
  const t = useT()
  useMapEvents({ click: ({ latlng }) => onPick(pointOf(latlng)) })
  if (!point) return null
  return (
    <Marker
      position={[point.lat, point.lng]}
      icon={pinIcon}
      draggable
      keyboard={false}
      alt={t('map.pin')}
      eventHandlers={{ dragend: ({ target }) => onPick(pointOf(target.getLatLng())) }}
    />
  )
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Pans to a point chosen elsewhere, unless it is well in view: not below the search, the pin included. */
function View({ point, zoomChosen, onReady }: Pick<PickerMapProps, 'point' | 'zoomChosen' | 'onReady'>) {
  const map = useMap()
  const [shown, setShown] = useState(point)
  useEffect(() => onReady(map), [map, onReady])
  useEffect(
    () => () => {
      // Leaflet ends a zoom with a timer that outlives the map and then fails. Its private flag prevents that.
      const ending: LeafletMap & { _animatingZoom?: boolean } = map
      ending._animatingZoom = false
    },
    [map],
  )
  useEffect(() => {
    if (!point || point === shown) return
    setShown(point)
    const { lat, lng } = point
    const { y } = map.latLngToContainerPoint([lat, lng])
    const isInView = map.getBounds().pad(-0.15).contains([lat, lng]) && y > CONTROLS_PX + PIN_HEIGHT
    if (!isInView || map.getZoom() < zoomChosen)
      map.setView([lat, lng], Math.max(map.getZoom(), zoomChosen), { animate: !isStill() })
  }, [map, point, shown, zoomChosen])
  return null
}
