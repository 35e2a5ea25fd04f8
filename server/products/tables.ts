import type { BottleTerms } from '@qatra/contract/bottles'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { bottleTypes } from '../bottles/tables.ts'
import { filsColumn, instant, rowId } from '../database/columns.ts'
import { vendors } from '../vendors/tables.ts'
import type { ProductFacts } from './facts.ts'

export const products = pgTable(
  'products',
  {
    id: rowId(),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    name: text().notNull(),
    nameAr: text(),
    description: text(),
    descriptionAr: text(),
    price: filsColumn().notNull(),
    size: text().notNull(),
    imageUrl: text(),
    vatPercentage: numeric({ precision: 5, scale: 2, mode: 'number' }).notNull().default(0),
    isActive: boolean().notNull().default(true),
    inventoryUnit: text(),
    inventoryUnitAr: text(),
    unitsPerInventoryUnit: integer().notNull().default(1),
    source: text(),
    sourceAr: text(),
    /** mg/L */
    tds: integer(),
    /** mg/L */
    sodium: numeric({ precision: 5, scale: 1, mode: 'number' }),
    ph: numeric({ precision: 4, scale: 2, mode: 'number' }),
    filledOn: date({ mode: 'string' }),
    filledWithinDays: integer(),
    /** The bottle in which it is sold, of the same vendor; null without one. */
    bottleTypeId: integer(),
    bottleTerms: text().$type<BottleTerms>(),
    /** Folded name and size key: unique per vendor among products that are not deleted. */
    duplicateKey: text().notNull(),
    /** Set instead of deleting the row if the product is in an order or a cart. */
    deletedAt: instant(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    // Target of the cart items' foreign key, which excludes items of a second vendor from a cart.
    unique('products_of_vendor').on(t.id, t.vendorId),
    foreignKey({ columns: [t.bottleTypeId, t.vendorId], foreignColumns: [bottleTypes.id, bottleTypes.vendorId] }),
    uniqueIndex('products_once').on(t.vendorId, t.duplicateKey).where(sql`${t.deletedAt} is null`),
    check('products_price', sql`${t.price} between 1 and 10000000`),
    check('products_vat', sql`${t.vatPercentage} between 0 and 100`),
    check(
      'products_bottle',
      sql`${t.bottleTerms} in ('exchange','sold') and ${t.bottleTypeId} is not null or num_nonnulls(${t.bottleTypeId}, ${t.bottleTerms}) = 0`,
    ),
    check('products_units', sql`${t.unitsPerInventoryUnit} between 1 and 10000`),
  ],
)

/** What an upload did to a product. */
export interface ImportedProduct {
  id: number
  row: number
  /** After the upload. */
  version: number
  /** Null for a new product. */
  before: ProductFacts | null
}

/** Uploads of files of products. */
export const productImports = pgTable(
  'product_imports',
  {
    id: rowId(),
    /** Null for products of several vendors. */
    vendorId: integer(),
    fileName: text(),
    products: jsonb().$type<ImportedProduct[]>().notNull(),
    createdBy: integer(),
    createdAt: instant().notNull().defaultNow(),
    undoneAt: instant(),
    undoneBy: integer(),
  },
  (t) => [index().on(t.vendorId, t.id)],
)

export const productAuditHistory = pgTable(
  'product_audit_history',
  {
    id: rowId(),
    productId: integer().notNull(),
    action: text().notNull(),
    changedBy: integer(),
    onBehalfOf: integer(),
    /** The API key by which the author acted. */
    keyId: integer(),
    changedAt: instant().notNull().defaultNow(),
    fieldChanged: text(),
    oldValue: text(),
    newValue: text(),
    notes: text(),
  },
  (t) => [index().on(t.productId, t.id), index('product_history_by_time').on(t.changedAt)],
)
