import type { Actor } from '@qatra/contract/users/actor'
import { type Column, type SQL, sql } from 'drizzle-orm'
import { vendorInReach } from '../vendors/policy.ts'
import { MARKET } from './tables.ts'

/**
 * The vendor whose customers, figures, notes and tags staff may see; MARKET is all of them. @throws FORBIDDEN if
 * `requestedVendorId` is a vendor out of reach
 */
export const scopeOf = (actor: Actor, requestedVendorId?: number | null): number =>
  vendorInReach(actor, requestedVendorId || null) ?? MARKET

/** Columns of the users table under the statement's alias. */
export interface PersonColumns {
  id: SQL | Column
  name: SQL | Column
  /** Whether the customer has placed an order at the vendor, where the statement knows. */
  hasOrdered?: SQL
}

const hasOrderedAt = (id: SQL | Column, vendorId: number) =>
  sql`exists (select from customer_totals held where held.user_id = ${id} and held.vendor_id = ${vendorId}
    and held.own_count > 0)`

/**
 * Customer name for a vendor's staff: the account's name if the customer has placed an order there, else the name in the
 * newest order, else the name in an imported file of the vendor. Otherwise a phone order would reveal the name behind any
 * number.
 */
export function customerNameFor({ id, name, hasOrdered }: PersonColumns, vendorId: number | null): SQL<string | null> {
  if (vendorId === null) return sql<string | null>`${name}`
  return sql<string | null>`coalesce(case when ${hasOrdered ?? hasOrderedAt(id, vendorId)} then ${name}
      else (select o.customer_name from orders o where o.user_id = ${id} and o.vendor_id = ${vendorId}
        order by o.created_at desc limit 1) end, ${importedFor(id, vendorId, sql`imported_row.name`)})`
}

// The names of the aliases are long, since callers use short ones for their own tables.
const ofFiles = (id: SQL | Column, vendorId: number | null) => sql`from customer_import_rows imported_row
    join customer_imports imported_file on imported_file.id = imported_row.import_id
    where imported_row.user_id = ${id} and ${vendorId === null ? sql`true` : sql`imported_file.vendor_id = ${vendorId}`}`

/**
 * The newest value of a column `imported_row.…` that imported files have for the customer: those of the vendor, or for
 * MARKET all. `id` needs the name of its table.
 */
export const importedFor = <T>(id: SQL | Column, scope: number, column: SQL<T>): SQL<T | null> =>
  sql<T | null>`(select ${column} ${ofFiles(id, scope === MARKET ? null : scope)} and ${column} is not null
    order by imported_file.id desc limit 1)`

/**
 * Whether the vendor may search by the account's name: the customer ordered there, or an order or an imported file of the
 * vendor has the same name.
 */
export const hasNameKnownTo = ({ id, name, hasOrdered }: PersonColumns, vendorId: number): SQL =>
  sql`(${hasOrdered ?? hasOrderedAt(id, vendorId)}
    or exists (select from orders o where o.user_id = ${id} and o.vendor_id = ${vendorId} and o.customer_name = ${name})
    or exists (select ${ofFiles(id, vendorId)} and imported_row.name = ${name}))`
