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
    /** What an upload holds until its response has been sent. */
    upload: { hold: (end: EndTurn) => void; release: () => void } | null
  }
}

interface UploadOptions<E extends AnyEndpoint> extends Pick<ServeOptions<E>, 'renew'> {
  /** Of the file itself. */
  bytes: number
}

/** What a form adds around its file: boundaries, headers, small fields. */
const AROUND_BYTES = 16_384
const fewParts = { files: 1, fields: 8, parts: 9, fieldSize: 1_000, headerPairs: 20 }

/** Bodies of a process that may arrive or wait at once: bounds the memory they take. */
const receivingSlot = createSlots(12)
/** Complete files of a process that are worked on at once. A slow client holds none of these. */
const processingSlot = createSlots(2)
/** One upload at a time for each person, over all endpoints. */
const turnOf = createTurns()

/**
 * Registers an endpoint that takes a file. The person is authenticated before a byte of the body is read, has one upload
 * at a time, and a declared size above the limit is refused unread. No transaction is open while bytes arrive.
 */
export function serveUpload<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  handler: Handler<E>,
  { bytes, ...options }: UploadOptions<E>,
) {
  async function admit(request: FastifyRequest, reply: FastifyReply) {
    requireSameOrigin(app.config, request)
    const lang = readApiLang(request.headers)
    const cookie = readSessionCookie(request.headers, app.cookies)
    if (cookie?.kind !== 'user') throw new AppError('SIGNED_OUT')
    const { actor } = await whoIsAsking(app, app.db, { cookie, lang, opens: false })
    if (!actor.user) throw new AppError('SIGNED_OUT')
    if (!mayEnter(endpoint, actor.user)) throw new AppError('FORBIDDEN')
    if (Number(request.headers['content-length'] ?? 0) > bytes + AROUND_BYTES) throw new AppError('TOO_LARGE')
    const held = [await turnOf(actor.user.id), await receivingSlot()]
    let isOver = false
    request.upload = {
      hold: (end) => void (isOver ? end() : held.push(end)),
      release: () => {
        isOver = true
        for (const end of held.splice(0)) end()
      },
    }
    // Answered, or the client hung up.
    reply.raw.once('close', request.upload.release)
    reply.raw.once('finish', request.upload.release)
    if (request.raw.destroyed) request.upload.release()
  }

  void app.http.register(async (scope: FastifyInstance) => {
    scope.decorateRequest('upload', null)
    await readFiles(scope, endpoint, bytes)
    scope.addHook('onRequest', admit)
    // The body is complete.
    scope.addHook('preHandler', async (request) => request.upload?.hold(await processingSlot()))
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
