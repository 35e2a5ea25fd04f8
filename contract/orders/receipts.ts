import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { instant } from '../lib/ids.ts'
import { langs } from '../lib/lang.ts'
import { orderParams } from './orders.ts'

export const receiptSizes = ['a4', '80mm'] as const
export type ReceiptSize = (typeof receiptSizes)[number]

type Numbered = { vendorId: number; number: number }
const digits = (number: number) => String(number).padStart(6, '0')
/** `1-000042`: the vendor and the vendor's counter. */
export const invoiceNumber = ({ vendorId, number }: Numbered) => `${vendorId}-${digits(number)}`
/** `CN-1-000042`, of a series of its own. */
export const creditNoteNumber = ({ vendorId, number }: Numbered) => `CN-${vendorId}-${digits(number)}`

const query = z.object({
  /** Default: the caller's language. */
  lang: z.optional(z.enum(langs)),
  size: z._default(z.enum(receiptSizes), 'a4'),
  /** An invoice or credit note of the order. Default: the invoice of its delivery; for staff a delivery note without one. */
  number: z.optional(z.string().check(z.maxLength(30))),
})

export const getReceipt = endpoint({
  method: 'GET',
  path: '/api/admin/orders/{id}/receipt.pdf',
  allow: 'staff',
  permissions: ['orders.read'],
  summary: 'Delivery note, invoice or credit note of an order, as a page or for 80 mm paper',
  params: orderParams,
  query,
  produces: 'application/pdf',
  returns: z.unknown(),
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})

export const getMyReceipt = endpoint({
  method: 'GET',
  path: '/api/orders/{id}/receipt.pdf',
  allow: 'signed-in',
  summary: 'Invoice or credit note of an own order',
  params: orderParams,
  query,
  produces: 'application/pdf',
  returns: z.unknown(),
  errors: ['ORDER_NOT_FOUND', 'RECEIPT_NOT_READY', 'TOO_MANY_REQUESTS'],
})

export const getDeliveryEvent = endpoint({
  method: 'GET',
  path: '/api/orders/{id}/delivery.ics',
  allow: 'signed-in',
  summary: 'Delivery day of an own order for a calendar (RFC 5545); a later file of the order replaces the event',
  params: orderParams,
  query: z.object({ lang: z.optional(z.enum(langs)) }),
  produces: 'text/calendar; charset=utf-8',
  returns: z.unknown(),
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})

export const getReceiptLink = endpoint({
  method: 'GET',
  path: '/api/orders/{id}/receipt/link',
  allow: 'signed-in',
  summary: 'Address of the invoice of an own delivered order that opens without signing in, for a week',
  params: orderParams,
  query: z.object({ lang: z.optional(z.enum(langs)) }),
  returns: z.object({ url: z.string(), until: instant }),
  errors: ['ORDER_NOT_FOUND', 'RECEIPT_NOT_READY', 'TOO_MANY_REQUESTS'],
})

export const sendReceipt = endpoint({
  method: 'POST',
  path: '/api/admin/orders/{id}/receipt/message',
  allow: 'admin',
  permissions: ['orders.confirm'],
  summary: 'Send the customer the receipt of a delivered order as a document by WhatsApp, at most once a minute',
  params: orderParams,
  returns: z.object({ queued: z.literal(true) }),
  errors: ['ORDER_NOT_FOUND', 'RECEIPT_NOT_READY', 'CUSTOMER_NOT_REACHABLE', 'TOO_MANY_REQUESTS'],
})

export const getSharedReceipt = endpoint({
  method: 'GET',
  path: '/api/receipts/{token}',
  allow: 'anyone',
  summary: 'Receipt by the link of a message, for a week',
  params: z.object({ token: z.string().check(z.maxLength(300)) }),
  produces: 'application/pdf',
  returns: z.unknown(),
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})
