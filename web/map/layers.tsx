import {
  map as createMap,
  type Layer,
  type LeafletEventHandlerFnMap,
  type Map as LeafletMap,
  type MapOptions,
  marker,
  type PathOptions,
  polygon,
  polyline,
  tileLayer,
} from 'leaflet'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'

/** Leaflet's map and layers as components: each is made once, then follows its changed properties. */

type Point = readonly [lat: number, lng: number]
type Handlers = LeafletEventHandlerFnMap

const MapContext = createContext<LeafletMap | null>(null)
const PaneContext = createContext<string | null>(null)

export function useMap(): LeafletMap {
  const map = useContext(MapContext)
  if (!map) throw new Error('The layer is outside of a map')
  return map
}

export function useMapEvents(handlers: Handlers): LeafletMap {
  const map = useMap()
  useEffect(() => {
    map.on(handlers)
    return () => {
      map.off(handlers)
    }
  }, [map, handlers])
  return map
}

/** Later changes of the options have no effect. */
export function MapContainer({
  className,
  children,
  ...options
}: MapOptions & { className: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<LeafletMap | null>(null)
  const make = useEffectEvent((element: HTMLElement) => createMap(element, options))
  useEffect(() => {
    if (!box.current) return
    const made = make(box.current)
    setMap(made)
    return () => {
      made.remove()
    }
  }, [])
  return (
    <div ref={box} className={className}>
      {map && <MapContext value={map}>{children}</MapContext>}
    </div>
  )
}

/** A layer of the map's stack; paths inside are drawn in it. */
export function Pane({ name, zIndex, children }: { name: string; zIndex: number; children: ReactNode }) {
  const map = useMap()
  const [isMade, setMade] = useState(false)
  useEffect(() => {
    const pane = map.getPane(name) ?? map.createPane(name)
    pane.style.zIndex = String(zIndex)
    setMade(true)
  }, [map, name, zIndex])
  return isMade && <PaneContext value={name}>{children}</PaneContext>
}

/** Adds the layer to the map while the component is shown. Handlers are set before, so that they hear the first events. */
function useOnMap(layer: Layer, handlers: Handlers | undefined) {
  const map = useMap()
  useEffect(() => {
    if (!handlers) return
    layer.on(handlers)
    return () => {
      layer.off(handlers)
    }
  }, [layer, handlers])
  useEffect(() => {
    layer.addTo(map)
    return () => {
      layer.remove()
    }
  }, [layer, map])
}

/** The options of a path in the pane around it. */
function useInPane(options: PathOptions): PathOptions {
  const pane = useContext(PaneContext)
  return pane === null ? options : { pane, ...options }
}

/** Runs `update` for each value after the first. */
function useChanged<T>(value: T, update: (value: T) => unknown) {
  const latest = useRef(value)
  const run = useEffectEvent(update)
  useEffect(() => {
    if (latest.current === value) return
    latest.current = value
    run(value)
  }, [value])
}

interface PathProps extends PathOptions {
  eventHandlers?: Handlers | undefined
}

interface PolygonProps extends PathProps {
  /** Parts of rings. */
  positions: [number, number][][] | [number, number][][][]
  /** Shown beside the pointer. */
  label?: string
}

export function Polygon({ positions, label, eventHandlers, ...options }: PolygonProps) {
  const inPane = useInPane(options)
  const [layer] = useState(() => polygon(positions, inPane))
  useOnMap(layer, eventHandlers)
  useChanged(positions, (next) => layer.setLatLngs(next))
  useEffect(() => {
    if (label === undefined) return
    const text = document.createElement('span')
    text.textContent = label
    layer.bindTooltip(text, { sticky: true, className: 'area-name' })
    return () => {
      layer.unbindTooltip()
    }
  }, [layer, label])
  return null
}

export function Polyline({
  positions,
  eventHandlers,
  ...options
}: PathProps & { positions: [number, number][] | [number, number][][] }) {
  const inPane = useInPane(options)
  const [layer] = useState(() => polyline(positions, inPane))
  useOnMap(layer, eventHandlers)
  useChanged(positions, (next) => layer.setLatLngs(next))
  return null
}

type MarkerOptions = NonNullable<Parameters<typeof marker>[1]>
interface MarkerProps extends Pick<MarkerOptions, 'draggable' | 'keyboard' | 'interactive' | 'alt'> {
  position: Point
  icon: NonNullable<MarkerOptions['icon']>
  eventHandlers?: Handlers
}

export function Marker({ position: [lat, lng], icon, eventHandlers, ...options }: MarkerProps) {
  const [layer] = useState(() => marker([lat, lng], { ...options, icon }))
  useOnMap(layer, eventHandlers)
  useChanged(`${lat} ${lng}`, () => layer.setLatLng([lat, lng]))
  useChanged(icon, (next) => layer.setIcon(next))
  return null
}

export function TileLayer({ url, maxZoom, eventHandlers }: { url: string; maxZoom: number; eventHandlers: Handlers }) {
  const [layer] = useState(() => tileLayer(url, { maxZoom }))
  useOnMap(layer, eventHandlers)
  useChanged(url, (next) => layer.setUrl(next))
  return null
}
