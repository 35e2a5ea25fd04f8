import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '@qatra/contract/users/actor'
import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
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

const bearer = /^Bearer +(\S.{0,500})$/i

/**
 * The id of the request's API key, in whatever form it is sent; null for a request without one. A program sends it on
 * purpose, so it needs no guard against CSRF, unlike a cookie.
 */
export function readKeyId({ authorization }: IncomingHttpHeaders): string | null {
  const key = bearer.exec(authorization ?? '')?.[1]
  return key === undefined ? null : `key:${sha256(key.trim())}`
}

/** The only reader of the session cookie. A request with an API key has no other credentials. */
export function readCredentials(
  { cookies }: Pick<App, 'cookies'>,
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
  lang = readApiLang(headers),
): Credentials {
  const keyId = readKeyId(headers)
  const value = keyId === null ? readCookie(headers, cookies.session) : null
  const id = value !== null && sessionValue.test(value) ? sha256(value) : null
  const isUser = value?.startsWith('u.') === true
  const key = headers['idempotency-key']
  return {
    client: {
      ip,
      isForwarded: isForwarded(headers),
      userAgent: headers['user-agent'] ?? '',
      sessionId: isUser ? id : null,
      keyId,
      deviceToken: keyId === null ? readCookie(headers, cookies.device) : null,
      // Two programs of one maker do not meet under the same key.
      idempotencyKey: typeof key === 'string' && key !== '' ? (keyId ? `${keyId} ${key}` : key) : null,
      areaId: readAreaId(headers),
    },
    visitor: { user: null, guestSession: isUser ? null : id, impersonator: null, lang },
  }
}

/**
 * Actor and time of a request. Every kind of endpoint uses it, and each request reads the rights from the database. In a
 * transaction it is the first statement, which shares its round trip with `begin`.
 * @throws KEY_INVALID
 */
export async function authenticate(
  app: Pick<App, 'sessions' | 'clock' | 'db'>,
  db: Db,
  { client, visitor }: Credentials,
): Promise<Pick<Ctx, 'actor' | 'now' | 'client'>> {
  const id = client.keyId ?? client.sessionId
  if (id !== null) {
    const session = await app.sessions.find(db, id)
    if (!session && client.keyId !== null) throw new AppError('KEY_INVALID')
    if (!session) return { actor: visitor, now: app.clock.now(), client }
    const { now, ...found } = session
    return { actor: { ...visitor, ...found }, now, client }
  }
  const [row] = db === app.db ? [] : await run<{ now: Date }>(db, nowSql)
  return { actor: visitor, now: row?.now ?? app.clock.now(), client }
}
