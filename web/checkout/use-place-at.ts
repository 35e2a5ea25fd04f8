import { type Coordinates, formatCoordinates } from '@qatra/contract/places/geo'
import { reversePlace } from '@qatra/contract/places/geocode'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/api-client.ts'
import { useLang } from '../lib/language/i18n.tsx'

interface PlaceAt {
  /** In the page's language: null while it loads, the coordinates if none is found. */
  address: string | null
  /** The imported block that covers the point. */
  block: number | null
}

export function usePlaceAt(point: Coordinates | null): PlaceAt {
  const lang = useLang()
  const at = point ?? { lat: 0, lng: 0 }
  const query = { lat: at.lat.toFixed(6), lng: at.lng.toFixed(6) }
  const { data, isError } = useQuery({
    queryKey: [reversePlace.path, { query }, lang],
    queryFn: ({ signal }) => call(reversePlace, { query }, { signal }),
    enabled: point !== null,
  })
  if (!point) return { address: null, block: null }
  const [place] = data ?? []
  const isUnknown = isError || data?.length === 0
  return { address: isUnknown ? formatCoordinates(point) : (place?.address ?? null), block: place?.block ?? null }
}
