import { type AreaSummary, findAreaAt } from '@qatra/contract/places/areas'
import type { Coordinates } from '@qatra/contract/places/geo'
import { useQuery } from '@tanstack/react-query'
import { CallError, read } from '../lib/api-client.ts'

export type Coverage =
  | { state: 'idle' }
  | { state: 'checking' }
  | { state: 'delivers'; area: AreaSummary }
  | { state: 'refuses'; area: AreaSummary }
  | { state: 'outside' }
  | { state: 'error' }

/** The area of a point; its summary names the vendors that serve it. */
export function areaQuery({ lat, lng }: Coordinates) {
  return read(findAreaAt, { query: { lat: lat.toFixed(6), lng: lng.toFixed(6) } })
}

interface Answer {
  data: AreaSummary | undefined
  error: Error | null
  isFetching: boolean
}

export function coverageOf(
  hasPoint: boolean,
  vendorId: number | null,
  { data: area, error, isFetching }: Answer,
): Coverage {
  if (!hasPoint) return { state: 'idle' }
  if (area) return { state: vendorId !== null && area.vendorIds.includes(vendorId) ? 'delivers' : 'refuses', area }
  if (isFetching || !error) return { state: 'checking' }
  if (error instanceof CallError && error.code === 'AREA_NOT_FOUND') return { state: 'outside' }
  return { state: 'error' }
}

/** Whether the vendor delivers to the latest point; each point has its own query. */
export function useCoverage(point: Coordinates | null, vendorId: number | null) {
  const answer = useQuery({ ...areaQuery(point ?? { lat: 0, lng: 0 }), enabled: point !== null })
  return { coverage: coverageOf(point !== null, vendorId, answer), retry: () => void answer.refetch() }
}
