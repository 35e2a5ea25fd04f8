import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Lang } from '@qatra/contract/lang'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../database/clock.ts'
import { langOfVisitor, mayBeSignedIn } from '../session-cookie.ts'
import { type Compression, compressionFor, compressions } from './compression.ts'

/** Responses for many requests: for everybody, or for visitors without a session in one language. */
export type Audience = 'everyone' | Lang

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
  /** Read before the response is created and passed to `keep`, which rejects responses of older reference data. */
  epoch: () => number
  /** `url` is path and query exactly as in requests. */
  keep: (epoch: number, url: string, audience: Audience, entry: Entry) => void
  kept: (url: string, audience: Audience) => Entry | null
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

/** More URLs than a shop has; above it the oldest entry is evicted. */
const CAPACITY = 4_000
/** Smaller bodies are not compressed. */
const WORTH_COMPRESSING = 860

export function createResponseCache(clock: Pick<Clock, 'now'>): ResponseCache {
  const byUrl = new Map<string, Partial<Record<Audience, Entry>>>()
  let epoch = 1
  let count = 0
  let isOpen = true

  const current = (entry: Entry | undefined) => (entry && clock.now().getTime() < entry.until ? entry : null)

  function find({ method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Entry | null {
    const entries = method === 'GET' && url !== undefined ? byUrl.get(url) : undefined
    if (!entries) return null
    if (entries.everyone) return current(entries.everyone)
    const lang = langOfVisitor(headers)
    return lang && current(entries[lang])
  }

  return {
    epoch: () => epoch,
    keep(madeIn, url, audience, entry) {
      if (madeIn !== epoch) return
      const known = byUrl.get(url)
      if (known) known[audience] = entry
      else {
        const [oldest] = byUrl.size >= CAPACITY ? byUrl.keys() : []
        if (oldest !== undefined) byUrl.delete(oldest)
        byUrl.set(url, { [audience]: entry })
      }
    },
    kept: (url, audience) => current(byUrl.get(url)?.[audience]),
    find,
    clear() {
      epoch += 1
      byUrl.clear()
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
    const keep = (bytes: Buffer) => void entry.variants.set(name, variant(bytes, ['content-encoding', name]))
    if (name === 'br' && brotli) keep(brotli)
    else compressed(plain, keep)
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
