import type { Parsed } from '@qatra/contract/endpoint'
import {
  type AdminInvitation,
  type acceptInvitation,
  INVITATION_DAYS,
  INVITATION_MESSAGES,
  INVITATION_RESEND_MINUTES,
  INVITATIONS_A_DAY,
} from '@qatra/contract/users/invitations'
import type { createUser } from '@qatra/contract/users/users'
import { and, eq, lt, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import type { CookieNames } from '../http/session-cookie.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError, retryLater } from '../lib/errors.ts'
import { translatorFor } from '../lib/translate.ts'
import {
  lockRolesAndRecheck,
  lockUser,
  moveTo,
  type Revocation,
  requireInGift,
  requirePhoneNotInReach,
  vendorFor,
} from '../users/admin.commands.ts'
import { lockRoles } from '../users/commands.ts'
import { countMade, findOpen, hasExpired, isOwnRow, obstacleFor, requireAdmin } from './queries.ts'
import { staffInvitations as invitations } from './tables.ts'

const inDays = sql`now() + ${INVITATION_DAYS} * interval '1 day'`
const DAY_SECONDS = 86_400

/**
 * Offers a role to a phone number. Neither response nor work depends on whether the phone has an account, except for
 * people the admin can already see.
 * @throws PHONE_TAKEN for a person of the same vendor, INVITATION_OPEN, TOO_MANY_REQUESTS
 */
export async function invite(
  ctx: Ctx,
  { phone, name, role, preset, vendorId: requestedVendorId }: Parsed<typeof createUser>['body'],
  { isLimited }: { isLimited: boolean },
): Promise<{ outcome: 'invited'; invitation: AdminInvitation }> {
  // Serialized, so that parallel requests cannot exceed the daily limit.
  await lockRolesAndRecheck(ctx)
  requireInGift(ctx, { role, preset })
  const vendorId = await vendorFor(ctx, role, requestedVendorId ?? null)
  if (vendorId === null) throw new AppError('FORBIDDEN')
  await requirePhoneNotInReach(ctx, phone)
  if (isLimited && (await countMade(ctx, vendorId)) >= INVITATIONS_A_DAY)
    throw retryLater('TOO_MANY_REQUESTS', DAY_SECONDS)
  // Closes an expired invitation, since a phone has at most one open invitation per vendor.
  await ctx.db
    .update(invitations)
    .set({ state: 'withdrawn', closedAt: sql`now()` })
    .where(
      and(eq(invitations.vendorId, vendorId), eq(invitations.phone, phone), eq(invitations.state, 'open'), hasExpired),
    )
  const [made] = await ctx.db
    .insert(invitations)
    .values({ vendorId, phone, name, role, preset, invitedBy: userOf(ctx).id, expiresAt: inDays })
    .onConflictDoNothing()
    .returning({ id: invitations.id })
  if (!made)
    throw new AppError('INVITATION_OPEN', {
      fields: { phone: translatorFor(ctx.actor.lang)('validation.invitationOpen') },
    })
  await emit(ctx, {
    name: 'invitation.sent',
    action: 'created',
    resource: 'invitation',
    id: made.id,
    vendorId,
    changes: [{ field: 'role', from: null, to: preset ?? role }],
    payload: { invitationId: made.id },
  })
  return { outcome: 'invited', invitation: await requireAdmin(ctx, made.id) }
}

/** @throws INVITATION_NOT_FOUND, INVITATION_CLOSED, TOO_MANY_REQUESTS */
export async function resend(ctx: Ctx, id: number, { isLimited }: { isLimited: boolean }): Promise<AdminInvitation> {
  const isDue = isLimited
    ? sql`${invitations.sentAt} <= now() - ${INVITATION_RESEND_MINUTES} * interval '1 minute'`
    : undefined
  const [sent] = await ctx.db
    .update(invitations)
    .set({
      messages: sql`${invitations.messages} + 1`,
      sentAt: sql`now()`,
      expiresAt: inDays,
      // The resending admin becomes the inviter, since the first one may have left the vendor.
      ...(userOf(ctx).role === 'vendor_admin' ? { invitedBy: userOf(ctx).id } : {}),
    })
    .where(
      and(isOwnRow(id, ctx.actor), eq(invitations.state, 'open'), lt(invitations.messages, INVITATION_MESSAGES), isDue),
    )
    .returning({ vendorId: invitations.vendorId })
  if (!sent) {
    const { state, can } = await requireAdmin(ctx, id)
    if (can.resend) throw retryLater('TOO_MANY_REQUESTS', INVITATION_RESEND_MINUTES * 60)
    throw new AppError('INVITATION_CLOSED', { state })
  }
  await emit(ctx, {
    name: 'invitation.sent',
    action: 'updated',
    resource: 'invitation',
    id,
    vendorId: sent.vendorId,
    changes: [{ field: 'sentAt', from: null, to: 'changed' }],
    payload: { invitationId: id },
  })
  return requireAdmin(ctx, id)
}

/** @throws INVITATION_NOT_FOUND, INVITATION_CLOSED if it was answered or withdrawn before */
export async function withdraw(ctx: Ctx, id: number): Promise<AdminInvitation> {
  const [row] = await ctx.db
    .update(invitations)
    .set({ state: 'withdrawn', closedAt: sql`now()` })
    .where(and(isOwnRow(id, ctx.actor), eq(invitations.state, 'open')))
    .returning({ vendorId: invitations.vendorId })
  const invitation = await requireAdmin(ctx, id)
  if (row) await emitState(ctx, id, row.vendorId, 'withdrawn')
  else throw new AppError('INVITATION_CLOSED', { state: invitation.state })
  return invitation
}

const emitState = (ctx: Ctx, id: number, vendorId: number, to: 'accepted' | 'withdrawn') =>
  emit(ctx, {
    name: `invitation.${to}`,
    action: 'updated',
    resource: 'invitation',
    id,
    vendorId,
    changes: [{ field: 'state', from: 'open', to }],
  })

/**
 * Moves the person to the vendor. Like every role change this ends all sessions, so the person signs in again as staff.
 * @throws INVITATION_NOT_FOUND, WORKS_ELSEWHERE without `leave`, SUPER_ADMIN_STAYS
 */
export async function accept(
  ctx: Ctx,
  cookies: CookieNames,
  { id, leave }: { id: number } & Parsed<typeof acceptInvitation>['body'],
  revocation: Revocation,
): Promise<{ success: true }> {
  const self = userOf(ctx)
  await lockRoles(ctx)
  const row = await lockUser(ctx, self.id)
  const open = await findOpen(ctx, row.phone, id)
  if (!open) throw new AppError('INVITATION_NOT_FOUND')
  const obstacle = obstacleFor(row.role)
  if (obstacle === 'SUPER_ADMIN_STAYS' || (obstacle !== null && !leave)) throw new AppError(obstacle)
  if (!(await close(ctx, id, 'accepted'))) throw new AppError('INVITATION_NOT_FOUND')
  const place = { role: open.role, preset: open.preset, vendorId: open.vendorId, name: row.name ?? open.name }
  await moveTo(ctx, row, place, revocation)
  await emitState(ctx, id, open.vendorId, 'accepted')
  ctx.setCookie({ name: cookies.session, value: null })
  return { success: true }
}

/** @throws INVITATION_NOT_FOUND */
export async function decline(ctx: Ctx, id: number): Promise<{ success: true }> {
  const open = await findOpen(ctx, userOf(ctx).phone, id)
  if (!open || !(await close(ctx, id, 'declined'))) throw new AppError('INVITATION_NOT_FOUND')
  // Without `vendorId`: the vendor's history would reveal the account. The list shows that it was declined.
  await emit(ctx, {
    name: 'invitation.declined',
    action: 'updated',
    resource: 'invitation',
    id,
    changes: [{ field: 'state', from: 'open', to: 'declined' }],
  })
  return { success: true }
}

async function close({ db }: Ctx, id: number, state: 'accepted' | 'declined'): Promise<boolean> {
  const closed = await db
    .update(invitations)
    .set({ state, closedAt: sql`now()` })
    .where(and(eq(invitations.id, id), eq(invitations.state, 'open')))
    .returning({ id: invitations.id })
  return closed.length > 0
}
