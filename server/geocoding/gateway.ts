import { cut } from '@qatra/contract/lib/fit'
import { isInBahrainBox } from '@qatra/contract/places/geo'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import { fetchBounded } from '../lib/http-client.ts'
import type { Geocoder, Located, Searcher } from './geocoder.ts'
import type { Throttle } from './throttle.ts'

interface Settings {
  /** Folder of the geocoder's `search` and `reverse`, in Nominatim's shape. */
  url: string
  userAgent: string
  log: Pick<Logger, 'warn'>
  throttle: Throttle
  /** Waiting for the throttle and the response together. */
  timeoutMs?: number
}

const MOST_BYTES = 256 * 1024
const MOST_RESULTS = 5
const MOST_REMEMBERED = 2_000
const MOST_LETTERS = 300

const degrees = z.union([
  z.number(),
  z.pipe(z.string().check(z.regex(/^-?\d{1,3}(\.\d{1,20})?$/)), z.transform(Number)),
])
const found = z.object({ lat: degrees, lon: degrees, display_name: z.string() })

/** The only code that calls the configured geocoder. Never throws: failures are logged and return nothing. */
export function createGeocoder({ url, userAgent, log, throttle, timeoutMs = 3000 }: Settings): Geocoder {
  const remembered = createRecent<Promise<readonly Located[] | null>>(MOST_REMEMBERED)

  async function ask(ip: string, path: string, query: Record<string, string>): Promise<readonly Located[]> {
    const deadline = AbortSignal.timeout(timeoutMs)
    await throttle(ip, deadline)
    const address = new URL(path, url.endsWith('/') ? url : `${url}/`)
    address.search = new URLSearchParams({ format: 'jsonv2', ...query }).toString()
    const { status, bytes } = await fetchBounded(address, {
      headers: { 'user-agent': userAgent, accept: 'application/json' },
      signal: deadline,
      maxBytes: MOST_BYTES,
    })
    if (status !== 200) throw new Error(`The geocoder answered ${status}`)
    if (bytes === null) throw new Error('The geocoder answered more than it may')
    return placesIn(JSON.parse(bytes.toString()))
  }

  /** Shares the result of equal requests, also while one is pending. Failures are not stored. */
  async function once(
    { lang, ip }: Searcher,
    path: 'search' | 'reverse',
    query: Record<string, string>,
  ): Promise<readonly Located[]> {
    const whole = { ...query, 'accept-language': lang }
    const key = `${path} ${JSON.stringify(whole)}`
    const known = remembered.get(key)
    if (known) return (await known) ?? []
    const asked = ask(ip, path, whole).catch((error: unknown) => {
      // The query is a person's address and must not be logged.
      log.warn({ err: error instanceof Error ? error.message : String(error), path }, 'geocoder failed')
      remembered.delete(key)
      return null
    })
    remembered.set(key, asked)
    return (await asked) ?? []
  }

  return {
    search: (text, searcher) => once(searcher, 'search', { q: `${text}, Bahrain`, limit: String(MOST_RESULTS) }),
    async reverse({ lat, lng }, searcher) {
      const [place] = await once(searcher, 'reverse', { lat: lat.toFixed(4), lon: lng.toFixed(4) })
      return place ?? null
    },
  }
}

/** Valid places inside Bahrain; drops everything else. */
function placesIn(answer: unknown): Located[] {
  const entries: unknown[] = Array.isArray(answer) ? answer.slice(0, 50) : [answer]
  return entries
    .flatMap((entry) => {
      const { success, data } = found.safeParse(entry)
      if (!success) return []
      return [{ lat: data.lat, lng: data.lon, text: harmless(data.display_name) }]
    })
    .filter((place) => place.text !== '' && isInBahrainBox(place))
    .slice(0, MOST_RESULTS)
}

/** Removes control characters and bidi marks. */
const harmless = (text: string) =>
  cut(text, MOST_LETTERS)
    .toWellFormed()
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

export interface Recent<T> {
  get: (key: string) => T | undefined
  set: (key: string, value: T) => void
  delete: (key: string) => void
}

/** LRU cache: above `most` values it evicts the least recently used one. */
export function createRecent<T>(most: number): Recent<T> {
  const values = new Map<string, T>()
  return {
    get(key) {
      const value = values.get(key)
      if (value === undefined) return undefined
      // A Map iterates in insertion order.
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.size > most ? values.keys() : []
      if (oldest !== undefined) values.delete(oldest)
    },
    delete: (key) => void values.delete(key),
  }
}
