import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { mayRead } from '@qatra/contract/whatsapp/access'
import { type Column, SQL, StringChunk, sql } from 'drizzle-orm'
import { MARKET } from '../customers/tables.ts'
import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { type Contact, requireContact } from './contacts.queries.ts'
import { contacts } from './tables.ts'

/**
 * Who reaches a conversation: the market's staff all of them, a vendor's staff with the permission those of the vendor's
 * customers and of people who are no vendor's customer yet. The filter and the predicate follow from `reachOf`.
 */
type Reach = { of: 'all' | 'none' } | { of: 'vendor'; vendorId: number }
type Reader = Pick<ActorUser, 'role' | 'vendorId' | 'permissions'>

function reachOf(user: Reader | null): Reach {
  if (!user || !isAuthorized(mayRead, user)) return { of: 'none' }
  if (user.role === 'super_admin') return { of: 'all' }
  return user.vendorId === null ? { of: 'none' } : { of: 'vendor', vendorId: user.vendorId }
}

/** Vendors with the contact as a customer; `vendor_id` 0 in the totals is the whole market. */
const customerships = (phone: SQL) => sql`customer_totals held join users holder on holder.id = held.user_id
  where holder.phone = ${phone} and holder.erased_at is null and held.vendor_id <> ${MARKET}`

/** Condition on the table of contacts. */
export function inReach({ user }: Pick<Actor, 'user'>): SQL {
  const reach = reachOf(user)
  if (reach.of !== 'vendor') return reach.of === 'all' ? sql`true` : sql`false`
  return sql`coalesce((select bool_or(held.vendor_id = ${reach.vendorId}) from ${customerships(sql`${contacts.phone}`)}), true)`
}

/** The same for the vendors of one contact. */
export function isInReach(user: Reader | null, vendorIds: readonly number[]): boolean {
  const reach = reachOf(user)
  if (reach.of !== 'vendor') return reach.of === 'all'
  return vendorIds.length === 0 || vendorIds.includes(reach.vendorId)
}

/**
 * Notes and acts of a conversation, by the vendor stored with them: a vendor's staff see those of the vendor and, where
 * it is null, of the market's staff. They stay with the vendor when their author moves or leaves.
 */
export function isWrittenInReach({ user }: Pick<Actor, 'user'>, vendorId: Column): SQL {
  const reach = reachOf(user)
  if (reach.of !== 'vendor') return reach.of === 'all' ? sql`true` : sql`false`
  return sql`(${vendorId} is null or ${vendorId} = ${reach.vendorId})`
}

/** Staff whose names the actor sees at a conversation: a vendor's staff those of the own vendor and of the market. */
export function isStaffInReach({ user }: Pick<Actor, 'user'>, staff: Record<'role' | 'vendorId', Column>): SQL {
  const reach = reachOf(user)
  if (reach.of !== 'vendor') return reach.of === 'all' ? sql`true` : sql`false`
  return sql`(${staff.role} = 'super_admin' or ${staff.vendorId} = ${reach.vendorId})`
}

/** SQL expression for the vendors of a contact, for statements that store or read them. */
const vendorIdsOf = (contactId: string) => `array(
  select held.vendor_id from contacts own join users holder on holder.phone = own.phone and holder.erased_at is null
    join customer_totals held on held.user_id = holder.id
  where own.id = ${contactId} and held.vendor_id <> ${MARKET} order by 1)`

/** Vendors that reach the contact and have not blocked it. */
const unblockedVendors = (contact: string) => `select v.id from vendors v
  where v.is_active and v.id <> all(${contact}.blocked_vendors)
    and (v.id = any(${vendorIdsOf(`${contact}.id`)}) or ${vendorIdsOf(`${contact}.id`)} = '{}')`

/** Condition on the alias of a contact: blocked by the market's staff, or by all vendors that reach it. */
export const isBlockedForAll = (contact: string) => `(${contact}.blocked_at is not null
  and (${contact}.blocked_vendors = '{}' or not exists (${unblockedVendors(contact)})))`

/** The same on the table of contacts. A constant: nothing of a request is in it. */
export const isContactBlockedForAll = new SQL<boolean>([new StringChunk(isBlockedForAll('contacts'))])

/** Condition on the table of contacts: a vendor's staff end the block of their vendor alone. */
export function mayUnblock({ user }: Pick<Actor, 'user'>): SQL<boolean> {
  const reach = reachOf(user)
  if (reach.of !== 'vendor') return reach.of === 'all' ? sql`true` : sql`false`
  return sql`${reach.vendorId}::integer = any(${contacts.blockedVendors})`
}

/** Condition on the table of contacts: it waits for none of the actor's. */
export function isBlockedFor(actor: Pick<Actor, 'user'>): SQL<boolean> {
  if (reachOf(actor.user).of !== 'vendor') return isContactBlockedForAll
  return sql`(${isContactBlockedForAll} or ${mayUnblock(actor)})`
}

/** As `vendorIdsOf`, for what rings: without vendors that blocked the contact. Never empty then, which would be all. */
export const rungVendorIdsOf = (contactId: string) => `coalesce((select case when b.blocked_vendors = '{}'
    then ${vendorIdsOf('b.id')} else array(${unblockedVendors('b')}) || ${MARKET} end
  from contacts b where b.id = ${contactId}), '{}')`

const vendorsSql = statement('contact-vendors', `select ${vendorIdsOf('$1')} as "vendorIds"`)
const rungVendorsSql = statement('contact-rung-vendors', `select ${rungVendorIdsOf('$1')} as "vendorIds"`)

async function vendorIdsBy(query: typeof vendorsSql, db: Db, contactId: number): Promise<readonly number[]> {
  const [row] = await run<{ vendorIds: number[] }>(db, query, [contactId])
  return row?.vendorIds ?? []
}

export const findVendorIds = (db: Db, contactId: number) => vendorIdsBy(vendorsSql, db, contactId)
export const findRungVendorIds = (db: Db, contactId: number) => vendorIdsBy(rungVendorsSql, db, contactId)

/** The contact of a path, by id or phone. @throws CONTACT_NOT_FOUND also for one out of reach */
export async function requireReachedContact(
  { db, actor }: { db: Db; actor: Pick<Actor, 'user'> },
  idOrPhone: string,
): Promise<Contact> {
  const contact = await requireContact(db, idOrPhone)
  if (!isInReach(actor.user, await findVendorIds(db, contact.id))) throw new AppError('CONTACT_NOT_FOUND')
  return contact
}

const ofMessageSql = statement(
  'message-contact',
  `select ${vendorIdsOf('m.contact_id')} as "vendorIds" from whatsapp_messages m where m.id = $1`,
)

/** @throws MESSAGE_NOT_FOUND also for a message of a contact out of reach */
export async function requireReachedMessage(
  { db, actor }: { db: Db; actor: Pick<Actor, 'user'> },
  messageId: number,
): Promise<void> {
  const [row] = await run<{ vendorIds: number[] }>(db, ofMessageSql, [messageId])
  if (!row || !isInReach(actor.user, row.vendorIds)) throw new AppError('MESSAGE_NOT_FOUND')
}
