import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import { isAuthorized } from '@qatra/contract/users/permissions'
import { mayRead } from '@qatra/contract/whatsapp/access'
import { type Column, type SQL, sql } from 'drizzle-orm'
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
export const vendorIdsOf = (contactId: string) => `array(
  select held.vendor_id from contacts c join users holder on holder.phone = c.phone and holder.erased_at is null
    join customer_totals held on held.user_id = holder.id
  where c.id = ${contactId} and held.vendor_id <> ${MARKET} order by 1)`

const vendorsSql = statement('contact-vendors', `select ${vendorIdsOf('$1')} as "vendorIds"`)

export async function findVendorIds(db: Db, contactId: number): Promise<readonly number[]> {
  const [row] = await run<{ vendorIds: number[] }>(db, vendorsSql, [contactId])
  return row?.vendorIds ?? []
}

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
