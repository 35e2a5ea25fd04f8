import type { Actor, ActorUser } from '@qatra/contract/actor'
import type { Db } from './db.ts'

export interface CookieChange {
  name: string
  /** Null deletes the cookie. */
  value: string | null
  maxAgeSeconds?: number
}

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
    deviceToken: string | null
    idempotencyKey: string | null
  }
  /** Runs after commit; never after a rollback. */
  afterCommit: (effect: () => void) => void
  setCookie: (change: CookieChange) => void
  setHeader: (name: string, value: string) => void
}

/** The signed-in user; only for endpoints that require a sign-in. */
export function userOf(ctx: Pick<Ctx, 'actor'>): ActorUser {
  if (!ctx.actor.user) throw new Error('This handler is reached by signed-in people only')
  return ctx.actor.user
}
