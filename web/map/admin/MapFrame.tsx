import '../map.css'
import { getSite } from '@qatra/contract/settings/site'
import { useQuery } from '@tanstack/react-query'
import type { Map as LeafletMap } from 'leaflet'
import { useCallback, useState } from 'react'
import { read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { useChunk } from '../../lib/use-chunk.ts'
import { classes } from '../../ui/class-names.ts'
import { MinusIcon, PlusIcon } from '../../ui/icons.tsx'
import { startCentre, ZOOM_START } from '../limits.ts'
import { MapOutline } from '../MapOutline.tsx'
import type { AreasMapProps } from './AreasMap.tsx'

type MapFrameProps = Omit<AreasMapProps, 'tileUrl' | 'onTilesFailed' | 'onReady'> & {
  label: string
  className?: string
}

const zoomButton = 'grid size-10 max-md:size-tap place-items-center hover:bg-well first:rounded-t-m last:rounded-b-m'

/** Frame of the map: a static drawing until the chunk is loaded, then tiles if configured. */
export function MapFrame({ label, className, ...rest }: MapFrameProps) {
  const t = useT()
  const Map = useChunk(loadAreasMap)
  const { data: site } = useQuery(read(getSite))
  const [hasTiles, setTiles] = useState(true)
  const [map, setMap] = useState<LeafletMap | null>(null)
  const failTiles = useCallback(() => setTiles(false), [])
  const tileUrl = hasTiles ? (site?.tileUrl ?? null) : null
  return (
    <section aria-label={label} className={classes('relative isolate overflow-clip', className)}>
      {/* The map is not mirrored in right-to-left pages. */}
      <div dir="ltr" className="absolute inset-0 z-0">
        {Map ? (
          <Map {...rest} tileUrl={tileUrl} onTilesFailed={failTiles} onReady={setMap} />
        ) : (
          <MapOutline centre={startCentre} zoom={ZOOM_START} hasPin={false} />
        )}
      </div>
      <div className="absolute end-3 bottom-3 z-1 grid rounded-m bg-surface text-gulf shadow-float">
        <button type="button" className={zoomButton} aria-label={t('admin.areas.zoomIn')} onClick={() => map?.zoomIn()}>
          <PlusIcon size={18} aria-hidden="true" />
        </button>
        <button
          type="button"
          className={`${zoomButton} border-t border-line`}
          aria-label={t('admin.areas.zoomOut')}
          onClick={() => map?.zoomOut()}
        >
          <MinusIcon size={18} aria-hidden="true" />
        </button>
      </div>
    </section>
  )
}

const loadAreasMap = () => import('./AreasMap.tsx').then((module) => module.AreasMap)
