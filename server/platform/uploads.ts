import { basename } from 'node:path'
import multipart from '@fastify/multipart'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { mayEnter } from '@qatra/contract/permissions'
import type { UploadedFile } from '@qatra/contract/upload'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'
import { requireSameOrigin } from './origin.ts'
import type { App } from './runtime.ts'
import { type Handler, serve, type ServeOptions, whoIsAsking } from './serve.ts'
import { readApiLang, readSessionCookie } from './session.ts'
import { createSlots, createTurns, type EndTurn } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    endTurn: EndTurn | null
  }
}

interface UploadOptions<E extends AnyEndpoint> extends Pick<ServeOptions<E>, 'renew'> {
  /** Of the file itself. */
  bytes: number
}

/** What a form adds around its file: boundaries, headers, small fields. */
const AROUND_BYTES = 16_384
const fewParts = { files: 1, fields: 8, parts: 9, fieldSize: 1_000, headerPairs: 20 }

/** Files in memory at once, of all endpoints and people: what they take is bounded for the whole process. */
const slot = createSlots(2)

/**
 * Registers an endpoint that takes a file: whoever asks is known before a byte of it is read, nobody sends two at a
 * time, and what says itself that it is too large is refused unread. No transaction is open while bytes arrive.
 */
export function serveUpload<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  handler: Handler<E>,
  { bytes, ...options }: UploadOptions<E>,
) {
  const turnOf = createTurns()

  async function admit(request: FastifyRequest, reply: FastifyReply) {
    requireSameOrigin(app.config, request)
    const lang = readApiLang(request.headers)
    const cookie = readSessionCookie(request.headers, app.cookies)
    if (cookie?.kind !== 'user') throw new AppError('SIGNED_OUT')
    const { actor } = await whoIsAsking(app, app.db, { cookie, lang, opens: false })
    if (!actor.user) throw new AppError('SIGNED_OUT')
    if (!mayEnter(endpoint, actor.user)) throw new AppError('FORBIDDEN')
    if (Number(request.headers['content-length'] ?? 0) > bytes + AROUND_BYTES) throw new AppError('TOO_LARGE')
    const endOwn = await turnOf(actor.user.id)
    const endShared = await slot()
    const endTurn = () => {
      endOwn()
      endShared()
    }
    request.endTurn = endTurn
    // Whoever hangs up before the file is there ends the turn; from then on the handler does.
    reply.raw.once('close', () => {
      if (request.endTurn) endTurn()
    })
    if (request.raw.destroyed) endTurn()
  }

  void app.http.register(async (scope: FastifyInstance) => {
    scope.decorateRequest('endTurn', null)
    await readFiles(scope, endpoint, bytes)
    scope.addHook('onRequest', admit)
    // A refusal that comes before the handler.
    scope.addHook('onResponse', async (request) => request.endTurn?.())
    scope.addHook('preHandler', async (request, reply) => {
      const { endTurn } = request
      request.endTurn = null
      reply.raw.once('finish', () => endTurn?.())
      reply.raw.once('close', () => endTurn?.())
    })
    const registered = { ...app, http: scope }
    serve(registered, endpoint, handler, { ...options, transaction: 'none', bodyLimit: bytes })
  })
}

async function readFiles(scope: FastifyInstance, { accepts = [] }: AnyEndpoint, bytes: number) {
  scope.removeAllContentTypeParsers()
  if (accepts.includes('application/json')) {
    scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer', bodyLimit: bytes }, (_, body, done) =>
      done(null, { name: null, type: 'application/json', bytes: body } satisfies UploadedFile),
    )
  }
  await scope.register(multipart, { limits: { ...fewParts, fileSize: bytes } })
  scope.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await fileOf(request)
  })
}

/** The file of a form; undefined where it has none. */
async function fileOf(request: FastifyRequest): Promise<UploadedFile | undefined> {
  let found: UploadedFile | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue
      found = { name: basename(part.filename ?? '').slice(0, 200), type: part.mimetype, bytes: await part.toBuffer() }
    }
  } catch (error) {
    throw new AppError(isTooMuch(error) ? 'TOO_LARGE' : 'BAD_REQUEST')
  }
  return found
}

const isTooMuch = (error: unknown) =>
  error instanceof Error && 'code' in error && /TOO_LARGE|_LIMIT$/.test(String(error.code))
