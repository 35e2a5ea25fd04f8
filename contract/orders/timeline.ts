import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { instant } from '../lib/ids.ts'
import { freeText } from '../lib/text.ts'
import { orderParams } from './orders.ts'

const person = z.object({ id: z.number(), name: z.nullable(z.string()), role: z.string() })

export const timelineEntry = z.object({
  id: z.number(),
  at: instant,
  /** `created`, `updated`, `note`, `confirmation`… */
  action: z.string(),
  field: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  /** Null for the system. */
  by: z.nullable(person),
  /** The impersonated person, during impersonation. */
  onBehalfOf: z.nullable(person),
  /** Names of the drivers, if the driver was changed. */
  fromName: z.nullable(z.string()),
  toName: z.nullable(z.string()),
})
export type TimelineEntry = z.output<typeof timelineEntry>

export const getTimeline = endpoint({
  method: 'GET',
  path: '/api/admin/orders/{id}/timeline',
  allow: 'staff',
  permissions: ['orders.read'],
  summary: 'History of an order, newest first',
  params: orderParams,
  returns: z.array(timelineEntry),
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})

export const addOrderNote = endpoint({
  method: 'POST',
  path: '/api/admin/orders/{id}/notes',
  allow: 'admin',
  permissions: ['orders.status'],
  summary: 'Add an internal note to the history of an order',
  params: orderParams,
  body: z.object({ text: freeText(1000).check(z.minLength(1, 'validation.required')) }),
  returns: z.array(timelineEntry),
  errors: ['ORDER_NOT_FOUND'],
})
