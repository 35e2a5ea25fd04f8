import type { AttemptReason } from '@qatra/contract/drivers'
import type { BottleCount } from '@qatra/contract/orders/bottles'
import type { PinSource } from '@qatra/contract/places/pin'
import type { AddressParts } from '@qatra/contract/users/auth'
import type { VisitKind } from '@qatra/contract/visit-task'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { filsColumn, instant, rowId } from '../../database/columns.ts'
import { users } from '../../users/tables.ts'
import { vendors } from '../../vendors/tables.ts'

/** Stops of a run without an order, with a copy of the person and the place as they were when it was planned. */
export const visits = pgTable(
  'visits',
  {
    id: rowId(),
    vendorId: integer()
      .notNull()
      .references(() => vendors.id),
    kind: text().$type<VisitKind>().notNull(),
    status: text().$type<'open' | 'done' | 'failed' | 'cancelled'>().notNull().default('open'),
    day: date({ mode: 'string' }).notNull(),
    driverId: integer().references(() => users.id),
    customerId: integer()
      .notNull()
      .references(() => users.id),
    customerName: text().notNull(),
    phone: text().notNull(),
    /** Of the ledger of bottles; a deleted address keeps its number. */
    addressId: integer(),
    address: text().notNull(),
    addressParts: jsonb().$type<AddressParts>(),
    lat: doublePrecision().notNull(),
    lng: doublePrecision().notNull(),
    pinSource: text().$type<PinSource>(),
    areaName: text(),
    areaNameAr: text(),
    instructions: text(),
    /** Expected. */
    bottles: integer(),
    amount: filsColumn(),
    note: text(),
    /** The customer asked for it. */
    isRequested: boolean().notNull().default(false),
    reason: text().$type<AttemptReason>(),
    reasonNote: text(),
    returned: jsonb().$type<BottleCount[]>().notNull().default([]),
    /** Fils that were paid back. */
    paid: filsColumn().notNull().default(0),
    happenedAt: instant(),
    /** The day on which the report is booked. */
    bookedOn: date({ mode: 'string' }),
    /** How often it was reported as done; a report that was taken back can be made again. */
    reports: integer().notNull().default(0),
    /** Keys of all reports. */
    reportKeys: text().array().notNull().default([]),
    version: integer().notNull().default(1),
    createdBy: integer(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index('visits_by_day').on(t.vendorId, t.day),
    index('visits_of_driver').on(t.driverId, t.day),
    uniqueIndex('visits_open_once')
      .on(t.vendorId, t.customerId, t.kind, sql`coalesce(${t.addressId}, 0)`)
      .where(sql`${t.status} = 'open'`),
    index('visits_of_customer').on(t.customerId),
    check('visits_kind', sql`${t.kind} in ('collect-bottles','refund','service')`),
    check('visits_status', sql`${t.status} in ('open','done','failed','cancelled')`),
    check('visits_expected', sql`${t.bottles} > 0 and ${t.amount} >= 0 and ${t.paid} >= 0`),
  ],
)
