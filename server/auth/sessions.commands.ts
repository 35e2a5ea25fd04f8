import type { User } from '@qatra/contract/users/auth'
import type { Role } from '@qatra/contract/users/roles'
import { eq, or, sql } from 'drizzle-orm'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { adoptGuestCart } from '../cart/commands.ts'
import type { Ctx } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { type CookieNames, newSessionCookie } from '../http/session-cookie.ts'
import { emit } from '../jobs/domain-events.ts'
import { newToken, sha256 } from '../lib/secrets.ts'
import { adoptDeliveryArea } from '../users/delivery-area.commands.ts'
import { actorUserOf, readUser, type UserRow } from '../users/queries.ts'
import { endImpersonations } from './impersonation.commands.ts'
import { knownDevices, sessions } from './tables.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** The longest that browsers keep a cookie; an idle session expires earlier. */
const MAX_COOKIE_SECONDS = 400 * DAY

/** Customers' sessions end after 30 idle days, staff's after a working day. */
function lifeOf(role: Role): { session: number; cookie: number } {
  if (role === 'super_admin') return { session: 8 * HOUR, cookie: 8 * HOUR }
  if (role === 'customer') return { session: 30 * DAY, cookie: MAX_COOKIE_SECONDS }
  return { session: 12 * HOUR, cookie: 12 * HOUR }
}

/** The cookies' names and the areas. */
export type SignInParts = Pick<App, 'cookies'> & Pick<ReferenceData<AreaSnapshot>, 'current'>

/** Creates a session under a new cookie, ends the browser's previous one and takes over a visitor's cart and delivery area. */
export async function signIn(ctx: Ctx, { cookies, current }: SignInParts, row: UserRow, by: string): Promise<User> {
  const value = newSessionCookie('user')
  const life = lifeOf(row.role)
  if (ctx.client.sessionId) await endSession(ctx, ctx.client.sessionId)
  await ctx.db.insert(sessions).values({
    id: sha256(value),
    userId: row.id,
    userAgent: ctx.client.userAgent.slice(0, 300),
    expiresAt: sql`now() + ${life.session} * interval '1 second'`,
  })
  await adoptDeliveryArea(ctx, current(), row.id)
  await adoptGuestCart(ctx, { userId: row.id, guestSession: ctx.actor.guestSession })
  const asUser: Ctx = {
    ...ctx,
    actor: { ...ctx.actor, user: actorUserOf(row), guestSession: null, impersonator: null },
  }
  const changes = [{ field: 'by', from: null, to: by }]
  await emit(asUser, { name: 'user.signed-in', action: 'signed-in', resource: 'user', id: row.id, changes })
  ctx.setCookie({ name: cookies.session, value, maxAgeSeconds: life.cookie })
  return readUser(ctx, row)
}

/**
 * Marks the device as known to this phone under a new cookie, so that a cookie planted before the sign-in is never
 * trusted.
 */
export async function rememberDevice(ctx: Ctx, cookies: CookieNames, phone: string): Promise<void> {
  const token = newToken()
  const id = sha256(token)
  const { deviceToken } = ctx.client
  if (deviceToken)
    await ctx.db
      .update(knownDevices)
      .set({ id })
      .where(eq(knownDevices.id, sha256(deviceToken)))
  await ctx.db
    .insert(knownDevices)
    .values({ id, phone })
    .onConflictDoUpdate({ target: [knownDevices.id, knownDevices.phone], set: { lastUsedAt: sql`now()` } })
  ctx.setCookie({ name: cookies.device, value: token, maxAgeSeconds: MAX_COOKIE_SECONDS })
}

/** Also ends and records an impersonation of the session. */
async function endSession(ctx: Ctx, sessionId: string): Promise<void> {
  const isOwn = eq(sessions.id, sessionId)
  if (ctx.actor.impersonator) await endImpersonations(ctx, isOwn, 'hand')
  await ctx.db.delete(sessions).where(isOwn)
}

/** Deletes the session on the server, so that copies of the cookie are invalid. */
export async function signOut(ctx: Ctx, cookies: CookieNames): Promise<{ success: true }> {
  const { sessionId } = ctx.client
  if (sessionId) {
    await endSession(ctx, sessionId)
    ctx.setCookie({ name: cookies.session, value: null })
    const { user } = ctx.actor
    if (user) await emit(ctx, { name: 'user.signed-out', action: 'signed-out', resource: 'user', id: user.id })
  }
  ctx.setHeader('clear-site-data', '"cache","storage"')
  return { success: true }
}

/** Ends all sessions of the user and all impersonations of the user. */
export async function endSessionsOf(ctx: Ctx, userId: number): Promise<void> {
  await endImpersonations(ctx, eq(sessions.userId, userId), 'target')
  await ctx.db.delete(sessions).where(or(eq(sessions.userId, userId), eq(sessions.impersonatorId, userId)))
}
