import { type Place, searchPlaces } from '@qatra/contract/places/geocode'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../lib/api-client.ts'
import { useDebounce } from '../lib/debounce.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { SEARCH_DELAY_MS, SEARCH_FROM } from './limits.ts'

const nothing: Place[] = []

/** Requests one second after the last letter; never shows the answer to an older text. */
export function useFoundPlaces(typed: string) {
  const { lang } = useLanguage()
  const wanted = typed.trim()
  const [sought, setSought] = useState('')
  const seekLater = useDebounce(setSought, SEARCH_DELAY_MS)
  useEffect(() => {
    if (wanted.length >= SEARCH_FROM) seekLater(wanted)
    return seekLater.cancel
  }, [wanted, seekLater])
  const isCurrent = wanted.length >= SEARCH_FROM && sought === wanted
  const { data, isError, refetch } = useQuery({
    // Names depend on the page's language.
    queryKey: [searchPlaces.path, { query: { q: sought } }, lang],
    queryFn: ({ signal }) => call(searchPlaces, { query: { q: sought } }, { signal }),
    enabled: isCurrent,
  })
  const places = isCurrent ? (data ?? nothing) : nothing
  const state = !isCurrent ? 'resting' : isError ? 'failed' : !data ? 'asking' : data.length ? 'found' : 'none'
  const askNow = () => {
    if (isCurrent && isError) void refetch()
    else if (wanted.length >= SEARCH_FROM) setSought(wanted)
  }
  return { places, state, askNow } as const
}
