import { Readable } from 'node:stream'
import type { AnyEndpoint, Parsed } from '@qatra/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../database/context.ts'
import { attachment } from '../lib/csv.ts'
import { sendError } from './error-handler.ts'
import { parseInput } from './parse-input.ts'
import { requireSignedIn } from './require-entry.ts'
import type { App } from './runtime.ts'

export interface ServedFile {
  /** One that the feature knows, never what somebody said. */
  mimeType: string
  /** Bytes. */
  size: number
  /** Shown in the page, or only ever saved under this name. */
  shownAs: 'inline' | { saved: string }
  /** The same as long as the bytes are. */
  tag: string
  /** From the first place to before the second; null where the file is gone meanwhile. */
  read: (from: number, to: number) => Promise<Buffer | null>
}

/** Read at once: whoever stops listening costs no more. */
const PIECE = 256 * 1024

/** Opened by itself it may do nothing: no script, no forms, nothing fetched. */
const POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** The part that is asked for; `all` where none is, or several are, which nobody has to give. */
export function rangeIn(header: string | undefined, size: number): { from: number; to: number } | 'all' | 'beyond' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'beyond' : { from: size - length, to: size }
  }
  const from = Number(first)
  const to = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < from) return 'all'
  return from >= size ? 'beyond' : { from, to }
}

/**
 * Registers an endpoint whose answer is a file that lies in pieces: session → actor, `allow`, shapes, file. Parts are
 * given to players, which ask for them to find their place.
 */
export function serveFile<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  find: (ctx: Pick<Ctx, 'db'>, input: Parsed<E>) => Promise<ServedFile>,
) {
  const handle = () => {
    throw new Error('A file is not called in process')
  }
  app.served.set(`${endpoint.method} ${endpoint.path}`, { endpoint, handle, trim: null })

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    try {
      const { lang } = await requireSignedIn(app, endpoint, request)
      const file = await find({ db: app.db }, parseInput(endpoint, request, lang) as Parsed<E>)
      return give(request, reply, file)
    } catch (error) {
      return sendError(app, request, reply, error)
    }
  }

  app.http.route({
    // Whoever asks for the head alone is told how long the file is; a route made for that would read all of it.
    method: ['GET', 'HEAD'],
    exposeHeadRoute: false,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    handler: answer,
  })
}

function give({ headers, method }: FastifyRequest, reply: FastifyReply, file: ServedFile) {
  const { mimeType, size, shownAs, tag } = file
  const etag = `"${tag}"`
  const isOther = headers['if-range'] !== undefined && headers['if-range'] !== etag
  const range = isOther ? 'all' : rangeIn(headers.range, size)
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-disposition': shownAs === 'inline' ? 'inline' : attachment(shownAs.saved),
    'content-security-policy': POLICY,
    etag,
  })
  reply.type(mimeType)
  if (range === 'beyond')
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${size}` })
      .send('')
  const { from, to } = range === 'all' ? { from: 0, to: size } : range
  if (range !== 'all') reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${size}`)
  reply.header('content-length', to - from)
  return reply.send(method === 'HEAD' ? null : Readable.from(pieces(file, from, to), { objectMode: false }))
}

async function* pieces({ read }: ServedFile, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += PIECE) {
    const piece = await read(at, Math.min(at + PIECE, to))
    // What was promised cannot be given: the connection ends, and whoever asked sees that it is not whole.
    if (!piece) throw new Error('The file is gone')
    yield piece
  }
}
