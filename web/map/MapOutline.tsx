import type { Coordinates } from '@qatra/contract/places/geo'
import { land, roads } from '@qatra/contract/places/places'
import { useMemo } from 'react'
import { pinPaths } from './pin.ts'
import { pathOf } from './projection.ts'

interface MapOutlineProps {
  centre: Coordinates
  zoom: number
  hasPin: boolean
}

/** Static drawing of the land, shown until the map loads or if it cannot load. */
export function MapOutline({ centre, zoom, hasPin }: MapOutlineProps) {
  const paths = useMemo(() => {
    const view = { centre, zoom }
    return {
      land: pathOf(land.coordinates.flat(), view, 'z'),
      roads: pathOf(
        roads.map(({ line }) => line),
        view,
      ),
    }
  }, [centre, zoom])
  return (
    <svg className="map absolute inset-0 size-full" aria-hidden="true">
      <svg x="50%" y="50%" overflow="visible">
        <path d={paths.land} className="map-shore" />
        <path d={paths.land} className="map-land" />
        <path d={paths.roads} className="map-kerb" />
        <path d={paths.roads} className="map-street" />
        {hasPin && (
          <>
            <ellipse cy={1} rx={9} ry={3} className="map-pin-shadow" />
            <path d={pinPaths.body} className="map-pin" />
            <path d={pinPaths.drop} className="map-pin-drop" />
          </>
        )}
      </svg>
    </svg>
  )
}
