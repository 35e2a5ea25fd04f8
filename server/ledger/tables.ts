import type { Equation } from '@qatra/contract/cash-closing'
import type { DriverDay } from '@qatra/contract/driver-board'
import type { CashKind } from '@qatra/contract/drivers'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { filsColumn, instant, rowId } from '../database/columns.ts'

/** `corrected`: a total changed, or an order that has payments was edited or cancelled. */
type SaleKind = 'delivered' | 'taken-back' | 'corrected'

/** Of bottles that a customer holds. */
type BottleKind = 'delivered' | 'returned' | 'lost' | 'correction' | 'opening' | 'refunded'
/** Of what a driver's van carries. */
type VanKind = 'loaded' | 'unloaded' | 'counted'

/**
 * Append-only: corrected by further rows. `money` says who has it, and `refunded` of it is a deposit that was paid back beside
 * the total of an order; `sales` what was delivered, on the day on which it counts;
 * `bottles` which of them a customer holds, `van` what a driver took along. Amounts in fils, of bottles and vans in pieces. Vendor, people and orders are tables of higher folders; their foreign keys are in the migration alone.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: rowId(),
    ledger: text().$type<'money' | 'sales' | 'bottles' | 'van'>().notNull().default('money'),
    vendorId: integer().notNull(),
    /** Of money. What was sold is the vendor's. */
    holder: text().$type<'driver' | 'office' | 'vendor' | 'customer' | 'van'>().notNull(),
    /** The driver, the person of the office or the customer; null if not known. */
    holderId: integer(),
    /** The Bahrain day on which it is booked. */
    day: date({ mode: 'string' }).notNull(),
    kind: text().$type<CashKind | 'payment' | SaleKind | BottleKind | VanKind>().notNull(),
    means: text().$type<PaymentMeans>().notNull().default('cash'),
    amount: filsColumn().notNull(),
    /**
     * Of collected money, the part the order cost when it was booked; null in rows of an earlier version. Of a sale, what the
     * customer owes more for the order than before. Of bottles, the deposit that was charged with them, negative if paid back.
     */
    due: filsColumn(),
    /** Of lost bottles, the fils of VAT in the deposit that is not paid back (`due` is that deposit, negative). */
    vat: filsColumn(),
    orderId: text(),
    /** Of a stop without an order. */
    visitId: integer(),
    /** Of `bottles` and `van`. */
    bottleTypeId: integer(),
    /** Where the customer has the bottles; null if not known. */
    addressId: integer(),
    /** Of `van`, for goods without a bottle that comes back. */
    productId: integer(),
    /** Of `van`: bottles without water. */
    isEmpty: boolean().notNull().default(false),
    /** Number of the order's delivery, from 1; a reverted order can be delivered again. */
    delivery: integer().notNull().default(1),
    /** Position in the report of the delivery, from 1: each part of a report is written once. */
    part: integer().notNull().default(1),
    reference: text(),
    notes: text(),
    /** Composed by `driverKey`, `officeKey` or `bookSale`, so that a repeated request is written once. */
    key: text().notNull(),
    createdBy: integer(),
    onBehalfOf: integer(),
    /** When it was done; reported later if the device was offline. */
    happenedAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique('ledger_entries_key').on(t.ledger, t.key),
    uniqueIndex('ledger_entries_collected_once').on(t.orderId, t.delivery, t.part).where(sql`${t.kind} = 'collected'`),
    index('ledger_entries_of_order').on(t.orderId).where(sql`${t.orderId} is not null`),
    index('ledger_entries_of_visit').on(t.visitId).where(sql`${t.visitId} is not null`),
    index('ledger_entries_of_day').on(t.holderId, t.day),
    index('ledger_entries_of_vendor').on(t.vendorId, t.day),
    index('ledger_entries_differences')
      .on(t.holderId)
      .where(sql`${t.ledger} = 'money' and ${t.orderId} is null and ${t.kind} in ('correction','written-off')`),
    index('ledger_entries_of_bottles').on(t.vendorId, t.holderId, t.id).where(sql`${t.ledger} = 'bottles'`),
    index('ledger_entries_reference').on(t.vendorId, t.reference).where(sql`${t.reference} is not null`),
    check(
      'ledger_entries_kind',
      sql`case ${t.ledger} when 'money' then ${t.kind} in ('collected','counted','handed-over','correction','written-off','payment','refunded')
        when 'sales' then ${t.kind} in ('delivered','taken-back','corrected')
        when 'bottles' then ${t.kind} in ('delivered','returned','lost','correction','opening','refunded')
        else ${t.kind} in ('loaded','unloaded','counted') end`,
    ),
    check(
      'ledger_entries_means',
      sql`${t.means} in ('cash','benefitpay','card','transfer','cheque','account','booklet')`,
    ),
    check(
      'ledger_entries_holder',
      sql`case ${t.ledger} when 'money' then ${t.holder} = 'office' or ${t.holder} = 'driver' and ${t.holderId} is not null
        when 'sales' then ${t.holder} = 'vendor'
        when 'bottles' then ${t.holder} = 'customer' and ${t.holderId} is not null and ${t.bottleTypeId} is not null
        else ${t.holder} = 'van' and ${t.holderId} is not null and num_nonnulls(${t.bottleTypeId}, ${t.productId}) = 1 end`,
    ),
    check(
      'ledger_entries_amount',
      sql`${t.amount} >= 0 or ${t.ledger} = 'bottles' or ${t.kind} in ('correction','payment','refunded','taken-back','corrected')`,
    ),
    check(
      'ledger_entries_names_order',
      sql`num_nonnulls(${t.orderId}, ${t.visitId}) > 0 or ${t.ledger} in ('bottles','van')
        or ${t.kind} in ('counted','handed-over','correction','written-off')`,
    ),
  ],
)

/** Without names of people. */
type ClosedEquation = Omit<Equation, 'inOfficeBy'> & { inOfficeBy: Omit<Equation['inOfficeBy'][number], 'name'>[] }
export interface ClosedDriverDay extends Pick<DriverDay, 'stops'> {
  id: number
  cash: Omit<DriverDay['cash'], 'shortage'>
}

/**
 * A vendor's delivery day whose money is final. While `reopenedAt` is null, triggers refuse entries of the day
 * (`ledger.sql`).
 */
export const cashClosings = pgTable(
  'cash_closings',
  {
    id: rowId(),
    vendorId: integer().notNull(),
    day: date({ mode: 'string' }).notNull(),
    closedBy: integer().notNull(),
    closedAt: instant().notNull(),
    reopenedBy: integer(),
    reopenedAt: instant(),
    reopenReason: text(),
    /** As it was when the day was closed; null in rows of an earlier version. */
    equation: jsonb().$type<ClosedEquation>(),
    /** Stops and cash of each driver then, without what is of all days; null in rows of an earlier version. */
    driverDays: jsonb().$type<ClosedDriverDay[]>(),
  },
  (t) => [
    uniqueIndex('cash_closings_once').on(t.vendorId, t.day).where(sql`${t.reopenedAt} is null`),
    check(
      'cash_closings_reopened',
      sql`(${t.reopenedAt} is null) = (${t.reopenedBy} is null) and (${t.reopenedAt} is null) = (${t.reopenReason} is null)`,
    ),
  ],
)
