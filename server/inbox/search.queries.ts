import { parseOrderId } from '@qatra/contract/orders/order-id'
import type { Actor } from '@qatra/contract/users/actor'
import { type SQL, sql } from 'drizzle-orm'
import {
  contacts,
  whatsappMessages as messages,
  whatsappConversationThreads as threads,
} from '../conversations/tables.ts'
import { hasNameKnownTo } from '../customers/policy.ts'
import type { Ctx } from '../database/context.ts'
import { managedBy } from '../orders/policy.ts'
import { orders } from '../orders/tables.ts'
import { matchingText, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'

/** Shorter terms match nearly every message. */
const SHORTEST_IN_WORDS = 3
const SHORTEST_ORDER_ID = 4
/** A search finds the latest conversations by name or phone, and those of the newest messages and orders with the text. */
const MAX_FOUND = 300
const MAX_MESSAGES = 1_000

/** The vendor whose names the actor knows; null knows all. */
export const vendorScope = ({ user }: Actor) => (user?.role === 'super_admin' ? null : (user?.vendorId ?? 0))

const latest = sql`${threads.lastActivity} desc nulls last, ${threads.id} desc nulls last`
const ofContact = sql`${threads} join ${contacts} on ${contacts.id} = ${threads.contactId}`

/**
 * Contacts by name, phone and id, order ids and message texts, each as far as the actor knows them, among the
 * conversations of `where`; null without a search text.
 */
export async function findContacts(ctx: Ctx, typed: string | undefined, where: SQL): Promise<number[] | null> {
  const text = searchedFor(typed ?? '')
  if (text === '') return null
  const { rows } = await ctx.db.execute<{ id: number }>(sql.join(waysTo(ctx, typed, text, where), sql` union `))
  return rows.map(({ id }) => id)
}

function waysTo({ actor }: Ctx, typed: string | undefined, text: string, where: SQL): SQL[] {
  const vendorId = vendorScope(actor)
  const isKnown = vendorId === null ? sql`true` : hasNameKnownTo(users, vendorId)
  const ways = [
    sql`(select ${contacts.id} as id from ${ofContact}
      where ${where} and ${matchingText(contacts.searchText, text)} order by ${latest} limit ${MAX_FOUND})`,
  ]
  if (text.length >= SHORTEST_IN_WORDS)
    ways.push(
      sql`(select ${contacts.id} as id from ${ofContact} join ${users} on ${users.phone} = ${contacts.phone}
        where ${where} and ${matchingText(users.searchText, text)} and ${isKnown} order by ${latest} limit ${MAX_FOUND})`,
      sql`(select ${contacts.id} as id from ${messages} join ${ofContact} on ${contacts.id} = ${messages.contactId}
        where ${where} and ${matchingText(messages.searchText, text)} order by ${messages.id} desc limit ${MAX_MESSAGES})`,
    )
  const orderId = parseOrderId(typed ?? '')
  if (orderId && orderId.length >= SHORTEST_ORDER_ID)
    ways.push(
      sql`(select ${contacts.id} as id from ${orders} join ${ofContact} on ${contacts.phone} = ${orders.phone}
        where ${where} and ${matchingText(orders.searchText, orderId.toLowerCase())} and ${managedBy(actor)}
        order by ${orders.createdAt} desc nulls last limit ${MAX_FOUND})`,
    )
  return ways
}
