import './map.css'
import { type Coordinates, distanceInMetres, roundPoint } from '@qatra/contract/places/geo'
import { isApproximate, type PinSource } from '@qatra/contract/places/pin'
import { getSite } from '@qatra/contract/settings/site'
import { useQuery } from '@tanstack/react-query'
import type { Map as LeafletMap } from 'leaflet'
import { useCallback, useRef, useState } from 'react'
import { read } from '../lib/api-client.ts'
import { useDebounce } from '../lib/debounce.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useChunk } from '../lib/use-chunk.ts'
import { classes } from '../ui/class-names.ts'
import { LocateIcon, MinusIcon, PlusIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { startCentre, ZOOM_CHOSEN, ZOOM_CHOSEN_DRAWN, ZOOM_START } from './limits.ts'
import { locate } from './locate.ts'
import type { ArrowKey } from './MapKeys.tsx'
import { MapOutline } from './MapOutline.tsx'
import { PlaceSearch } from './PlaceSearch.tsx'

/** How the point was chosen. A search result can be an area's centre, which is less precise. */
export type ChosenBy = 'map' | 'search' | 'location'
export const pinSourceOf: Readonly<Record<ChosenBy, PinSource>> = { map: 'map', search: 'search', location: 'gps' }

interface MapPickerProps {
  point: Coordinates | null
  /** An approximate pin is drawn hollow, with a sentence below the map. */
  source: PinSource | null
  /** For the pin of a saved address: the person says that it is the door. */
  onConfirm?: (() => void) | undefined
  /** The area of the point, shown as an outline. */
  areaId: number | null
  /** With the block of a search result that is an imported block, and the accuracy in metres of the device's position. */
  onChoose(point: Coordinates, by: ChosenBy, details?: { block?: number | null; accuracy?: number }): void
}

/** Delay after the last key before the point is looked up. */
const KEYS_REST_MS = 500
const zoomButton = 'grid size-tap place-items-center hover:bg-well first:rounded-t-m last:rounded-b-m'

/** A map of 300 px with search, location and zoom. A static drawing shows until its chunk is loaded. */
export function MapPicker({ point, source, onConfirm, areaId, onChoose }: MapPickerProps) {
  const t = useT()
  const Map = useChunk(loadPickerMap)
  const { data: site } = useQuery(read(getSite))
  const [hasTiles, setTiles] = useState(true)
  const [map, setMap] = useState<LeafletMap | null>(null)
  const tileUrl = hasTiles ? (site?.tileUrl ?? null) : null
  const zoomChosen = tileUrl ? ZOOM_CHOSEN : ZOOM_CHOSEN_DRAWN
  const keys = useKeyMoves(point, onChoose)
  const failTiles = useCallback(() => setTiles(false), [])
  const shown = keys.point ?? point
  const isRough = point !== null && isApproximate(source)
  return (
    <div>
      <div className="relative isolate h-75 overflow-clip rounded-l">
        {/* The map is not mirrored in right-to-left pages. */}
        <div dir="ltr" className={classes('absolute inset-0 z-0', isRough && 'map-approximate')}>
          {Map ? (
            <Map
              point={shown}
              areaId={areaId}
              tileUrl={tileUrl}
              zoomChosen={zoomChosen}
              onPick={(at) => onChoose(at, 'map')}
              onMove={keys.move}
              onReady={setMap}
              onTilesFailed={failTiles}
            />
          ) : (
            <MapOutline centre={point ?? startCentre} zoom={point ? zoomChosen : ZOOM_START} hasPin={point !== null} />
          )}
        </div>
        <PlaceSearch
          onChoose={({ lat, lng, block, isExact }) => onChoose({ lat, lng }, isExact ? 'map' : 'search', { block })}
        />
        <LocateButton onFound={(at, accuracy) => onChoose(at, 'location', { accuracy })} />
        <div className="absolute end-3 bottom-3 z-1 grid rounded-m bg-surface text-gulf shadow-float">
          <button type="button" className={zoomButton} aria-label={t('map.zoomIn')} onClick={() => map?.zoomIn()}>
            <PlusIcon size={20} aria-hidden="true" />
          </button>
          <button
            type="button"
            className={`${zoomButton} border-t border-line`}
            aria-label={t('map.zoomOut')}
            onClick={() => map?.zoomOut()}
          >
            <MinusIcon size={20} aria-hidden="true" />
          </button>
        </div>
      </div>
      {tileUrl && (
        <p className="pt-1 text-end text-label text-ink-3" dir="ltr">
          <a href="https://www.openstreetmap.org/copyright" rel="noreferrer" target="_blank">
            {t('map.attribution')}
          </a>
        </p>
      )}
      <div
        role="status"
        className={isRough ? 'flex flex-wrap items-center gap-x-3 pt-1.5 text-label text-ink-2' : 'hidden'}
      >
        {isRough && (onConfirm ? t('map.isDoor') : t('map.approximate'))}
        {isRough && onConfirm && (
          <button
            type="button"
            onClick={onConfirm}
            className="min-h-tap font-strong text-aqua-ink underline underline-offset-3"
          >
            {t('map.isDoor.yes')}
          </button>
        )}
      </div>
      <p id="map-keys" className="sr-only">
        {t('map.keys')}
      </p>
      <p className="sr-only" aria-live="polite">
        {keys.announcement}
      </p>
    </div>
  )
}

const loadPickerMap = () => import('./PickerMap.tsx').then((module) => module.PickerMap)

/** Moves the pin with each key; the point is chosen when the keys rest. */
function useKeyMoves(point: Coordinates | null, onChoose: MapPickerProps['onChoose']) {
  const t = useT()
  const [draft, setDraft] = useState<Coordinates | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const way = useRef<{ key: ArrowKey; from: Coordinates } | null>(null)
  const chooseLater = useDebounce((to: Coordinates) => {
    setDraft(null)
    onChoose(to, 'map')
  }, KEYS_REST_MS)

  function move(to: Coordinates, key: ArrowKey | 'Enter') {
    const before = draft ?? point
    if (key === 'Enter' || !before) {
      way.current = null
      setAnnouncement(t('map.set'))
    } else {
      if (way.current?.key !== key) way.current = { key, from: before }
      setAnnouncement(t(`map.moved.${key}`, { metres: Math.round(distanceInMetres(way.current.from, to)) }))
    }
    setDraft(to)
    chooseLater(to)
  }
  return { point: draft, announcement, move }
}

/** "My location" button; an error appears as a toast and remains in the button's description. */
export function LocateButton({ onFound }: { onFound(point: Coordinates, accuracy: number): void }) {
  const t = useT()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function find() {
    setBusy(true)
    setProblem('')
    const found = await locate(navigator.geolocation)
    setBusy(false)
    if ('problem' in found) {
      const [title, text] = [t(`map.locate.${found.problem}`), t(`map.locate.${found.problem}.hint`)]
      setProblem(`${title}. ${text}`)
      toast({ title, text, tone: 'error', duration: 6000 })
      return
    }
    onFound(roundPoint(found.point, 5), found.accuracy)
    if (found.isRough) toast({ title: t('map.locate.rough'), text: t('map.locate.rough.hint'), tone: 'error' })
  }

  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      aria-describedby={problem ? 'map-locate-problem' : undefined}
      onClick={isBusy ? undefined : () => void find()}
      className="absolute start-3 bottom-3 z-1 flex h-tap items-center gap-2 rounded-m bg-surface px-3.5 text-[0.9375rem] font-strong text-aqua-ink shadow-float hover:bg-well"
    >
      <LocateIcon size={20} aria-hidden="true" />
      {isBusy ? t('map.locating') : t('map.locate')}
      {problem && (
        <span id="map-locate-problem" className="sr-only">
          {problem}
        </span>
      )}
    </button>
  )
}
