import { IMPERSONATION_MS, type ImpersonationStatus } from '@qatra/contract/users/impersonation'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { type CookieNames, newSessionCookie } from '../http/session-cookie.ts'
import { type EmitContext, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/secrets.ts'
import { requirePersonRow } from '../users/admin.queries.ts'
import { abilitiesOver } from '../users/policy.ts'
import { sessions } from './tables.ts'

type Person = Pick<typeof sessions.$inferInsert, 'userId' | 'impersonatorId' | 'impersonationReason'>

/** Replaces the session's cookie; the expiry stays. */
async function renewSession(ctx: Ctx, cookies: CookieNames, as: Person) {
  const [old] = await ctx.db
    .delete(sessions)
    .where(eq(sessions.id, ctx.client.sessionId ?? ''))
    .returning()
  // A concurrent request of the same browser replaced it first.
  if (!old) throw new AppError('SIGNED_OUT')
  const value = newSessionCookie('user')
  const [session] = await ctx.db
    .insert(sessions)
    .values({ ...as, id: sha256(value), userAgent: old.userAgent, expiresAt: old.expiresAt })
    .returning()
  if (!session) throw new Error('The insert answers its row')
  const seconds = Math.max(1, Math.floor((old.expiresAt.getTime() - ctx.now.getTime()) / 1000))
  ctx.setCookie({ name: cookies.session, value, maxAgeSeconds: seconds })
  return session
}

/**
 * The person acts as the target from the next request on. Writes the history before the session. @throws
 * USER_NOT_FOUND; NOT_IMPERSONABLE for oneself, a super admin or a deactivated user
 */
export async function startImpersonation(
  ctx: Ctx,
  cookies: CookieNames,
  { userId, reason }: { userId: number; reason: string },
): Promise<ImpersonationStatus> {
  const self = userOf(ctx)
  const target = await requirePersonRow(ctx, userId, 'no key update')
  if (!abilitiesOver(ctx.actor, target).impersonate) throw new AppError('NOT_IMPERSONABLE')
  await emit(ctx, {
    name: 'impersonation.started',
    action: 'impersonation-started',
    resource: 'user',
    id: target.id,
    vendorId: target.vendorId,
    onBehalfOf: target.id,
    changes: [{ field: 'reason', from: null, to: reason }],
  })
  const { createdAt } = await renewSession(ctx, cookies, {
    userId: target.id,
    impersonatorId: self.id,
    impersonationReason: reason,
  })
  return {
    isImpersonating: true,
    currentUser: { id: target.id, name: target.name, phone: target.phone },
    originalUser: { id: self.id, name: self.name, phone: self.phone },
    endsAt: new Date(createdAt.getTime() + IMPERSONATION_MS).toISOString(),
  }
}

/** Also succeeds if the impersonation has expired. */
export async function stopImpersonation(ctx: Ctx, cookies: CookieNames): Promise<ImpersonationStatus> {
  const user = userOf(ctx)
  const self = ctx.actor.impersonator ?? { id: user.id, name: user.name, phone: user.phone }
  const isOwn = eq(sessions.id, ctx.client.sessionId ?? '')
  const ended = await endImpersonations(ctx, isOwn, ctx.actor.impersonator ? 'hand' : 'time')
  if (ended > 0) await renewSession(ctx, cookies, { userId: self.id })
  return { isImpersonating: false, currentUser: self, originalUser: null, endsAt: null }
}

/** Ends impersonations and returns their number. */
export async function endImpersonations(
  ctx: Pick<Ctx, 'db'>,
  which: SQL | undefined,
  by: 'hand' | 'time' | 'target',
): Promise<number> {
  const due = await ctx.db
    .select()
    .from(sessions)
    .where(and(isNotNull(sessions.impersonatorId), which))
    .for('update')
  for (const session of due) {
    if (session.impersonatorId === null) continue
    await emit(asBoth(ctx, session.impersonatorId, session.userId), {
      name: 'impersonation.ended',
      action: 'impersonation-ended',
      resource: 'user',
      id: session.userId,
      changes: [{ field: 'by', from: null, to: by }],
    })
    await ctx.db
      .update(sessions)
      .set({ userId: session.impersonatorId, impersonatorId: null, impersonationReason: null })
      .where(eq(sessions.id, session.id))
  }
  return due.length
}

/** Authors of the history row: both people of the session. */
function asBoth(ctx: Pick<Ctx, 'db'> & Partial<Ctx>, impersonatorId: number, userId: number): EmitContext {
  return {
    db: ctx.db,
    authors: { changedBy: impersonatorId, onBehalfOf: userId },
    client: ctx.client ?? { ip: null, userAgent: null },
    afterCommit: ctx.afterCommit ?? ((effect) => effect()),
  }
}

const isOver = sql`${sessions.createdAt} <= now() - ${IMPERSONATION_MS}::float8 * interval '1 millisecond'`

/** Records expired impersonations; the session reader has ignored them since they expired. */
export const endDueImpersonations = (ctx: Pick<Ctx, 'db'>): Promise<number> => endImpersonations(ctx, isOver, 'time')

export async function readImpersonation(ctx: Ctx): Promise<ImpersonationStatus> {
  const { id, name, phone } = userOf(ctx)
  const { impersonator } = ctx.actor
  const currentUser = { id, name, phone }
  if (!impersonator) return { isImpersonating: false, currentUser, originalUser: null, endsAt: null }
  const [session] = await ctx.db
    .select({ since: sessions.createdAt })
    .from(sessions)
    .where(eq(sessions.id, ctx.client.sessionId ?? ''))
  const endsAt = session ? new Date(session.since.getTime() + IMPERSONATION_MS).toISOString() : null
  return { isImpersonating: true, currentUser, originalUser: impersonator, endsAt }
}
