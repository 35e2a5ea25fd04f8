import { IMPERSONATION_MS, type ImpersonationStatus } from '@qatra/contract/users/impersonation'
import { eq } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { sessions } from './tables.ts'

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
