import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { instant } from '../lib/ids.ts'
import { orderParams } from './orders.ts'

export const sendConfirmation = endpoint({
  method: 'POST',
  path: '/api/admin/orders/{id}/confirmation',
  allow: 'admin',
  permissions: ['orders.confirm'],
  summary: 'Send the customer a confirmation of the order’s current state, in their language',
  params: orderParams,
  returns: z.object({ queued: z.literal(true), to: z.string() }),
  errors: ['ORDER_NOT_FOUND', 'CUSTOMER_NOT_REACHABLE', 'TOO_MANY_REQUESTS'],
})

export const getConfirmation = endpoint({
  method: 'GET',
  path: '/api/admin/orders/{id}/confirmation',
  allow: 'admin',
  permissions: ['orders.confirm'],
  summary: 'Status of the last confirmation',
  params: orderParams,
  returns: z.object({
    /** `none` before the first confirmation. */
    status: z.enum(['none', 'queued', 'sent', 'delivered', 'read', 'failed']),
    at: z.nullable(instant),
    /** Error text of the provider, if it rejected the message. */
    problem: z.nullable(z.string()),
  }),
  errors: ['ORDER_NOT_FOUND'],
})
