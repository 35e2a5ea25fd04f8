import { Socket } from 'node:net'
import type { AnyEndpoint, Output, Parsed } from '@qatra/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieChange, Ctx } from '../database/context.ts'
import type { Db } from '../database/db.ts'
import { inTransaction } from '../database/transaction.ts'
import { AppError } from '../lib/errors.ts'
import { authenticate, readCredentials } from './authenticate.ts'
import { authorize, authorizeRequest } from './authorize.ts'
import { asAppError } from './error-handler.ts'
import { requireSameOrigin } from './guard/csrf.ts'
import { createEntry, jsonAnswer, sendEntry } from './pages/response-cache.ts'
import { register } from './register.ts'
import { trimToSchema } from './response-schema.ts'
import type { App, Served } from './runtime.ts'
import { cookieHeader } from './session-cookie.ts'

export type Handler<E extends AnyEndpoint> = (ctx: Ctx, input: Parsed<E>) => Promise<Output<E>> | Output<E>

export interface ServeOptions<E extends AnyEndpoint = AnyEndpoint> {
  /**
   * Changing endpoints open a transaction. `none` is for single-statement commands and for handlers that call outside
   * services and must not hold a connection meanwhile.
   */
  transaction?: 'open' | 'none'
  /** Bytes; 100 KB by default. */
  bodyLimit?: number
  /** Milliseconds that the handler may work before the connection counts as idle; 12 s by default. */
  timeoutMs?: number
  /** A read that the replica answers while the primary cannot be reached. */
  isReadWithoutPrimary?: boolean
  /** The response comes from the snapshot: sends an ETag and answers 304. */
  hasEtag?: boolean
  /** Reloads this process's caches after commit and before the response (read your writes). */
  renew?: (result: Output<E>) => Promise<void>
  /** Called for each error response after the sign-in look-up began. */
  onRefused?: (refusal: AppError) => void
}

const BODY_LIMIT = 100 * 1024

/** Registers an endpoint: check the origin, open a transaction, authenticate, authorize, parse, handle, respond. */
export function serve<E extends AnyEndpoint>(
  app: App,
  endpoint: E,
  handler: Handler<E>,
  options: ServeOptions<E> = {},
) {
  const changes = endpoint.method !== 'GET'
  const opens = changes && options.transaction !== 'none'
  // The map has handlers of all endpoints; each receives only input parsed by its own endpoint.
  const served: Served = {
    endpoint,
    handle: handler as Served['handle'],
    trim: endpoint.produces ? null : trimToSchema(endpoint.returns),
  }

  function execute<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (opens) return inTransaction(app.pool, work)
    return options.isReadWithoutPrimary ? app.replica.readAvailable(work) : work(app.db)
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    // A request within the process has no socket.
    if (options.timeoutMs && request.raw.socket instanceof Socket) request.raw.socket.setTimeout(options.timeoutMs)
    if (changes) requireSameOrigin(app.config, request)
    const credentials = readCredentials(app, request)
    const { sessionId, keyId } = credentials.client
    // Refuses a visitor without taking a connection.
    if (sessionId === null && keyId === null) authorize(endpoint, credentials.visitor)
    const effects: (() => void)[] = []
    const cookies: CookieChange[] = []
    const headers = new Map<string, string>()

    const work = async (db: Db) => {
      effects.length = 0
      cookies.length = 0
      headers.clear()
      const authenticated = await authenticate(app, db, credentials)
      const input = authorizeRequest(endpoint, authenticated.actor, request)
      const ctx: Ctx = {
        db,
        ...authenticated,
        afterCommit: (effect) => void effects.push(effect),
        setCookie: (change) => void cookies.push(change),
        setHeader: (name, value) => void headers.set(name, value),
      }
      return served.handle(ctx, input as never)
    }
    try {
      const made = await execute(work)
      const result = served.trim ? served.trim(made) : made
      for (const effect of effects) effect()
      // The transaction is committed even if this fails; the database's notification reloads too.
      await options
        .renew?.(result as Output<E>)
        .catch((error: unknown) => app.log.warn({ err: error, reqId: request.id }, 'not renewed'))
      setCookies(app, reply, keyId === null ? cookies : [])
      for (const [name, value] of headers) reply.header(name, value)
      return respond(request, reply, result)
    } catch (error) {
      options.onRefused?.(asAppError(error) ?? new AppError('INTERNAL'))
      // An error that commits its writes also keeps its cookies and effects.
      if (error instanceof AppError && error.keepsWrites) {
        for (const effect of effects) effect()
        setCookies(app, reply, keyId === null ? cookies : [])
      }
      throw error
    }
  }

  function respond(request: FastifyRequest, reply: FastifyReply, result: unknown) {
    // The response depends on the user, so only that user's browser may store it.
    if (options.hasEtag)
      return sendEntry(request, reply, createEntry(jsonAnswer(result, 'private, no-cache'), { compress: false }))
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    if (endpoint.status === 204) return reply.code(204).send()
    if (endpoint.produces) return reply.type(endpoint.produces).send(result)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
  }

  register(app, served, answer, { bodyLimit: options.bodyLimit ?? BODY_LIMIT })
}

function setCookies(app: App, reply: FastifyReply, cookies: readonly CookieChange[]) {
  for (const change of cookies) reply.header('set-cookie', cookieHeader(change, app.config.isSecure))
}
