import type { Actor } from '@qatra/contract/actor'
import { type Column, type SQL, sql } from 'drizzle-orm'
import { vendorInReach } from '../vendors/policy.ts'
import { MARKET } from './tables.ts'

/**
 * Of which vendor somebody of the office sees customers, figures, notes and tags; MARKET is all of them.
 * @throws FORBIDDEN where `asked` is a vendor out of reach
 */
export const scopeOf = (actor: Actor, asked?: number | null): number => vendorInReach(actor, asked || null) ?? MARKET

/** The columns of the person, under the alias that the statement gives them. */
export interface PersonColumns {
  id: SQL | Column
  name: SQL | Column
}

/**
 * The name of a customer for the people of a vendor: the account's once the customer has ordered there in person, else the
 * one that was written into the newest order. An order on the telephone would tell the name behind any number.
 */
export function customerNameFor({ id, name }: PersonColumns, vendorId: number | null): SQL<string | null> {
  if (vendorId === null) return sql<string | null>`${name}`
  return sql<string | null>`(select case when bool_or(o.placed_by is null) then ${name}
      else (array_agg(o.customer_name order by o.created_at desc))[1] end
    from orders o where o.user_id = ${id} and o.vendor_id = ${vendorId})`
}

/** Whether the vendor's people may search by the account's name: the customer told it, or they typed it themselves. */
export const hasNameKnownTo = ({ id, name }: PersonColumns, vendorId: number): SQL =>
  sql`exists (select from orders o where o.user_id = ${id} and o.vendor_id = ${vendorId}
    and (o.placed_by is null or o.customer_name = ${name}))`
