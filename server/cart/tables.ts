import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../platform/columns.ts'
import { products } from '../products/tables.ts'
import { users } from '../users/tables.ts'

/**
 * A cart belongs to a user or to the SHA-256 of a visitor's cookie, never to both. The one with `parkedAt` was kept at
 * a vendor switch; each owner has at most one active and one parked cart.
 */
export const carts = pgTable(
  'carts',
  {
    id: rowId(),
    /** Vendor of every item; null while empty. */
    vendorId: integer(),
    sessionId: text(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    version: integer().notNull().default(0),
    parkedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('carts_active_user').on(t.userId).where(sql`${t.parkedAt} is null and ${t.userId} is not null`),
    uniqueIndex('carts_active_session').on(t.sessionId).where(sql`${t.parkedAt} is null and ${t.sessionId} is not null`),
    uniqueIndex('carts_parked_user').on(t.userId).where(sql`${t.parkedAt} is not null and ${t.userId} is not null`),
    uniqueIndex('carts_parked_session')
      .on(t.sessionId)
      .where(sql`${t.parkedAt} is not null and ${t.sessionId} is not null`),
    unique('carts_vendor').on(t.id, t.vendorId),
    index('carts_stale').on(t.updatedAt),
    check('carts_owner', sql`num_nonnulls(${t.userId}, ${t.sessionId}) = 1`),
  ],
)

/** The two composite keys make an item of a foreign vendor impossible, whatever the race. */
export const cartItems = pgTable(
  'cart_items',
  {
    id: rowId(),
    cartId: integer().notNull(),
    vendorId: integer().notNull(),
    productId: integer().notNull(),
    quantity: integer().notNull().default(1),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('cart_items_once').on(t.cartId, t.productId),
    foreignKey({ columns: [t.cartId, t.vendorId], foreignColumns: [carts.id, carts.vendorId] }).onDelete('cascade'),
    foreignKey({ columns: [t.productId, t.vendorId], foreignColumns: [products.id, products.vendorId] }),
    check('cart_items_quantity', sql`${t.quantity} between 1 and 100`),
  ],
)
