import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Lang } from '@qatra/contract/lib/lang'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../database/clock.ts'
import { mayBeSignedIn, type Visitor, visitorOf } from '../session-cookie.ts'
import { type Compression, compressionFor, compressions, WORTH_COMPRESSING } from './compression.ts'

/** Responses for many requests: for everybody, or for visitors without a session, by language and chosen area. */
export type Audience = 'everyone' | Lang | `${Lang} ${number}`

export const audienceOf = ({ lang, areaId }: Visitor): Audience => (areaId === null ? lang : `${lang} ${areaId}`)

export interface Answer {
  body: string | Buffer
  contentType: string
  cacheControl: string
  /** Further headers, such as a Content-Security-Policy. */
  headers?: Readonly<Record<string, string>>
  /** The body under brotli, if the build compressed it at a higher quality. */
  brotli?: Buffer
  /** When the response expires; otherwise when the reference data changes. */
  until?: Date
  /** Static files do not depend on the user: browsers with a session may store them. */
  isFile?: boolean
}

interface Variant {
  body: Buffer
  headers: readonly string[]
  /** Headers for a signed-in user, with no-store. */
  unstored: readonly string[]
}

/** A response as bytes, plain and compressed, with its headers. */
export interface Entry {
  etag: string
  until: number
  variants: Map<Compression | 'identity', Variant>
  unchanged: { headers: readonly string[]; unstored: readonly string[] }
}

interface Representation {
  status: 200 | 304
  /** Names and values alternate, as writeHead takes them. */
  headers: readonly string[]
  body: Buffer | null
}

export interface ResponseCache {
  /** Read before the response is created and passed to `set`, which rejects responses of older reference data. */
  epoch: () => number
  /** `url` is path and query exactly as in requests. */
  set: (epoch: number, url: string, audience: Audience, entry: Entry) => void
  get: (url: string, audience: Audience) => Entry | null
  /** The entry for this request, or null. */
  find: (request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) => Entry | null
  /** Clears the cache: the reference data changed. */
  clear: () => void
  /** Answers cached requests before routing and passes the others to the application. */
  before: (application: RequestListener) => RequestListener
  /** Number of requests answered before routing. */
  count: () => number
  /** Passes all requests to the application, so that it can close its connections. */
  stop: () => void
}

/**
 * Most bytes in the cache, counted as twice the plain body for its compressed forms. The home page of an area in a
 * language counts about 330 KB. The oldest entries are evicted.
 */
const CAPACITY_BYTES = 64_000_000
/** Counted for each entry in addition, for its headers. */
const ENTRY_BYTES = 4_000

export function createResponseCache(clock: Pick<Clock, 'now'>): ResponseCache {
  /** By URL and audience, oldest first. */
  const entries = new Map<string, Entry>()
  let bytes = 0
  let epoch = 1
  let count = 0
  let isOpen = true

  const current = (entry: Entry | undefined) => (entry && clock.now().getTime() < entry.until ? entry : null)

  function drop(key: string) {
    const entry = entries.get(key)
    if (!entry) return
    bytes -= sizeOf(entry)
    entries.delete(key)
  }

  function find({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Entry | null {
    if (method !== 'GET' || url === undefined || headers.authorization !== undefined) return null
    const visitor = visitorOf(headers)
    const own = visitor && entries.get(keyOf(url, audienceOf(visitor)))
    return current(own ?? entries.get(keyOf(url, 'everyone')))
  }

  return {
    epoch: () => epoch,
    set(madeIn, url, audience, entry) {
      if (madeIn !== epoch) return
      const key = keyOf(url, audience)
      drop(key)
      entries.set(key, entry)
      bytes += sizeOf(entry)
      for (const oldest of entries.keys()) {
        if (bytes <= CAPACITY_BYTES) break
        drop(oldest)
      }
    },
    get: (url, audience) => current(entries.get(keyOf(url, audience))),
    find,
    clear() {
      epoch += 1
      bytes = 0
      entries.clear()
    },
    before: (application) => (request, response) => {
      const entry = isOpen ? find(request) : null
      if (!entry) return application(request, response)
      count += 1
      write(response, negotiate(entry, request.headers))
    },
    count: () => count,
    stop() {
      isOpen = false
    },
  }
}

/** A URL has no spaces. */
const keyOf = (url: string, audience: Audience) => `${url} ${audience}`

/** The same at any time, although the compressed variants arrive later. */
const sizeOf = ({ variants }: Entry) => ENTRY_BYTES + 2 * (variants.get('identity')?.body.length ?? 0)

function write(response: ServerResponse, { status, headers, body }: Representation) {
  // writeHead takes a flat array, which its types declare for other headers only.
  response.writeHead(status, headers as string[])
  response.end(body)
}

/**
 * Creates an entry; compression runs in other threads, and until it is done the plain body is served. A response that
 * is sent once is not compressed.
 */
export function createEntry(answer: Answer, { compress } = { compress: true }): Entry {
  const { body, contentType, cacheControl, headers = {}, brotli, until, isFile = false } = answer
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const isCompressed = compress && plain.length >= WORTH_COMPRESSING
  const varies = [...(isCompressed ? ['Accept-Encoding'] : []), ...(isFile ? [] : ['Cookie'])]
  const common = (caching: string) => [
    ...Object.entries(headers).flat(),
    'cache-control',
    caching,
    'etag',
    etag,
    ...(varies.length > 0 ? ['vary', varies.join(', ')] : []),
  ]
  const stored = common(cacheControl)
  const unstored = isFile ? stored : common('no-store')
  const variant = (bytes: Buffer, encoding: readonly string[]): Variant => {
    const about = ['content-type', contentType, 'content-length', String(bytes.length), ...encoding]
    return { body: bytes, headers: [...about, ...stored], unstored: [...about, ...unstored] }
  }
  const entry: Entry = {
    etag,
    until: until?.getTime() ?? Number.POSITIVE_INFINITY,
    variants: new Map([['identity', variant(plain, [])]]),
    unchanged: { headers: stored, unstored },
  }
  if (!isCompressed) return entry
  for (const [name, compressed] of compressions) {
    const addVariant = (bytes: Buffer) => void entry.variants.set(name, variant(bytes, ['content-encoding', name]))
    if (name === 'br' && brotli) addVariant(brotli)
    else compressed(plain, addVariant)
  }
  return entry
}

/** Selects the encoding for a request; 304 if it has the ETag. */
export function negotiate(entry: Entry, headers: IncomingHttpHeaders): Representation {
  const caching = mayBeSignedIn(headers) ? 'unstored' : 'headers'
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined && isAmong(entry.etag, ifNoneMatch))
    return { status: 304, headers: entry.unchanged[caching], body: null }
  const compression = compressionFor(headers['accept-encoding'])
  const variant = (compression && entry.variants.get(compression)) ?? entry.variants.get('identity')
  if (!variant) throw new Error('An entry has its plain bytes from the start')
  return { status: 200, headers: variant[caching], body: variant.body }
}

/** Weak comparison, as GET requires. */
const isAmong = (etag: string, ifNoneMatch: string) =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag.slice(2))

export const jsonAnswer = (value: unknown, cacheControl: string): Answer => ({
  body: JSON.stringify(value),
  contentType: 'application/json; charset=utf-8',
  cacheControl,
})

/** Sends an entry from a route. */
export function sendEntry(request: FastifyRequest, reply: FastifyReply, entry: Entry) {
  const { status, headers, body } = negotiate(entry, request.headers)
  reply.code(status)
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] ?? '', headers[i + 1])
  return reply.send(body ?? undefined)
}
