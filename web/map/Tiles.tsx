import { useEffect, useMemo, useRef } from 'react'
import { TileLayer } from 'react-leaflet'
import { ZOOM_MOST } from './limits.ts'

/** So many tiles missing, or so long without any, before the first one arrived: the server is not there. */
const FAILED_TILES = 3
const TILES_WITHIN_MS = 4000

/** Pictures of the map; where they do not come, our own drawing takes their place. */
export function Tiles({ url, onFailed }: { url: string; onFailed(): void }) {
  const standing = useRef({ hasLoaded: false, failed: 0 })
  const handlers = useMemo(
    () => ({
      tileload: () => {
        standing.current.hasLoaded = true
      },
      tileerror: () => {
        standing.current.failed += 1
        if (!standing.current.hasLoaded && standing.current.failed >= FAILED_TILES) onFailed()
      },
    }),
    [onFailed],
  )
  useEffect(() => {
    const timer = setTimeout(() => {
      if (!standing.current.hasLoaded) onFailed()
    }, TILES_WITHIN_MS)
    return () => clearTimeout(timer)
  }, [onFailed])
  return <TileLayer url={url} maxZoom={ZOOM_MOST} eventHandlers={handlers} />
}
