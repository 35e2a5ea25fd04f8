import type { IncomingMessage } from 'node:http'
import { basename } from 'node:path'
import multipart from '@fastify/multipart'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { cut } from '@qatra/contract/lib/fit'
import type { UploadedFile } from '@qatra/contract/lib/upload'
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

/** Of the part `plan`: 1,000 edited cells. */
const PLAN_BYTES = 200_000
/** What a form adds around its file: boundaries, headers, the plan. */
const AROUND_BYTES = PLAN_BYTES + 16_384
const fewParts = { files: 1, fields: 8, parts: 9, fieldSize: PLAN_BYTES, headerPairs: 20 }

/** Limits the request bodies in memory per process, while they arrive or wait. */
const receiving = createSemaphore({ permits: 8 })
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
  const most = (request: FastifyRequest) => Math.min(Number(request.headers['content-length'] ?? bytes), bytes)
  scope.removeAllContentTypeParsers()
  if (accepts.includes('application/json')) {
    scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
      const whole = await readOrRefuse(() => collect(payload, most(request)))
      return { name: null, type: 'application/json', bytes: whole } satisfies UploadedFile
    })
  }
  await scope.register(multipart, { limits: { ...fewParts, fileSize: bytes } })
  scope.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readOrRefuse(() => fileOf(request, most(request)))
  })
}

/** The file of a form; undefined without one. */
async function fileOf(request: FastifyRequest, most: number): Promise<UploadedFile | undefined> {
  let found: UploadedFile | undefined
  let plan: unknown
  for await (const part of request.parts()) {
    if (part.type !== 'file') {
      if (part.fieldname === 'plan') plan = JSON.parse(String(part.value))
      continue
    }
    const bytes = await collect(part.file, most)
    found = { name: cut(basename(part.filename ?? ''), 200), type: part.mimetype, bytes }
  }
  return found && plan !== undefined ? { ...found, plan } : found
}

/**
 * The bytes of a stream. Each piece goes to its place as it arrives, since joining the pieces of several files at their
 * end needs twice their memory and delays everybody. @throws TOO_LARGE
 */
async function collect(stream: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(most)
  let length = 0
  for await (const piece of stream) {
    if (length + piece.length > most) throw new AppError('TOO_LARGE')
    length += piece.copy(bytes, length)
  }
  return bytes.subarray(0, length)
}

/** @throws TOO_LARGE; BAD_REQUEST for a form or connection that breaks off */
async function readOrRefuse<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new AppError(isTooMuch(error) ? 'TOO_LARGE' : 'BAD_REQUEST')
  }
}

const isTooMuch = (error: unknown) =>
  error instanceof Error && 'code' in error && /TOO_LARGE|_LIMIT$/.test(String(error.code))
