import * as z from 'zod/mini'
import { dayInput, instantInput } from '../calendar/dates.ts'
import { endpoint, tableFile } from '../endpoint.ts'
import { idParams, instant, rowId, vendorFilter } from '../lib/ids.ts'
import { langs } from '../lib/lang.ts'
import { page, pageQuery } from '../lib/page.ts'
import { freeText, hasUnsafeCharacters, withoutInvisible } from '../lib/text.ts'
import { orderStatuses } from '../orders/order-status.ts'

/**
 * Figures cover the caller's vendor or the requested vendor; without a vendor filter, super admins get those of all.
 */
export const customer = z.object({
  id: z.number(),
  phone: z.string(),
  name: z.nullable(z.string()),
  isVerified: z.boolean(),
  isActive: z.boolean(),
  language: z.enum(langs),
  marketingConsent: z.boolean(),
  /** All orders, including cancelled ones. */
  orderCount: z.number(),
  cancelledCount: z.number(),
  /** BHD; without cancelled orders. */
  spend: z.number(),
  lastOrderAt: z.nullable(instant),
  tags: z.array(z.string()),
  /** From which they ordered; empty for staff of a vendor. */
  vendorIds: z.array(z.number()),
  /** Days between two deliveries: the median of the last four gaps; null for fewer than five deliveries. */
  usualDays: z.nullable(z.number()),
  /** Bahrain date on which the next order is due; null where `usualDays` is. */
  dueDate: z.nullable(z.string()),
  createdAt: instant,
})
export type Customer = z.output<typeof customer>

export const customerNote = z.object({
  id: z.number(),
  /** Null for notes of the marketplace. */
  vendorId: z.nullable(z.number()),
  body: z.string(),
  by: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
  createdAt: instant,
  /** Time of removal; the note is kept with the person who removed it. */
  removedAt: z.nullable(instant),
  removedBy: z.nullable(z.object({ id: z.number(), name: z.nullable(z.string()) })),
})
export type CustomerNote = z.output<typeof customerNote>

/** What a due customer says, and for how many days nobody asks again unless the office names a day. */
export const quietDays = { later: 7, travelling: 14, elsewhere: 90, 'no-answer': 1 } as const
export type DueAnswer = keyof typeof quietDays
export const dueAnswers = ['later', 'travelling', 'elsewhere', 'no-answer'] as const satisfies DueAnswer[]
/** Most days of quiet. */
export const MOST_QUIET_DAYS = 366

export const customerDetail = z.object({
  ...customer.shape,
  consentAt: z.nullable(instant),
  consentSource: z.nullable(z.string()),
  /** How the customer agreed, in the words of an imported file. */
  consentWords: z.nullable(z.string()),
  /** Address of the last order among these; without orders that of the account or of an imported file. */
  address: z.nullable(z.string()),
  areaName: z.nullable(z.string()),
  areaNameAr: z.nullable(z.string()),
  /** The newest ten. */
  orders: z.array(
    z.object({
      id: z.string(),
      vendorId: z.number(),
      vendorName: z.string(),
      vendorNameAr: z.nullable(z.string()),
      status: z.enum(orderStatuses),
      total: z.number(),
      itemCount: z.number(),
      createdAt: instant,
    }),
  ),
  /** Newest first, including removed ones. */
  notes: z.array(customerNote),
  /** What the customer said when the next order was due. `until`: the first day on which the customer may be asked again. */
  answer: z.nullable(
    z.object({ answer: z.enum(dueAnswers), until: z.string(), by: z.nullable(z.string()), at: instant }),
  ),
  can: z.object({ write: z.boolean() }),
})
export type CustomerDetail = z.output<typeof customerDetail>

export const customerSorts = ['dueDate', '-lastOrderAt', '-spend', '-orderCount', 'name', '-createdAt'] as const

const filters = {
  /** Name or phone, normalized before the comparison. */
  search: z.optional(z.string().check(z.maxLength(100))),
  vendorId: vendorFilter,
  tag: z.optional(z.string().check(z.maxLength(40))),
  consent: z.optional(
    z.pipe(
      z.enum(['true', 'false']),
      z.transform((text: 'true' | 'false') => text === 'true'),
    ),
  ),
  /** Only those who are due until tomorrow, have no open order and are not quiet; `dueDate` sorts them. */
  due: z.optional(z.literal('true')),
  /** Bahrain days, both inclusive, of the first order. */
  firstFrom: z.optional(dayInput),
  firstTo: z.optional(dayInput),
  /** The first order was placed before this instant. */
  firstBefore: z.optional(instantInput),
  sort: z._default(z.enum(customerSorts), '-lastOrderAt'),
}

const reading = { allow: 'admin', deniedAs: 'VENDOR_ONLY', permissions: ['customers.read'] } as const
const writing = {
  ...reading,
  permissions: ['customers.write'],
  returns: customerDetail,
  errors: ['CUSTOMER_NOT_FOUND'],
} as const

export const listCustomers = endpoint({
  ...reading,
  method: 'GET',
  path: '/api/admin/customers',
  byKey: true,
  summary: 'Customers with totals of their orders; staff of a vendor see the customers of their vendor',
  query: z.object({ ...pageQuery.shape, ...filters }),
  returns: page(customer),
})

export const exportCustomers = endpoint({
  ...tableFile,
  ...reading,
  path: '/api/admin/customers.csv',
  summary: 'Customers as a CSV file',
  query: z.object({ ...filters, lang: z.optional(z.enum(langs)) }),
})

export const listCustomerTags = endpoint({
  ...reading,
  method: 'GET',
  path: '/api/admin/customers/tags',
  summary: 'Tags in use, most used first',
  query: z.object({ vendorId: vendorFilter }),
  returns: z.array(z.object({ tag: z.string(), count: z.number() })),
})

export const getCustomer = endpoint({
  ...reading,
  method: 'GET',
  path: '/api/admin/customers/{id}',
  byKey: true,
  summary: 'One customer with the newest orders, notes and tags',
  params: idParams,
  returns: customerDetail,
  errors: ['CUSTOMER_NOT_FOUND'],
})

export const addCustomerNote = endpoint({
  ...writing,
  method: 'POST',
  path: '/api/admin/customers/{id}/notes',
  summary: 'Add a note about a customer, for the caller’s vendor',
  params: idParams,
  body: z.object({ body: freeText(1000).check(z.minLength(1, 'validation.text')) }),
})

export const removeCustomerNote = endpoint({
  ...writing,
  method: 'DELETE',
  path: '/api/admin/customers/{id}/notes/{noteId}',
  summary: 'Mark a note as deleted; it stays visible with the name of who deleted it',
  params: z.object({ ...idParams.shape, noteId: rowId }),
})

export const MOST_TAGS = 12
export const tagText = z.string('validation.text').check(
  z.overwrite((text: string) => withoutInvisible(text).trim().replace(/\s+/g, ' ')),
  z.minLength(1, 'validation.text'),
  z.maxLength(40, 'validation.textTooLong'),
  z.refine((text) => !hasUnsafeCharacters(text) && !text.includes(','), 'validation.unsafeCharacters'),
)

export const tagCustomer = endpoint({
  ...writing,
  method: 'PUT',
  path: '/api/admin/customers/{id}/tags',
  summary: 'Replace the tags of a customer, for the caller’s vendor',
  params: idParams,
  body: z.object({ tags: z.array(tagText).check(z.maxLength(MOST_TAGS, 'validation.tooManyTags')) }),
})

export const answerDue = endpoint({
  ...writing,
  method: 'POST',
  path: '/api/admin/customers/{id}/due',
  summary: 'Record what a due customer said, and until when nobody asks again; replaces what was said before',
  params: idParams,
  body: z.object({ answer: z.enum(dueAnswers), until: z.optional(dayInput) }),
})

export const getRhythm = endpoint({
  method: 'GET',
  path: '/api/orders/rhythm',
  allow: 'signed-in',
  summary: 'How often the signed-in person orders, and when the next order is due; null for fewer than five deliveries',
  returns: z.object({ usualDays: customer.shape.usualDays, dueDate: customer.shape.dueDate }),
})
