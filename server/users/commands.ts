import type { Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { companyNames } from '@qatra/contract/orders/buyer'
import { mapKeys } from '@qatra/contract/orders/totals'
import type { User, updateProfile as update } from '@qatra/contract/users/auth'
import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { emit, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { writeDefaultAddress } from './address-book.commands.ts'
import { findDefaultAddress } from './address-book.queries.ts'
import { describeSelf, type UserRow } from './queries.ts'
import { users } from './tables.ts'

/**
 * The user of a verified phone, created if missing; requesting a code creates none. Null if the account is deactivated,
 * or if `only` is set and the account has another role.
 */
export async function admitUser(
  { db }: Ctx,
  phone: string,
  language: Lang,
  only?: 'customer',
): Promise<{ row: UserRow; isNew: boolean } | null> {
  const [admitted] = await db
    .insert(users)
    .values({ phone, language, isVerified: true, lastLoginAt: sql`now()`, lastActiveAt: sql`now()` })
    .onConflictDoUpdate({
      target: users.phone,
      set: { isVerified: true, lastLoginAt: sql`now()`, lastActiveAt: sql`now()` },
      setWhere: and(eq(users.isActive, true), only && eq(users.role, only)),
    })
    .returning({ ...getTableColumns(users), isNew: sql<boolean>`xmax = 0` })
  if (!admitted) return null
  const { isNew, ...row } = admitted
  return { row, isNew }
}

/** Serializes all role changes until the transaction ends. */
export async function lockRoles({ db }: Ctx): Promise<void> {
  await takeLock(db, 'roles')
}

/** Makes this user the first super admin; null if there is one. */
export async function makeOwner(ctx: Ctx, userId: number): Promise<UserRow | null> {
  await lockRoles(ctx)
  const [row] = await ctx.db
    .update(users)
    .set({ role: 'super_admin', vendorId: null, updatedAt: sql`now()` })
    .where(
      and(eq(users.id, userId), sql`not exists (select from users o where o.role = 'super_admin' and o.is_active)`),
    )
    .returning()
  if (!row) return null
  const changes = [{ field: 'role', from: 'customer', to: 'super_admin' }]
  await emit(ctx, { name: 'user.owner-claimed', action: 'updated', resource: 'user', id: userId, changes })
  return row
}

/** Changes only the fields that were sent. The history names the fields, never their contents. */
export async function updateProfile(ctx: Ctx, fields: Parsed<typeof update>['body']): Promise<User> {
  const { id } = userOf(ctx)
  const { address, addressParts, mapCoordinates, instructions, marketingConsent, ...plain } = fields
  const isThere = and(eq(users.id, id), eq(users.isActive, true))
  const [before] = await ctx.db.select().from(users).where(isThere).for('update')
  // Erased or deactivated while waiting for the lock.
  if (!before) throw new AppError('SIGNED_OUT')
  const deliveryBefore = await findDefaultAddress(ctx, id)
  const answersConsent = marketingConsent !== undefined && marketingConsent !== before.marketingConsent
  const [after] = await ctx.db
    .update(users)
    .set({
      ...plain,
      ...(answersConsent ? { marketingConsent, consentSource: 'profile', consentAt: sql`now()` } : {}),
      updatedAt: sql`now()`,
    })
    .where(eq(users.id, id))
    .returning()
  if (!after) throw new Error('The row was locked')
  const delivery = await writeDefaultAddress(ctx, { address, addressParts, mapCoordinates, instructions })
  const [was, is] = [describeSelf(ctx, before, deliveryBefore), describeSelf(ctx, after, delivery)]
  const changed = Object.keys(fields).filter((field) => differs(was, is, field))
  if (changed.length > 0) {
    const changes = changed.map((field) => ({ field, from: null, to: 'changed' }))
    await emit(ctx, { name: 'user.updated', action: 'updated', resource: 'user', id, changes })
  }
  if (answersConsent && marketingConsent) await publish(ctx, 'offers.agreed', { userId: id })
  return is
}

export type Company = Pick<UserRow, (typeof companyNames)[number]>

/** Stores the sent facts of a company in the account of the locked user, except while impersonating. Returns what holds then. */
export async function keepCompany(
  ctx: Ctx,
  before: Company,
  sent: { [name in keyof Company]?: string | null | undefined },
) {
  const { id } = userOf(ctx)
  const after = mapKeys(companyNames, (name) => (sent[name] === undefined ? before[name] : sent[name] || null))
  const changed = companyNames.filter((name) => after[name] !== before[name])
  if (changed.length === 0 || ctx.actor.impersonator) return after
  await ctx.db
    .update(users)
    .set({ ...after, updatedAt: sql`now()` })
    .where(eq(users.id, id))
  const changes = changed.map((field) => ({ field, from: null, to: 'changed' }))
  await emit(ctx, { name: 'user.updated', action: 'updated', resource: 'user', id, changes })
  return after
}

const offersSql = statement(
  'user-offers',
  `update users set marketing_consent = $2, consent_source = 'message', consent_at = now(), updated_at = now()
   where phone = $1 and marketing_consent <> $2`,
)
/** Whether the account of a phone agrees to offers, as its owner has written. */
export const answerOffers = ({ db }: Pick<JobContext, 'db'>, phone: string, agrees: boolean) =>
  run(db, offersSql, [phone, agrees])

const differs = (was: User, is: User, field: string) => {
  const key = field as keyof User // the profile's fields are fields of the user
  return JSON.stringify(was[key]) !== JSON.stringify(is[key])
}

/** End of a statement whose `s` has the session's people: stores the time of their activity. */
export const lastActiveSql = `update users u set last_active_at = now() from s
   where u.id = coalesce(s.impersonator_id, s.user_id)`

/** Keeps only the id, for orders and histories. */
export async function anonymiseUser({ db }: Ctx, id: number): Promise<void> {
  await db
    .update(users)
    .set({
      phone: `erased-${id}`,
      name: null,
      companyName: null,
      crNumber: null,
      vatNumber: null,
      deliveryAreaId: null,
      isVerified: false,
      isActive: false,
      permissions: [],
      telegramChatId: null,
      telegramThreadId: null,
      telegramName: null,
      notificationEnabled: false,
      marketingConsent: false,
      reminders: false,
      consentSource: null,
      consentAt: null,
      lastLoginAt: null,
      lastActiveAt: null,
      erasedAt: sql`now()`,
      updatedAt: sql`now()`,
    })
    .where(eq(users.id, id))
}

const unlinked = { telegramChatId: null, telegramName: null }

/** Links a Telegram account to one user and unlinks it from any other. */
export async function bindTelegram(
  { db }: Pick<JobContext, 'db'>,
  userId: number,
  { chatId, name }: { chatId: string; name: string | null },
): Promise<void> {
  await db
    .update(users)
    .set(unlinked)
    .where(and(eq(users.telegramChatId, chatId), ne(users.id, userId)))
  await db.update(users).set({ telegramChatId: chatId, telegramName: name }).where(eq(users.id, userId))
}

export async function unbindTelegram({ db }: Pick<JobContext, 'db'>, userId: number): Promise<void> {
  await db.update(users).set(unlinked).where(eq(users.id, userId))
}
