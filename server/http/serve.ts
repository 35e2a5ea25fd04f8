import type { Actor } from '@qatra/contract/actor'
import type { AnyEndpoint, Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lang'
import { isRoleAllowed } from '@qatra/contract/roles'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieChange, Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { inTransaction } from '../database/transaction.ts'
import { AppError } from '../lib/errors.ts'
import { limitImpersonatedPages, requireAuthorized } from './authorize.ts'
import { requireSameOrigin } from './csrf.ts'
import { sendError } from './error-handler.ts'
import { parseInput } from './parse-input.ts'
import { isForwarded } from './request-guard.ts'
import { createEntry, negotiate } from './response-cache.ts'
import { trimToSchema } from './response-schema.ts'
import type { App, Served } from './runtime.ts'
import { jsonAnswer, send } from './serve-shared.ts'
import { cookieHeader, readApiLang, readCookie, readSessionCookie, type SessionCookie } from './session-cookie.ts'

export type Handler<E extends AnyEndpoint> = (ctx: Ctx, input: Parsed<E>) => Promise<Output<E>> | Output<E>

export interface ServeOptions<E extends AnyEndpoint = AnyEndpoint> {
  /**
   * Changing endpoints open a transaction. `none` is for single-statement commands and for handlers that call outside
   * services and must not hold a connection meanwhile.
   */
  transaction?: 'open' | 'none'
  /** Bytes; 100 KB by default. */
  bodyLimit?: number
  /** The response comes from the snapshot: sends an ETag and answers 304. */
  hasEtag?: boolean
  /** Reloads this process's caches after commit and before the response (read your writes). */
  renew?: (result: Output<E>) => Promise<void>
}

const BODY_LIMIT = 100 * 1024
const nowSql = statement('now', 'select now()')

/** Registers an endpoint: authenticate, authorize, parse, open a transaction, run the handler, respond. */
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
    handle: handler as (ctx: Ctx, input: never) => unknown,
    trim: endpoint.produces ? null : trimToSchema(endpoint.returns),
  }
  app.served.set(`${endpoint.method} ${endpoint.path}`, served)

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const lang = readApiLang(request.headers)
    if (changes) requireSameOrigin(app.config, request)
    const cookie = readSessionCookie(request.headers, app.cookies)
    if (cookie?.kind !== 'user' && !isRoleAllowed(endpoint.allow, null)) throw new AppError('SIGNED_OUT')
    const effects: (() => void)[] = []
    const cookies: CookieChange[] = []
    const headers = new Map<string, string>()
    const client: Ctx['client'] = {
      ip: request.ip,
      isForwarded: isForwarded(request.headers),
      userAgent: request.headers['user-agent'] ?? '',
      sessionId: cookie?.kind === 'user' ? cookie.id : null,
      deviceToken: readCookie(request.headers, app.cookies.device),
      idempotencyKey: singleHeader(request.headers['idempotency-key']),
    }

    const work = async (db: Db) => {
      effects.length = 0
      cookies.length = 0
      const { actor, now } = await authenticate(app, db, { cookie, lang, opens })
      requireAuthorized(endpoint, actor)
      const input = parseInput(endpoint, request, lang)
      limitImpersonatedPages(actor, input)
      const ctx: Ctx = {
        db,
        actor,
        now,
        client,
        afterCommit: (effect) => void effects.push(effect),
        setCookie: (change) => void cookies.push(change),
        setHeader: (name, value) => void headers.set(name, value),
      }
      return served.handle(ctx, input as never)
    }
    try {
      const made = await (opens ? inTransaction(app.pool, work) : work(app.db))
      const result = served.trim ? served.trim(made) : made
      for (const effect of effects) effect()
      // The transaction is committed even if this fails; the database's notification reloads too.
      await options
        .renew?.(result as Output<E>)
        .catch((error: unknown) => app.log.warn({ err: error, reqId: request.id }, 'not renewed'))
      setCookies(app, reply, cookies)
      for (const [name, value] of headers) reply.header(name, value)
      if (options.hasEtag) return sendTagged(request, reply, result)
      reply.header('cache-control', 'no-store')
      if (endpoint.status === 204) return reply.code(204).send()
      if (endpoint.produces) return reply.type(endpoint.produces).send(result)
      return reply.type('application/json; charset=utf-8').send(JSON.stringify(result))
    } catch (error) {
      // An error that commits its writes also keeps its cookies and effects.
      if (error instanceof AppError && error.keepsWrites) {
        for (const effect of effects) effect()
        setCookies(app, reply, cookies)
      }
      return sendError(app, request, reply, error)
    }
  }

  app.http.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: options.bodyLimit ?? BODY_LIMIT,
    handler: (request, reply) =>
      answer(request, reply).catch((error: unknown) => sendError(app, request, reply, error)),
  })
}

const visitor = (cookie: SessionCookie, lang: Lang): Actor => ({
  user: null,
  guestSession: cookie?.kind === 'guest' ? cookie.id : null,
  impersonator: null,
  lang,
})

interface Asked {
  cookie: SessionCookie
  lang: Lang
  opens: boolean
}

/** Actor and time. In a transaction both come with its first round trip. */
export async function authenticate(
  app: App,
  db: Db,
  { cookie, lang, opens }: Asked,
): Promise<{ actor: Actor; now: Date }> {
  if (cookie?.kind === 'user') {
    const rows = await run<{ now: Date }>(db, app.sessions.statement, [cookie.id])
    const found = app.sessions.read(rows)
    const [row] = rows
    if (found && row) {
      app.sessions.seen(cookie.id)
      return { actor: { ...visitor(cookie, lang), ...found }, now: row.now }
    }
    return { actor: visitor(null, lang), now: app.clock.now() }
  }
  if (!opens) return { actor: visitor(cookie, lang), now: app.clock.now() }
  const [row] = await run<{ now: Date }>(db, nowSql)
  return { actor: visitor(cookie, lang), now: row?.now ?? app.clock.now() }
}

/** The response depends on the user, so only that user's browser may store it. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, result: unknown) {
  const entry = createEntry(jsonAnswer(result, 'private, no-cache'), { compress: false })
  return send(reply, negotiate(entry, request.headers))
}

const singleHeader = (value: string | string[] | undefined) =>
  typeof value === 'string' && value !== '' ? value : null

function setCookies(app: App, reply: FastifyReply, cookies: readonly CookieChange[]) {
  for (const change of cookies) reply.header('set-cookie', cookieHeader(change, app.config.isSecure))
}
