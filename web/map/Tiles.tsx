import { useEffect, useMemo, useRef } from 'react'
import { TileLayer } from './layers.tsx'
import { ZOOM_MOST } from './limits.ts'

/** The tile server counts as unreachable after this many errors or this time before the first tile. */
const FAILED_TILES = 3
const TILES_WITHIN_MS = 4000

/** Tile layer; if the tiles fail, the caller falls back to our own drawing. */
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
