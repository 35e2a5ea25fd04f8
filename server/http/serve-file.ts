import { Readable } from 'node:stream'
import type { AnyEndpoint, Parsed } from '@qatra/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../database/context.ts'
import { attachment } from '../lib/csv.ts'
import { authenticate, readCredentials } from './authenticate.ts'
import { authorizeRequest } from './authorize.ts'
import { register, servedOverHttp } from './register.ts'
import type { App } from './runtime.ts'

export interface ServedFile {
  /** Determined by the server, never the sender's claim. */
  mimeType: string
  /** Bytes. */
  size: number
  /** Displayed inline, or only downloaded under this name. */
  shownAs: 'inline' | { saved: string }
  /** Cached by everybody forever; otherwise never cached. */
  isPublic: boolean
  /** ETag; changes with the contents. */
  tag: string
  /** Bytes from `from` to before `to`; null if the file was deleted. */
  read: (from: number, to: number) => Promise<Buffer | null>
}

/** Bytes per read: a client that disconnects costs no more. */
const PIECE = 256 * 1024

/** Opened as a document, the file can run no script, submit no form and load nothing. */
const POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** The requested range; `all` without a range or with several, which a server may ignore. */
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

/** Registers an endpoint that serves a stored file, with ranges, which media players need for seeking. */
export function serveFile<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  find: (ctx: Pick<Ctx, 'db' | 'actor'>, input: Parsed<E>) => Promise<ServedFile>,
) {
  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const { actor } = await authenticate(app, app.db, readCredentials(app, request))
    return sendFile(request, reply, await find({ db: app.db, actor }, authorizeRequest(endpoint, actor, request)))
  }

  // Answers HEAD with the length without reading the file, which Fastify's own HEAD route would do.
  register(app, servedOverHttp(endpoint), answer, { method: ['GET', 'HEAD'], exposeHeadRoute: false })
}

/** Sends a file whole or by range, in pieces, under a policy that forbids scripts. */
export function sendFile({ headers, method }: FastifyRequest, reply: FastifyReply, file: ServedFile) {
  const { mimeType, size, shownAs, tag, isPublic } = file
  const etag = `"${tag}"`
  const isOther = headers['if-range'] !== undefined && headers['if-range'] !== etag
  const range = isOther ? 'all' : rangeIn(headers.range, size)
  reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': isPublic ? 'public, max-age=31536000, immutable' : 'no-store',
    'content-disposition': shownAs === 'inline' ? 'inline' : attachment(shownAs.saved),
    'content-security-policy': POLICY,
    etag,
  })
  reply.type(mimeType)
  if (headers['if-none-match'] === etag) return reply.code(304).send()
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
    // The promised length cannot be sent: breaks the connection, so that the client detects an incomplete file.
    if (!piece) throw new Error('The file is gone')
    yield piece
  }
}
