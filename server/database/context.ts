import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import type { Db } from './db.ts'

export interface CookieChange {
  name: string
  /** Null deletes the cookie. */
  value: string | null
  maxAgeSeconds?: number
}

/**
 * Sends `commit` right behind the transaction's last statement, so that its locks are released a round trip earlier. If
 * the statement fails, the server rolls back instead.
 */
export type CommitWith = <T>(last: Promise<T>) => Promise<T>

/** Request context: transaction, actor, time. First argument of every query and command. */
export interface Ctx {
  db: Db
  actor: Actor
  /** The database's time; within a transaction, the transaction's. */
  now: Date
  client: {
    ip: string
    /** Came through a proxy; for pages also: requested under a foreign host name. */
    isForwarded: boolean
    userAgent: string
    /** SHA-256 of a signed-in session's cookie, whether or not the session is still valid. */
    sessionId: string | null
    /** `key:` and the SHA-256 of the request's API key, whether or not it is valid. Its cookies are ignored. */
    keyId: string | null
    deviceToken: string | null
    idempotencyKey: string | null
    /** Area in the cookie `area`; it need not exist. */
    areaId: number | null
  }
  /** Runs after commit; never after a rollback. */
  afterCommit: (effect: () => void) => void
  setCookie: (change: CookieChange) => void
  setHeader: (name: string, value: string) => void
  /** Absent where the command is part of a larger transaction. */
  commitWith?: CommitWith
}

/** The signed-in user; only for endpoints that require a sign-in. */
export function userOf(ctx: Pick<Ctx, 'actor'>): ActorUser {
  if (!ctx.actor.user) throw new Error('This handler is reached by signed-in people only')
  return ctx.actor.user
}
