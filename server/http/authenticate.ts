import type { Actor } from '@qatra/contract/users/actor'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { sha256 } from '../lib/secrets.ts'
import { isForwarded } from './guard/request-guard.ts'
import type { App } from './runtime.ts'
import { readApiLang, readAreaId, readCookie } from './session-cookie.ts'

/** What a request presents. Read without the database. */
export interface Credentials {
  client: Ctx['client']
  /** The actor of a request without a valid session. */
  visitor: Actor
}

const sessionValue = /^[gu]\.[A-Za-z0-9_-]{43}$/
const nowSql = statement('now', 'select now()')

/** The only reader of the session cookie. */
export function readCredentials(
  { cookies }: Pick<App, 'cookies'>,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  lang = readApiLang(headers),
): Credentials {
  const value = readCookie(headers, cookies.session)
  const id = value !== null && sessionValue.test(value) ? sha256(value) : null
  const isUser = value?.startsWith('u.') === true
  const key = headers['idempotency-key']
  return {
    client: {
      ip,
      isForwarded: isForwarded(headers),
      userAgent: headers['user-agent'] ?? '',
      sessionId: isUser ? id : null,
      deviceToken: readCookie(headers, cookies.device),
      idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
      areaId: readAreaId(headers),
    },
    visitor: { user: null, guestSession: isUser ? null : id, impersonator: null, lang },
  }
}

/**
 * Actor and time of a request. Every kind of endpoint uses it, and each request reads the rights from the database. In a
 * transaction it is the first statement, which shares its round trip with `begin`.
 */
export async function authenticate(
  app: Pick<App, 'sessions' | 'clock' | 'db'>,
  db: Db,
  { client, visitor }: Credentials,
): Promise<Pick<Ctx, 'actor' | 'now' | 'client'>> {
  const { sessionId } = client
  if (sessionId !== null) {
    const session = await app.sessions.find(db, sessionId)
    if (!session) return { actor: visitor, now: app.clock.now(), client }
    const { user, impersonator, now } = session
    return { actor: { ...visitor, user, impersonator }, now, client }
  }
  const [row] = db === app.db ? [] : await run<{ now: Date }>(db, nowSql)
  return { actor: visitor, now: row?.now ?? app.clock.now(), client }
}
