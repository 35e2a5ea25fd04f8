import type { FreeBottles } from '@qatra/contract/bottles'
import type { Actor } from '@qatra/contract/users/actor'
import { freeBottlesSql } from '../bottles/queries.ts'
import { takeTextLock } from '../database/advisory-lock.ts'
import { type Db, run, statement } from '../database/db.ts'

/** The owner as in `carts.owner`; null for a visitor without a cart. */
export const ownerOf = ({ user, guestSession }: Actor): string | null => (user ? ownerOfUser(user.id) : guestSession)

export const ownerOfUser = (userId: number) => `u${userId}`

/** The columns of an owner. A visitor's hash is hexadecimal and never starts with `u`. */
export const columnsOf = (owner: string) =>
  owner.startsWith('u') ? { userId: Number(owner.slice(1)), sessionId: null } : { userId: null, sessionId: owner }

export interface CartLine {
  id: number
  productId: number
  quantity: number
  /** Null: as many as the customer has. */
  empties: number | null
}

/** An owner's carts: the active one (`id` is null if there is none) and, for 30 days, the parked one. */
export interface CartRow {
  id: number | null
  vendorId: number | null
  version: number
  items: readonly CartLine[]
  free: FreeBottles
  parkedId: number | null
  parkedVendorId: number | null
  parkedVersion: number | null
  parkedAt: Date | null
  parkedItems: number
  /** Vendor of the product asked for; null if that product cannot be ordered. */
  offeredBy: number | null
}

const readSql = statement(
  'cart-read',
  `select c.id, c.vendor_id as "vendorId", coalesce(c.version, 0) as version,
     coalesce((select json_agg(json_build_object('id', i.id, 'productId', i.product_id, 'quantity', i.quantity, 'empties', i.empties))
       from cart_items i where i.cart_id = c.id), '[]') as items,
     ${freeBottlesSql(`case when $1 like 'u%' then substr($1, 2)::integer end`)} as free,
     k.id as "parkedId", k.vendor_id as "parkedVendorId", k.version as "parkedVersion", k.parked_at as "parkedAt",
     (select count(*)::integer from cart_items i where i.cart_id = k.id) as "parkedItems",
     (select p.vendor_id from products p join vendors v on v.id = p.vendor_id
      where p.id = $2::integer and p.is_active and p.deleted_at is null and v.is_active) as "offeredBy"
   from (select 1) one
   left join carts c on c.owner = $1 and c.parked_at is null
   left join carts k on k.owner = $1 and k.parked_at > now() - interval '30 days'`,
)

const upsertInto = (cart: string) =>
  `with cart as (${cart})
   insert into cart_items (cart_id, vendor_id, product_id, quantity, empties)
   select cart.id, $1, line.product_id, line.quantity, line.empties
   from cart, unnest($2::integer[], $3::integer[], $4::integer[]) as line (product_id, quantity, empties)
   on conflict on constraint cart_items_once do update set quantity = excluded.quantity,
     empties = coalesce(excluded.empties, case when cart_items.empties is not null then least(cart_items.empties, excluded.quantity) end)
   returning cart_id as "cartId", id, product_id as "productId", quantity, empties`

const saveSql = statement(
  'cart-put',
  upsertInto(
    `update carts set vendor_id = $1, version = $5, updated_at = now() where id = $6 and version = $7 returning id`,
  ),
)
const createSql = statement(
  'cart-create',
  upsertInto(`insert into carts (vendor_id, version, user_id, session_id) values ($1, $5, $6, $7) returning id`),
)

const removeSql = statement(
  'cart-remove',
  `with cart as (
     update carts set vendor_id = $1, version = version + 1, updated_at = now() where id = $2 and version = $3
     returning id)
   delete from cart_items i using cart where i.cart_id = cart.id and i.id = any($4::integer[])
   returning i.id`,
)

/**
 * Serializes the changes of an owner's carts until the transaction ends. An advisory lock, because an owner may have no
 * row yet, and because the active and the parked cart swap roles: row locks would be taken in both orders. Lock order:
 * the row of the user, carts of the visitor, carts of the user, then rows of carts.
 */
export const lockOwner = (db: Db, owner: string) => takeTextLock(db, 'cart', owner)

export async function readCarts(db: Db, owner: string | null, productId: number | null = null): Promise<CartRow> {
  const [row] = await run<CartRow>(db, readSql, [owner, productId])
  if (!row) throw new Error('The statement returns one row')
  return row
}

/** Locks the owner and reads the carts in one round trip; the read is a statement of its own, so it sees the latest commit. */
export async function lockCarts(db: Db, owner: string, productId: number | null = null): Promise<CartRow> {
  const [, row] = await Promise.all([lockOwner(db, owner), readCarts(db, owner, productId)])
  return row
}

/** A cart was changed by a transaction without the owner's lock. Has the code of a serialization failure: retried. */
export class StaleCart extends Error {
  override name = 'StaleCart'
  code = '40001'
}

interface CartOwner {
  userId: number | null
  sessionId: string | null
}

/** What a cart shall have of one product. Without `empties` those of its line stay, at most the new quantity. */
export type Wanted = Pick<CartLine, 'productId' | 'quantity'> & Partial<Pick<CartLine, 'empties'>>

/** Sets lines of the read cart, or of a new one, and its vendor. @throws StaleCart */
export async function saveItems(
  db: Db,
  cart: CartRow,
  { userId, sessionId }: CartOwner,
  lines: readonly Wanted[],
  version = cart.version + 1,
): Promise<CartRow> {
  const empties = lines.map((line) => (typeof line.empties === 'number' ? Math.min(line.empties, line.quantity) : null))
  const columns = [lines.map(({ productId }) => productId), lines.map(({ quantity }) => quantity), empties]
  const values = [cart.vendorId, ...columns, version]
  const saved = await (cart.id === null
    ? run<CartLine & { cartId: number }>(db, createSql, [...values, userId, sessionId])
    : run<CartLine & { cartId: number }>(db, saveSql, [...values, cart.id, cart.version]))
  const [first] = saved
  if (!first) throw new StaleCart()
  const others = cart.items.filter((item) => !lines.some(({ productId }) => productId === item.productId))
  return { ...cart, id: first.cartId, version, items: [...others, ...saved] }
}

/** Removes items of the read cart; the cart keeps its vendor while other items are left. @throws StaleCart */
export async function removeItems(db: Db, cart: CartRow, gone: readonly CartLine[]): Promise<CartRow> {
  const items = cart.items.filter((item) => !gone.includes(item))
  const vendorId = items.length > 0 ? cart.vendorId : null
  const ids = gone.map((item) => item.id)
  const removed = await run(db, removeSql, [vendorId, cart.id, cart.version, ids])
  if (removed.length === 0) throw new StaleCart()
  return { ...cart, vendorId, version: cart.version + 1, items }
}
