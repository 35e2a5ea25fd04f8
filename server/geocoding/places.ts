import { areas } from '../areas/bahrain/areas.ts'
import { landmarks } from './landmarks.ts'

export interface GazetteerPlace {
  name: string
  nameAr: string
  lat: number
  lng: number
  kind: 'area' | 'block' | 'landmark'
  /** The number of an imported block; null for other places. */
  block: number | null
}

/** Places of Bahrain that need no geocoder: areas, then landmarks. Blocks are imported (`server/blocks`). */
export const gazetteer: readonly GazetteerPlace[] = [
  ...areas.map(({ name, nameAr, centre }) => ({ name, nameAr, ...centre, kind: 'area' as const, block: null })),
  ...landmarks.map(({ name, nameAr, at: [lng, lat] }) => ({
    name,
    nameAr,
    lat,
    lng,
    kind: 'landmark' as const,
    block: null,
  })),
]
