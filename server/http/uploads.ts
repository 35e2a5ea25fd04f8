import { basename } from 'node:path'
import multipart from '@fastify/multipart'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { UploadedFile } from '@qatra/contract/upload'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { userOf } from '../database/context.ts'
import { createKeyedSemaphore, createSemaphore, type Release } from '../lib/concurrency.ts'
import { AppError } from '../lib/errors.ts'
import { authenticate, readCredentials } from './authenticate.ts'
import { authorize } from './authorize.ts'
import { requireSameOrigin } from './guard/csrf.ts'
import type { App } from './runtime.ts'
import { type Handler, type ServeOptions, serve } from './serve.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Semaphores that an upload holds until its response has been sent. */
    upload: { hold: (end: Release) => void; release: () => void } | null
  }
}

interface UploadOptions<E extends AnyEndpoint> extends Pick<ServeOptions<E>, 'renew' | 'timeoutMs'> {
  /** Of the file itself. */
  bytes: number
}

/** What a form adds around its file: boundaries, headers, small fields. */
const AROUND_BYTES = 16_384
const fewParts = { files: 1, fields: 8, parts: 9, fieldSize: 1_000, headerPairs: 20 }

/** Limits the request bodies in memory per process, while they arrive or wait. */
const receiving = createSemaphore({ permits: 12 })
/** Limits the files processed at once per process. Acquired after the body is complete, so slow clients do not block it. */
const processing = createSemaphore({ permits: 2 })
/** One upload at a time per person, across all endpoints. */
const ofPerson = createKeyedSemaphore<number>({ permits: 1, maxWaiting: 3 })

/**
 * Registers an endpoint that takes a file. Authorizes the person and refuses a declared size above the limit before it
 * reads the body. One upload per person at a time. No transaction is open while the body arrives.
 */
export function serveUpload<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  handler: Handler<E>,
  { bytes, ...options }: UploadOptions<E>,
) {
  async function admit(request: FastifyRequest, reply: FastifyReply) {
    requireSameOrigin(app.config, request)
    const { actor } = await authenticate(app, app.db, readCredentials(app, request))
    authorize(endpoint, actor)
    if (Number(request.headers['content-length'] ?? 0) > bytes + AROUND_BYTES) throw new AppError('TOO_LARGE')
    const held = [await ofPerson.acquire(userOf({ actor }).id), await receiving.acquire()]
    let isOver = false
    request.upload = {
      hold: (end) => void (isOver ? end() : held.push(end)),
      release: () => {
        isOver = true
        for (const end of held.splice(0)) end()
      },
    }
    // The response was sent or the client disconnected.
    reply.raw.once('close', request.upload.release)
    reply.raw.once('finish', request.upload.release)
    if (request.raw.destroyed) request.upload.release()
  }

  void app.http.register(async (scope: FastifyInstance) => {
    scope.decorateRequest('upload', null)
    await readFiles(scope, endpoint, bytes)
    scope.addHook('onRequest', admit)
    // The body is complete.
    scope.addHook('preHandler', async (request) => request.upload?.hold(await processing.acquire()))
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

/** The file of a form; undefined without one. */
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
