import type { Actor, ActorUser } from '@qatra/contract/actor'
import type { Db } from './db.ts'

export interface CookieChange {
  name: string
  /** Null deletes the cookie. */
  value: string | null
  maxAgeSeconds?: number
}

/** Through which transaction, for whom, when. First argument of every query and command. */
export interface Ctx {
  db: Db
  actor: Actor
  /** The database's time: of the transaction where there is one. */
  now: Date
  client: {
    ip: string
    /** Passed on by a proxy; for pages also: asked for under a name that is not ours. */
    isForwarded: boolean
    userAgent: string
    /** SHA-256 of the cookie of a signed-in session, whether it is still good or not. */
    sessionId: string | null
    deviceToken: string | null
    idempotencyKey: string | null
  }
  /** Runs once the writes are there to be seen; never where they were rolled back. */
  afterCommit: (effect: () => void) => void
  setCookie: (change: CookieChange) => void
  setHeader: (name: string, value: string) => void
}

/** The signed-in user; endpoints that reach this are never open to visitors. */
export function userOf(ctx: Ctx): ActorUser {
  if (!ctx.actor.user) throw new Error('This handler is reached by signed-in people only')
  return ctx.actor.user
}
