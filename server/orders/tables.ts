import type { BottleTerms } from '@qatra/contract/bottles'
import type { OrderStatus, PaymentMethod, PaymentStatus, Rating } from '@qatra/contract/orders/order-status'
import { mapKeys, type SumKind, sumKinds, totalsKeys } from '@qatra/contract/orders/totals'
import type { OrderView } from '@qatra/contract/orders/views'
import type { PinSource } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { Referral } from '@qatra/contract/users/referral'
import { type SQL, type SQLChunk, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { filsColumn, instant, partitionedId, rowId } from '../database/columns.ts'
import { users } from '../users/tables.ts'
import { vendors } from '../vendors/tables.ts'

const eachSum = (write: (kind: SumKind) => SQLChunk, joint: SQL) => sql.join(sumKinds.map(write), joint)

/** Names, prices and address are copies from the time of placing. Money in fils. */
export const orders = pgTable(
  'orders',
  {
    id: text().primaryKey(),
    userId: integer().references(() => users.id),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    vendorName: text().notNull(),
    vendorNameAr: text(),
    vendorLogo: text(),
    status: text().$type<OrderStatus>().notNull().default('new'),
    customerName: text().notNull(),
    phone: text().notNull(),
    address: text().notNull(),
    addressParts: jsonb().$type<AddressParts>(),
    lat: doublePrecision().notNull(),
    lng: doublePrecision().notNull(),
    /** Null if not known, as in orders from before it was kept. */
    pinSource: text().$type<PinSource>(),
    areaId: integer(),
    areaName: text(),
    areaNameAr: text(),
    instructions: text(),
    /** Who takes the order, if not the customer. */
    receiverName: text(),
    receiverPhone: text(),
    /** Of a company that buys. */
    companyName: text(),
    crNumber: text(),
    vatNumber: text(),
    poNumber: text(),
    branch: text(),
    /** Fils in notes that the customer wants change from. */
    payingWith: filsColumn(),
    paymentMethod: text().$type<PaymentMethod>().notNull().default('cash'),
    paymentStatus: text().$type<PaymentStatus>().default('pending'),
    ...mapKeys(totalsKeys, () => filsColumn().notNull()),
    deposit: filsColumn().notNull().default(0),
    /** What was paid without an entry of a driver, of an order that is not paid any more since its delivery was taken back. */
    paidToOffice: filsColumn().notNull().default(0),
    placedBy: integer(),
    /** The ad or post that led to the order. */
    referral: jsonb().$type<Referral>(),
    assignedDriverId: integer().references(() => users.id),
    promisedDate: date({ mode: 'string' }).notNull(),
    /** The day of which the customer knows, until a message has announced the promised date; null if it is known. */
    announcedDate: date({ mode: 'string' }),
    deliveredAt: instant(),
    /** Placed from the set-up checklist. Only these orders can be deleted. */
    isTest: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    legacyBagId: text(),
    legacyTransactionId: text(),
    lastSyncAt: instant(),
    syncStatus: text().notNull().default('pending'),
    /** JSON: the newest errors, oldest first. */
    syncErrors: text(),
    /** Folded name, phone and id, maintained by a trigger; the search index. */
    searchText: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('orders_of_user').on(t.userId, t.createdAt.desc()),
    index('orders_of_vendor').on(t.vendorId, t.createdAt.desc()),
    index('orders_of_driver').on(t.assignedDriverId, t.createdAt.desc()),
    index('orders_of_agent').on(t.placedBy, t.createdAt.desc().nullsFirst()).where(sql`${t.placedBy} is not null`),
    index('orders_newest').on(t.createdAt.desc().nullsLast()),
    index('orders_open').on(t.status, t.createdAt.desc().nullsLast()).where(sql`${t.status} <> 'delivered'`),
    index('orders_of_vendor_by_status').on(t.vendorId, t.status, t.createdAt.desc().nullsLast()),
    index('orders_by_promise').on(t.promisedDate, t.vendorId),
    index('orders_of_area').on(t.areaId, t.createdAt.desc().nullsLast()),
    // A missing payment status reads as unpaid.
    index('orders_not_settled')
      .on(sql`coalesce(${t.paymentStatus}, 'unpaid')`, t.createdAt.desc().nullsLast())
      .where(sql`coalesce(${t.paymentStatus}, 'unpaid') <> 'paid'`),
    index('orders_by_sync').on(t.syncStatus, t.createdAt.desc().nullsLast()),
    uniqueIndex('orders_one_test').on(t.isTest).where(sql`${t.isTest}`),
    index('orders_search').using('gin', t.searchText.op('gin_trgm_ops')),
    check('orders_status', sql`${t.status} in ('new','in-progress','shipped','delivered','cancelled')`),
    check('orders_payment_method', sql`${t.paymentMethod} in ('cash','card','online','bank_transfer')`),
    check('orders_payment_status', sql`${t.paymentStatus} in ('pending','paid','unpaid','failed')`),
    check('orders_pin_source', sql`${t.pinSource} in ('gps','map','search','area')`),
    check('orders_total', sql`${t.total} = ${eachSum((kind) => t[kind], sql` + `)}`),
    check(
      'orders_parts',
      eachSum((kind) => sql`${t[kind]} >= 0`, sql` and `),
    ),
  ],
)

export const orderItems = pgTable(
  'order_items',
  {
    id: rowId(),
    orderId: text()
      .notNull()
      .references(() => orders.id, { onDelete: 'cascade' }),
    /** No foreign key: the items of a deleted product stay. */
    productId: integer(),
    name: text().notNull(),
    nameAr: text(),
    size: text().notNull(),
    imageUrl: text(),
    price: filsColumn().notNull(),
    vatPercentage: numeric({ precision: 5, scale: 2, mode: 'number' }).notNull(),
    /** What the totals count: the ordered quantity, after a delivery the delivered one, which can be 0. */
    quantity: integer().notNull(),
    /** Only of an item of which another quantity was delivered than ordered; 0 if it was added at the door. */
    orderedQuantity: integer(),
    /** Null in orders from before the copy was kept. */
    inventoryUnit: text(),
    inventoryUnitAr: text(),
    unitsPerInventoryUnit: integer().notNull().default(1),
    /** The bottle in which it is sold, at the time of the order; null without one. */
    bottleTypeId: integer(),
    bottleTerms: text().$type<BottleTerms>(),
    /** For one bottle that comes back; null for one that is sold. */
    bottleDeposit: filsColumn(),
    /** Of bottles that come back: the empty ones that the customer gives for them, after a delivery those that counted. */
    empties: integer(),
    /** Only where the delivery counted another number than was ordered. */
    orderedEmpties: integer(),
    /** The product's price at that time if sales agreed on another one, and the reason. */
    listPrice: filsColumn(),
    priceReason: text(),
  },
  (t) => [
    index().on(t.orderId, t.id),
    index('order_items_of_product').on(t.productId, t.id),
    index('order_items_agreed').on(t.orderId).where(sql`${t.listPrice} is not null`),
    check(
      'order_items_quantities',
      sql`${t.quantity} between 0 and 100 and coalesce(${t.orderedQuantity}, 0) between 0 and 100 and greatest(${t.quantity}, ${t.orderedQuantity}) > 0`,
    ),
    check('order_items_delivered_otherwise', sql`${t.quantity} <> ${t.orderedQuantity}`),
    check('order_items_price', sql`${t.price} >= 0`),
    check('order_items_bottle', sql`num_nulls(${t.bottleTypeId}, ${t.bottleTerms}) in (0, 2)`),
    check(
      'order_items_empties',
      sql`(${t.bottleTerms} is not distinct from 'exchange') = (${t.bottleDeposit} is not null)
        and (${t.bottleDeposit} is null) = (${t.empties} is null)
        and ${t.bottleDeposit} >= 0 and ${t.empties} between 0 and ${t.quantity}`,
    ),
  ],
)

/** What the customer says of the delivery, with the vendor and the driver who made it. */
export const orderRatings = pgTable(
  'order_ratings',
  {
    orderId: text()
      .primaryKey()
      .references(() => orders.id, { onDelete: 'cascade' }),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    driverId: integer().references(() => users.id),
    water: text().$type<Rating>(),
    driver: text().$type<Rating>(),
    /** Of the first part that was rated as bad, which stays when the rating changes. */
    firstBadAt: instant(),
    ratedAt: instant().notNull(),
  },
  (t) => [
    index('order_ratings_of_vendor').on(t.vendorId, t.ratedAt),
    index('order_ratings_of_driver').on(t.driverId, t.ratedAt),
    check('order_ratings_water', sql`${t.water} in ('good','fair','bad')`),
    check('order_ratings_driver', sql`${t.driver} in ('good','fair','bad')`),
  ],
)

/** Append-only, partitioned by month. One row per change; a status change has `fieldChanged = 'status'`. */
export const orderAuditHistory = pgTable(
  'order_audit_history',
  {
    id: partitionedId(),
    orderId: text().notNull(),
    action: text().notNull(),
    changedBy: integer(),
    /** The impersonated user, or the customer for whom sales placed the order. */
    onBehalfOf: integer(),
    /** The API key by which the author acted. */
    keyId: integer(),
    changedAt: instant().notNull().defaultNow(),
    fieldChanged: text(),
    oldValue: text(),
    newValue: text(),
    notes: text(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.changedAt] }),
    index().on(t.orderId, t.id),
    index('order_history_by_action').on(t.action, t.changedAt),
    index('order_history_by_time').on(t.changedAt),
    index('order_history_by_author').on(t.changedBy, t.changedAt),
    index('order_history_by_subject').on(t.onBehalfOf, t.changedAt).where(sql`${t.onBehalfOf} is not null`),
  ],
)

/** An Idempotency-Key bound to the order it placed; written in the order's transaction. */
export const orderKeys = pgTable(
  'order_keys',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    key: text().notNull(),
    orderId: text().notNull(),
    /** Of the request, by which two requests with the key are equal: `placing/commands.ts`. */
    fingerprint: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.key] })],
)

/** Saved views of the order desk. They belong to a vendor, those without one to the market. */
export const orderViews = pgTable(
  'order_views',
  {
    id: rowId(),
    vendorId: integer().references(() => vendors.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    search: jsonb().$type<OrderView['search']>().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [unique('order_views_name').on(t.vendorId, t.name).nullsNotDistinct()],
)
