import type { Parsed } from '@qatra/contract/endpoint'
import { choiceName, isGrantable, type RoleChoice } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import {
  type AdminUser,
  type changeRole as change,
  choicesInGift,
  type createUser as create,
  isVendorRole,
  type updateUser as update,
} from '@qatra/contract/users/users'
import { and, eq, ne, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { type Change, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { translatorFor } from '../lib/translate.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { vendors } from '../vendors/tables.ts'
import { describePerson, type PersonRow, requirePerson, requirePersonRow } from './admin.queries.ts'
import { lockRoles } from './commands.ts'
import { abilitiesOver, peopleInReach } from './policy.ts'
import type { UserRow } from './queries.ts'
import { users } from './tables.ts'

/** Ends what a person loses with a role or when deactivated. Both run in the transaction of the change. */
export interface Revocation {
  endSessions: (ctx: Ctx, userId: number) => Promise<void>
  /** Unassigns the open orders of a driver. */
  releaseOrders: (ctx: Ctx, driverId: number) => Promise<void>
}

/**
 * Serializes role changes and checks the right again under the lock: of two admins who demote each other concurrently,
 * the second gets FORBIDDEN.
 */
export async function lockRolesAndRecheck(ctx: Ctx): Promise<void> {
  const { id, role, vendorId } = userOf(ctx)
  await lockRoles(ctx)
  const [self] = await ctx.db
    .select()
    .from(users)
    .where(eq(users.id, ctx.actor.impersonator?.id ?? id))
  const isStill = ctx.actor.impersonator
    ? self?.role === 'super_admin'
    : self?.role === role && self.vendorId === vendorId
  if (!self?.isActive || !isStill) throw new AppError('FORBIDDEN')
}

async function requireAnotherSuper({ db }: Ctx, row: PersonRow): Promise<void> {
  if (row.role !== 'super_admin' || !row.isActive) return
  const isOther = and(eq(users.role, 'super_admin'), eq(users.isActive, true), ne(users.id, row.id))
  const [other] = await db.select({ id: users.id }).from(users).where(isOther).limit(1)
  if (!other) throw new AppError('LAST_SUPER_ADMIN')
}

/** The vendor that a role belongs to; null for roles without one. */
export async function vendorFor(ctx: Ctx, role: Role, requestedVendorId: number | null): Promise<number | null> {
  const vendorId = vendorInReach(ctx.actor, requestedVendorId)
  if (!isVendorRole(role)) return null
  if (vendorId === null) throw invalidFields(ctx, { vendorId: 'validation.required' })
  const [vendor] = await ctx.db.select({ id: vendors.id }).from(vendors).where(eq(vendors.id, vendorId))
  if (!vendor) throw invalidFields(ctx, { vendorId: 'validation.unknownVendor' })
  return vendorId
}

/** @throws FORBIDDEN for a role or preset that the actor cannot give */
export function requireInGift(ctx: Ctx, { role, preset }: RoleChoice): void {
  const isGiven = choicesInGift(userOf(ctx)).some((one) => one.role === role && one.preset === preset)
  if (!isGiven) throw new AppError('FORBIDDEN')
}

/**
 * Creates an account that is active at once. Only for super admins.
 * @throws PHONE_TAKEN, with `userId` if the caller may change that person's role
 */
export async function createPerson(
  ctx: Ctx,
  body: Parsed<typeof create>['body'],
): Promise<AdminUser & { outcome: 'created' }> {
  await lockRolesAndRecheck(ctx)
  const { phone, name, role, preset, notificationTypes } = body
  requireInGift(ctx, body)
  const vendorId = await vendorFor(ctx, role, body.vendorId ?? null)
  const [made] = await ctx.db
    .insert(users)
    .values({
      phone,
      name,
      role,
      preset,
      vendorId,
      createdBy: userOf(ctx).id,
      ...(notificationTypes ? { notificationTypes: [...notificationTypes] } : {}),
    })
    .onConflictDoNothing({ target: users.phone })
    .returning({ id: users.id })
  if (!made) throw await phoneTaken(ctx, phone)
  const changes = [
    { field: 'role', from: null, to: choiceName(body) },
    { field: 'vendorId', from: null, to: vendorId },
  ]
  await emit(ctx, { name: 'user.created', action: 'created', resource: 'user', id: made.id, vendorId, changes })
  return { ...(await requirePerson(ctx, made.id)), outcome: 'created' }
}

/** @throws PHONE_TAKEN if the phone belongs to a person the caller can see */
export async function requirePhoneNotInReach(ctx: Ctx, phone: string): Promise<void> {
  const [own] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.phone, phone), peopleInReach(ctx.actor)))
  if (own) throw await phoneTaken(ctx, phone)
}

/** @throws SIGNED_OUT if the account was erased or deactivated concurrently */
export async function lockUser({ db }: Ctx, id: number): Promise<UserRow> {
  const isThere = and(eq(users.id, id), eq(users.isActive, true))
  const [row] = await db.select().from(users).where(isThere).for('no key update')
  if (!row) throw new AppError('SIGNED_OUT')
  return row
}

async function phoneTaken(ctx: Ctx, phone: string): Promise<AppError> {
  const [holder] = await ctx.db.select().from(users).where(eq(users.phone, phone))
  const mayChange = holder && abilitiesOver(ctx.actor, holder).changeRole
  return new AppError('PHONE_TAKEN', {
    fields: { phone: translatorFor(ctx.actor.lang)('validation.phoneTaken') },
    ...(mayChange ? { userId: holder.id } : {}),
  })
}

/** Fields that are not editable here may be sent unchanged. */
function requireUnchanged(row: PersonRow, { role, vendorId, phone }: Parsed<typeof update>['body']) {
  const isSame =
    (role === undefined || role === row.role) &&
    (vendorId === undefined || vendorId === row.vendorId) &&
    (phone === undefined || phone === row.phone)
  if (!isSame) throw new AppError('FORBIDDEN')
}

/** @throws INVALID_BODY with each permission that has no effect for the role */
function requireGrantable({ actor }: Ctx, of: RoleChoice, wanted: readonly string[]) {
  const words = translatorFor(actor.lang)('validation.permissionUseless')
  const fields = wanted.flatMap((each, i) => (isGrantable(of, each) ? [] : [[`permissions.${i}`, words] as const]))
  if (fields.length > 0) throw new AppError('INVALID_BODY', { fields: Object.fromEntries(fields) })
}

export async function updatePerson(
  ctx: Ctx,
  id: number,
  body: Parsed<typeof update>['body'],
  { endSessions }: Revocation,
): Promise<AdminUser> {
  if (body.isActive !== undefined) await lockRolesAndRecheck(ctx)
  const row = await requirePersonRow(ctx, id, 'no key update')
  requireUnchanged(row, body)
  const can = abilitiesOver(ctx.actor, row)
  const { name, isActive, permissions, notificationEnabled, notificationTypes } = body
  const isSwitched = isActive !== undefined && isActive !== row.isActive
  if (!can.edit || (isSwitched && !can.switchOff)) throw new AppError('FORBIDDEN')
  if (permissions !== undefined && !can.changePermissions) throw new AppError('FORBIDDEN')
  if (permissions !== undefined) requireGrantable(ctx, row, permissions)
  if (isSwitched && ctx.actor.impersonator) throw new AppError('IMPERSONATING')
  if (isSwitched && !isActive) await requireAnotherSuper(ctx, row)

  const wanted = {
    ...(name === undefined ? {} : { name }),
    ...(isActive === undefined ? {} : { isActive }),
    // Any change of the person drops stored permissions without effect for the role.
    permissions: permissions ? [...new Set(permissions)].sort() : row.permissions.filter((p) => isGrantable(row, p)),
    ...(notificationEnabled === undefined ? {} : { notificationEnabled }),
    ...(notificationTypes === undefined ? {} : { notificationTypes: [...new Set(notificationTypes)] }),
  }
  const changes = Object.entries(wanted).flatMap(([field, to]): Change[] => {
    const from = row[field as keyof typeof wanted] // the fields of `wanted` are fields of the row
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    // Names are personal data: the history says that one changed, not to what.
    return [field === 'name' ? { field, from: null, to: 'changed' } : { field, from, to }]
  })
  if (changes.length === 0) return describePerson(ctx.actor, row, ctx.now)
  await ctx.db
    .update(users)
    .set({ ...wanted, updatedAt: sql`now()` })
    .where(eq(users.id, id))
  if (isSwitched && !isActive) await endSessions(ctx, id)
  const { vendorId } = row
  await emit(ctx, { name: 'user.updated', action: 'updated', resource: 'user', id, vendorId, changes })
  return requirePerson(ctx, id)
}

export interface Place extends RoleChoice {
  vendorId: number | null
}

/**
 * Changes role and vendor. Unassigns open orders, resets permissions and ends all sessions, since a customer's session
 * lives longer than staff sessions may. The caller has locked the row.
 */
export async function moveTo(
  ctx: Ctx,
  row: UserRow,
  { role, preset, vendorId, name = row.name }: Place & { name?: string | null },
  { endSessions, releaseOrders }: Revocation,
): Promise<void> {
  // Personal permissions were granted for the previous role and vendor.
  await ctx.db
    .update(users)
    .set({ role, preset, vendorId, name, permissions: [], updatedAt: sql`now()` })
    .where(eq(users.id, row.id))
  await endSessions(ctx, row.id)
  if (row.role === 'driver') await releaseOrders(ctx, row.id)
  const [was, is]: [Place, Place] = [row, { role, preset, vendorId }]
  const isElsewhere = row.vendorId !== null && vendorId !== null && row.vendorId !== vendorId
  // For a move between vendors each vendor's history gets its own entry.
  if (!isElsewhere) return emitChange(row.vendorId ?? vendorId, was, is)
  const away: Place = { role: 'customer', preset: null, vendorId: null }
  await emitChange(row.vendorId, was, away)
  await emitChange(vendorId, away, is)

  async function emitChange(ofVendor: number | null, from: Place, to: Place) {
    const changes: Change[] = [
      { field: 'role', from: choiceName(from), to: choiceName(to) },
      { field: 'vendorId', from: from.vendorId, to: to.vendorId },
      ...(from === was ? [{ field: 'permissions', from: row.permissions, to: [] }] : []),
    ].filter((change) => JSON.stringify(change.from) !== JSON.stringify(change.to))
    await emit(ctx, {
      name: 'user.role-changed',
      action: 'role-changed',
      resource: 'user',
      id: row.id,
      vendorId: ofVendor,
      changes,
    })
  }
}

async function assignPlace(ctx: Ctx, row: PersonRow, place: Place, revocation: Revocation): Promise<AdminUser> {
  const isSame = row.role === place.role && row.preset === place.preset && row.vendorId === place.vendorId
  if (isSame) return describePerson(ctx.actor, row, ctx.now)
  if (place.role !== 'super_admin') await requireAnotherSuper(ctx, row)
  await moveTo(ctx, row, place, revocation)
  const [after] = await ctx.db.select().from(users).where(eq(users.id, row.id))
  if (!after) throw new Error('The row was locked')
  return describePerson(ctx.actor, { ...after, openOrders: 0 }, ctx.now)
}

export async function changeRole(
  ctx: Ctx,
  id: number,
  body: Parsed<typeof change>['body'],
  revocation: Revocation,
): Promise<AdminUser> {
  await lockRolesAndRecheck(ctx)
  const row = await requirePersonRow(ctx, id, 'no key update')
  if (!abilitiesOver(ctx.actor, row).roles.includes(body.role)) throw new AppError('FORBIDDEN')
  requireInGift(ctx, body)
  const vendorId = await vendorFor(ctx, body.role, body.vendorId ?? null)
  return assignPlace(ctx, row, { role: body.role, preset: body.preset, vendorId }, revocation)
}

export async function removeVendorAccess(ctx: Ctx, id: number, revocation: Revocation): Promise<AdminUser> {
  await lockRolesAndRecheck(ctx)
  const row = await requirePersonRow(ctx, id, 'no key update')
  if (!abilitiesOver(ctx.actor, row).changeRole) throw new AppError('FORBIDDEN')
  return assignPlace(ctx, row, { role: 'customer', preset: null, vendorId: null }, revocation)
}
