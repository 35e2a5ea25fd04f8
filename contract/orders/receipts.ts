import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { langs } from '../lib/lang.ts'
import { orderParams } from './orders.ts'

export const receiptSizes = ['a4', '80mm'] as const
export type ReceiptSize = (typeof receiptSizes)[number]

const query = z.object({
  /** Default: the caller's language. */
  lang: z.optional(z.enum(langs)),
  size: z._default(z.enum(receiptSizes), 'a4'),
})

export const getReceipt = endpoint({
  method: 'GET',
  path: '/api/admin/orders/{id}/receipt.pdf',
  allow: 'staff',
  permissions: ['orders.read'],
  summary: 'Tax receipt of an order, as a page or for 80 mm paper',
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
  summary: 'Tax receipt of a delivered order of the signed-in user',
  params: orderParams,
  query,
  produces: 'application/pdf',
  returns: z.unknown(),
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
