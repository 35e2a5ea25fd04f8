import type { Referral } from '@qatra/contract/users/referral'
import { eq, isNotNull, sql } from 'drizzle-orm'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { AppError } from '../lib/errors.ts'
import { saveOrderReferral } from '../orders/commands.ts'
import { answerOffers } from '../users/commands.ts'
import { isContactBlockedForAll } from './policy.ts'
import type { Sender } from './received.ts'
import { contacts } from './tables.ts'

interface Known {
  id: number
  phone: string | null
  business_scoped_id: string | null
}

// The contact with the phone comes first: it is the older one and has the orders.
const knownSql = statement(
  'contact-known',
  `select id, phone, business_scoped_id from contacts
   where phone = $1 or business_scoped_id = $2 order by (phone = $1) desc nulls last, id for update`,
)
const makeSql = statement(
  'contact-make',
  `insert into contacts (phone, business_scoped_id, name) values ($1, $2, $3) on conflict do nothing returning id`,
)
const learnSql = statement(
  'contact-learn',
  `update contacts set phone = coalesce($2, phone), business_scoped_id = coalesce($3, business_scoped_id),
     name = coalesce($4, name), updated_at = now()
   where id = $1 and (phone, business_scoped_id, name) is distinct from
     (coalesce($2, phone), coalesce($3, business_scoped_id), coalesce($4, name))`,
)
const joinSql = statement('contact-join', 'select join_contacts($1, $2)')

/** Returns the sender's contact and creates it if missing; merges two contacts that turn out to be the same person. */
export async function admitContact(ctx: Pick<JobContext, 'db'>, sender: Sender): Promise<number> {
  const { phone, businessScopedId, name } = sender
  if (phone === null && businessScopedId === null) throw new Error('A contact has a phone or an id')
  for (;;) {
    const [kept, other] = await run<Known>(ctx.db, knownSql, [phone, businessScopedId])
    if (kept) {
      if (other) await run(ctx.db, joinSql, [kept.id, other.id])
      await run(ctx.db, learnSql, [kept.id, phone, businessScopedId, name])
      return kept.id
    }
    const [made] = await run<{ id: number }>(ctx.db, makeSql, [phone, businessScopedId, name])
    if (made) return made.id
    // A concurrent transaction created it.
  }
}

/** Stores a verified number of a contact. Returns the contact to use from now on, which differs after a merge. */
export async function saveVerifiedPhone(
  ctx: Pick<JobContext, 'db'>,
  contactId: number,
  phone: string,
): Promise<number> {
  const rows = await run<Known>(ctx.db, knownSql, [phone, null])
  const [owner] = rows
  if (owner && owner.id !== contactId) {
    await run(ctx.db, joinSql, [owner.id, contactId])
    return owner.id
  }
  await run(ctx.db, learnSql, [contactId, phone, null, null])
  return contactId
}

const linkedSql = statement('contact-linked', 'select from contacts where phone = $1 and business_scoped_id = $2')

/**
 * Stores the id of a message's recipient known by phone, so that the person is recognized by it later; a contact that
 * wrote by the id before is merged. Contacts with another phone or id are left alone: the number may have a new owner.
 */
export async function linkRecipient({ db }: Pick<JobContext, 'db'>, phone: string, scopedId: string): Promise<void> {
  if ((await run(db, linkedSql, [phone, scopedId])).length > 0) return
  const rows = await run<Known>(db, knownSql, [phone, scopedId])
  const isOpen = rows.every(
    (row) => (row.phone ?? phone) === phone && (row.business_scoped_id ?? scopedId) === scopedId,
  )
  const [kept, other] = rows
  // A person known only by id may hide the phone, which is not verified here.
  if (!kept || kept.phone === null || !isOpen) return
  if (other) await run(db, joinSql, [kept.id, other.id])
  await run(db, learnSql, [kept.id, phone, scopedId, null])
}

const movedSql = statement(
  'contact-moved',
  `update contacts set phone = coalesce($2, phone), business_scoped_id = coalesce($3, business_scoped_id),
     updated_at = now() where id = $1`,
)

/** Stores a new number or id reported by the provider. */
export async function moveContact(
  ctx: Pick<JobContext, 'db'>,
  from: Sender,
  { phone, businessScopedId }: { phone: string | null; businessScopedId: string | null },
): Promise<number> {
  const contactId = await admitContact(ctx, from)
  const rows = await run<Known>(ctx.db, knownSql, [phone, businessScopedId])
  for (const { id } of rows) if (id !== contactId) await run(ctx.db, joinSql, [contactId, id])
  await run(ctx.db, movedSql, [contactId, phone, businessScopedId])
  return contactId
}

interface Block {
  /** Null: of the market's staff, for all vendors. */
  vendorId: number | null
  /** Null ends it. */
  by: { reason: string; userId: number } | null
}

/**
 * Stores that the contact is blocked, and why. Whether that holds for all, so that neither bot nor campaign writes to it.
 * @throws FORBIDDEN if a vendor's staff end the block of the market's
 */
export async function setBlocked(ctx: JobContext, contactId: number, { vendorId, by }: Block): Promise<boolean> {
  const isContact = eq(contacts.id, contactId)
  const [row] = await ctx.db.select().from(contacts).where(isContact).for('update')
  const before = row?.blockedVendors ?? []
  const isOfMarket = row !== undefined && row.blockedAt !== null && before.length === 0
  if (vendorId !== null && isOfMarket) {
    if (by) return true
    throw new AppError('FORBIDDEN')
  }
  const others = vendorId === null ? [] : before.filter((id) => id !== vendorId)
  const [changed] = await ctx.db
    .update(contacts)
    .set({
      blockedVendors: by && vendorId !== null ? [...others, vendorId] : others,
      ...(by && { blockedAt: sql`now()`, blockedBy: by.userId, blockedReason: by.reason }),
      ...(!by && others.length === 0 && { blockedAt: null, blockedBy: null, blockedReason: null }),
      updatedAt: sql`now()`,
    })
    .where(isContact)
    .returning({ isForAll: isContactBlockedForAll })
  return changed?.isForAll ?? false
}

export type OptOutSource = 'message' | 'provider' | 'profile' | 'office'

/**
 * Stores whether the contact accepts marketing. Applies to all campaigns, including running ones; order updates and
 * replies are still sent. What the customer writes is the answer of the account, too.
 */
export async function setOptOut(
  ctx: JobContext,
  contactId: number,
  { isOut, source, at }: { isOut: boolean; source: OptOutSource; at?: Date },
): Promise<void> {
  const when = at ? sql`least(${at.toISOString()}::timestamptz, now())` : sql`now()`
  const [before] = await ctx.db
    .select({ isOut: isNotNull(contacts.optedOutAt) })
    .from(contacts)
    .where(eq(contacts.id, contactId))
  const [changed] = await ctx.db
    .update(contacts)
    .set({
      optedOutAt: isOut ? sql`coalesce(${contacts.optedOutAt}, ${when})` : null,
      optOutSource: source,
      optOutChangedAt: when,
      updatedAt: sql`now()`,
    })
    // If two answers arrive in the wrong order, the later one wins.
    .where(sql`${contacts.id} = ${contactId} and coalesce(${contacts.optOutChangedAt} <= ${when}, true)`)
    .returning({ phone: contacts.phone })
  const isOwn = source === 'message' || source === 'provider'
  // A word of opting in that ends no opt-out is a greeting.
  if (isOwn && changed?.phone && (isOut || before?.isOut)) await answerOffers(ctx, changed.phone, !isOut)
}

const storeSql = statement(
  'contact-referral',
  `update contacts set referral = $2, referred_at = $3, updated_at = now()
   where id = $1 and coalesce(referred_at <= $3, true)`,
)

/** Stores the ad that a contact came from; the latest wins in any order of arrival. */
export const storeReferral = ({ db }: Pick<JobContext, 'db'>, contactId: number, referral: Referral, at: Date) =>
  run(db, storeSql, [contactId, JSON.stringify(referral), at])

/** An ad counts for orders placed within so many days. */
const DAYS = 7
const ofOrdersSql = statement(
  'order-referrals',
  `select o.id, c.referral from orders o join users u on u.id = o.user_id join contacts c on c.phone = u.phone
   where o.id = any($1::text[]) and c.referred_at between o.created_at - interval '${DAYS} days' and o.created_at
   order by o.id`,
)

/** Copies the ads of the customers' contacts to new orders. */
export async function referOrders(ctx: JobContext, orderIds: readonly string[]): Promise<void> {
  const referred = await run<{ id: string; referral: Referral }>(ctx.db, ofOrdersSql, [orderIds])
  for (const { id, referral } of referred) await saveOrderReferral(ctx, id, referral)
}
