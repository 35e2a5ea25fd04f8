import type { Fils } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import type { Business, LimitedRole } from '@qatra/contract/vendors/business'
import { sql } from 'drizzle-orm'
import { boolean, check, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { areas } from '../areas/tables.ts'
import { filsColumn, instant, rowId } from '../database/columns.ts'

export const vendors = pgTable(
  'vendors',
  {
    id: rowId(),
    name: text().notNull(),
    nameAr: text(),
    logoUrl: text(),
    description: text(),
    descriptionAr: text(),
    deliveryFee: filsColumn().notNull().default(1000),
    minDeliveryAmount: filsColumn().notNull().default(5000),
    whatsappLink: text(),
    contactNumber: text(),
    isActive: boolean().notNull().default(true),
    /** Colour of bottles and emblem, `#rrggbb`; null uses the first tint. */
    tint: text(),
    emblem: text(),
    /** Bahrain time HH:MM; later orders count from the next day. */
    cutOff: text(),
    /** Whether somebody chose the cut-off, which can be none. */
    daysChosen: boolean().notNull().default(false),
    companyName: text(),
    companyNameAr: text(),
    companyAddress: text(),
    companyAddressAr: text(),
    crNumber: text(),
    vatNumber: text(),
    /** Minimum agreed price in percent of the product's price; null without a limit. */
    customPriceFloor: integer(),
    version: integer().notNull().default(1),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check('vendors_money', sql`${t.deliveryFee} >= 0 and ${t.minDeliveryAmount} >= 0`),
    // Every promise reads it: an invalid time would break the whole list of vendors.
    check('vendors_cut_off', sql`${t.cutOff} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
    check('vendors_custom_price_floor', sql`${t.customPriceFloor} between 0 and 100`),
    check('vendors_tint', sql`${t.tint} ~ '^#[0-9a-f]{6}$'`),
  ],
)

export const vendorDeliveryAreas = pgTable(
  'vendor_delivery_areas',
  {
    vendorId: integer()
      .notNull()
      .references(() => vendors.id, { onDelete: 'cascade' }),
    areaId: integer()
      .notNull()
      .references(() => areas.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.vendorId, t.areaId] })],
)

/** How a vendor does business, from the first change on; a vendor without a row has the columns' defaults. */
export const vendorBusiness = pgTable(
  'vendor_business',
  {
    vendorId: integer()
      .primaryKey()
      .references(() => vendors.id, { onDelete: 'cascade' }),
    bottles: boolean().notNull().default(false),
    areaDays: boolean().notNull().default(false),
    capacity: boolean().notNull().default(false),
    standingOrders: boolean().notNull().default(false),
    accounts: boolean().notNull().default(false),
    processing: boolean().notNull().default(true),
    means: text().array().$type<PaymentMeans[]>().notNull().default(['cash']),
    bottleDifference: text().$type<Business['bottleDifference']>().notNull().default('at-once'),
    refundChoice: boolean().notNull().default(false),
    /** Fils a day by role. */
    limits: jsonb().$type<Partial<Record<LimitedRole, Fils>>>().notNull().default({}),
    version: integer().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [check('vendor_business_means', sql`cardinality(${t.means}) > 0`)],
)
