import { type Coordinates, formatCoordinates } from '@qatra/contract/geo'
import { reversePlace } from '@qatra/contract/geocode'
import { useQuery } from '@tanstack/react-query'
import { useLang } from '../app/i18n.tsx'
import { call } from '../lib/api-client.ts'

/** Address of a point in the page's language: null while it loads, the coordinates if none is found. */
export function useAddressOf(point: Coordinates | null): string | null {
  const lang = useLang()
  const at = point ?? { lat: 0, lng: 0 }
  const query = { lat: at.lat.toFixed(6), lng: at.lng.toFixed(6) }
  const { data, isError } = useQuery({
    queryKey: [reversePlace.path, { query }, lang],
    queryFn: ({ signal }) => call(reversePlace, { query }, { signal }),
    enabled: point !== null,
  })
  if (!point) return null
  if (isError || data?.length === 0) return formatCoordinates(point)
  return data?.[0]?.address ?? null
}
