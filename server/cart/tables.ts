import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'
import { products } from '../products/tables.ts'
import { users } from '../users/tables.ts'

/**
 * A cart belongs to a user or to the SHA-256 of a visitor's cookie, never to both. The one with `parkedAt` was parked
 * at a vendor switch; each owner has at most one active and one parked cart.
 */
export const carts = pgTable(
  'carts',
  {
    id: rowId(),
    /** Vendor of all items; null while empty. */
    vendorId: integer(),
    sessionId: text(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    /** `u` and the user's id, or the session's hash: one key for both kinds. */
    owner: text().notNull().generatedAlwaysAs(sql`coalesce('u' || user_id::text, session_id)`),
    version: integer().notNull().default(0),
    parkedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex('carts_active').on(t.owner).where(sql`${t.parkedAt} is null`),
    uniqueIndex('carts_parked').on(t.owner).where(sql`${t.parkedAt} is not null`),
    index('carts_of_user').on(t.userId).where(sql`${t.userId} is not null`),
    unique('carts_vendor').on(t.id, t.vendorId),
    check('carts_owner', sql`num_nonnulls(${t.userId}, ${t.sessionId}) = 1`),
  ],
)

/** The two composite keys exclude an item of a foreign vendor in every race. */
export const cartItems = pgTable(
  'cart_items',
  {
    id: rowId(),
    cartId: integer().notNull(),
    vendorId: integer().notNull(),
    productId: integer().notNull(),
    quantity: integer().notNull().default(1),
    /** Empty bottles that the customer gives back; null: as many as the customer has. */
    empties: integer(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index().on(t.productId),
    unique('cart_items_once').on(t.cartId, t.productId),
    foreignKey({ columns: [t.cartId, t.vendorId], foreignColumns: [carts.id, carts.vendorId] }).onDelete('cascade'),
    foreignKey({ columns: [t.productId, t.vendorId], foreignColumns: [products.id, products.vendorId] }),
    check('cart_items_quantity', sql`${t.quantity} between 1 and 100`),
    check('cart_items_empties', sql`${t.empties} between 0 and ${t.quantity}`),
  ],
)
