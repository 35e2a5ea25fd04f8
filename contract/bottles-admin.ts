/** Bottles at customers, as the office sees them. */

import * as z from 'zod/mini'
import { endpoint, tableFile } from './endpoint.ts'
import { instant, rowIdNumber, vendorFilter } from './lib/ids.ts'
import { langs } from './lib/lang.ts'
import { feeBhd } from './lib/money.ts'
import { page, pageQuery, wholeNumberQuery } from './lib/page.ts'
import { freeText } from './lib/text.ts'
import { orderKey } from './orders/cash.ts'

/** Quick filters of the page. */
export const manyBottles = 5
export const idleDays = 60

/** What one customer has of one type at one address. */
export const heldBottles = z.object({
  id: z.number(),
  vendorId: z.number(),
  customerId: z.number(),
  /** Null of an erased account, as the phone. */
  name: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  typeId: z.number(),
  /** Null if not known: the bottles are the customer's. */
  addressId: z.nullable(z.number()),
  /** Without one of its own, that of the last order at the vendor. */
  address: z.nullable(z.string()),
  areaName: z.nullable(z.string()),
  areaNameAr: z.nullable(z.string()),
  /** Negative if more came back than were known. */
  count: z.number(),
  /** BHD of deposits that were paid and not given back. */
  depositHeld: z.number(),
  /** BHD: positive is the customer's credit, negative is owed for bottles without a deposit. */
  credit: z.number(),
  /** At this vendor; null without one. */
  lastOrderAt: z.nullable(instant),
  lastDeliveryAt: z.nullable(instant),
  /** The newest note of the vendor's staff about the customer. */
  lastContact: z.nullable(z.object({ body: z.string(), by: z.nullable(z.string()), at: instant })),
})
export type HeldBottles = z.output<typeof heldBottles>

/** The same of one type at all addresses, beside the conversation with the customer. */
export const contactBottles = z.object({
  vendorId: z.number(),
  vendorName: z.string(),
  vendorNameAr: z.nullable(z.string()),
  typeId: z.number(),
  name: z.string(),
  nameAr: z.nullable(z.string()),
  /** At all addresses; negative if more came back than were known. */
  count: z.number(),
  /** BHD of deposits that were paid and not given back. */
  depositHeld: z.number(),
  /** BHD: positive is the customer's credit, negative is owed for bottles without a deposit. */
  credit: z.number(),
  /** Most bottles first; the address is null if not known. */
  places: z.array(z.object({ address: z.nullable(z.string()), count: z.number() })),
})
export type ContactBottles = z.output<typeof contactBottles>

const sums = z.object({ bottles: z.number(), /** BHD */ deposits: z.number() })

const filters = {
  vendorId: vendorFilter,
  typeId: z.optional(wholeNumberQuery(1, 2_147_483_647)),
  customerId: z.optional(wholeNumberQuery(1, 2_147_483_647)),
  /** Of the customer, at all addresses together. */
  minCount: z.optional(wholeNumberQuery(1, 10_000)),
  /** No order at the vendor for so many days, or ever. */
  idleDays: z.optional(wholeNumberQuery(1, 3650)),
  /** Bottles for which no deposit is held. */
  unsecured: z.optional(z.literal('true')),
  /** Name, phone or area. */
  search: z.optional(z.string().check(z.maxLength(100))),
}

const path = '/api/admin/bottles'
const reading = { allow: 'admin', deniedAs: 'VENDOR_ONLY', permissions: ['customers.read'] } as const

export const listBottles = endpoint({
  ...reading,
  method: 'GET',
  path,
  summary: 'Bottles at customers by address, most bottles first, with the sums of the filter and of the vendor',
  query: z.object({
    ...pageQuery.shape,
    ...filters,
    /** Those of the vendor, too, which take longer than the rows. */
    figures: z.optional(z.literal('true')),
  }),
  returns: z.extend(page(heldBottles), {
    /** Of the filter. */
    sums,
    /** Of the vendor and the type alone; null if not asked for. */
    figures: z.nullable(
      z.extend(sums, {
        customers: z.number(),
        /** Today; null of all vendors. */
        onVans: z.nullable(z.object({ full: z.number(), empty: z.number() })),
        /** Bottles of customers who have not ordered for `idleDays`, and those without a deposit. */
        idleBottles: z.number(),
        unsecuredBottles: z.number(),
        /** Rows of the quick filters. */
        rows: z.object({ all: z.number(), many: z.number(), idle: z.number(), unsecured: z.number() }),
      }),
    ),
  }),
})

export const exportBottles = endpoint({
  ...tableFile,
  ...reading,
  path: `${path}.csv`,
  summary: 'The same as a CSV file, to call the customers',
  query: z.object({ ...filters, lang: z.optional(z.enum(langs)) }),
})

export const bottleEntryKinds = ['returned', 'lost', 'correction', 'opening'] as const
export type BottleEntryKind = (typeof bottleEntryKinds)[number]

export const bottleMovement = z.object({
  id: z.number(),
  kind: z.enum([...bottleEntryKinds, 'delivered', 'refunded']),
  /** Positive if the customer has more since. */
  count: z.number(),
  /** BHD of deposit that was charged with it, negative if it is held no more. */
  deposit: z.number(),
  /** BHD of VAT in the deposit of lost bottles, negative of those found again. */
  vat: z.number(),
  /** Bottles of the type at all addresses after it. */
  after: z.number(),
  day: z.string(),
  orderId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  by: z.nullable(z.string()),
})
export type BottleMovement = z.output<typeof bottleMovement>

const balance = z.object({ count: z.number(), depositHeld: z.number(), credit: z.number() })

export const listBottleEntries = endpoint({
  ...reading,
  method: 'GET',
  path: `${path}/entries`,
  summary: 'The newest 50 movements of a customer’s bottles of one type',
  query: z.object({ customerId: wholeNumberQuery(1, 2_147_483_647), typeId: wholeNumberQuery(1, 2_147_483_647) }),
  returns: z.object({ balance, items: z.array(bottleMovement) }),
  errors: ['BOTTLE_TYPE_NOT_FOUND', 'CUSTOMER_NOT_FOUND'],
})

/** Of one entry. */
export const mostBottles = 10_000

export const addBottleEntry = endpoint({
  ...reading,
  method: 'POST',
  path: `${path}/entries`,
  permissions: ['customers.read', 'orders.status'],
  summary:
    'Enter bottles of a customer by hand; entries are never changed. `lost` and `correction` need `bottles.write-off`',
  body: z.object({
    customerId: rowIdNumber,
    typeId: rowIdNumber,
    /** One to which the vendor has delivered, or that has bottles. */
    addressId: z.optional(z.nullable(rowIdNumber)),
    kind: z.enum(bottleEntryKinds),
    /** A correction is negative if the customer has fewer, `lost` if as many of the lost ones were found again. */
    count: z.int('validation.number').check(
      z.gte(-mostBottles, 'validation.number'),
      z.lte(mostBottles, 'validation.number'),
      z.refine((count) => count !== 0, 'validation.number'),
    ),
    /** BHD that the customer has paid for bottles of an opening. */
    deposit: z.optional(feeBhd),
    reason: freeText(500).check(z.minLength(1, 'validation.required')),
    /** The same key is entered once. */
    key: orderKey,
  }),
  returns: z.object({ entry: bottleMovement, balance }),
  errors: ['BOTTLE_TYPE_NOT_FOUND', 'CUSTOMER_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
})
