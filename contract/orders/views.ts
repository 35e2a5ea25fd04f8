import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { done, idParams } from '../lib/ids.ts'
import { lineText } from '../lib/text.ts'

/** Views of one vendor, or of the market. */
export const MOST_VIEWS = 20
export const VIEW_NAME_LENGTH = 40

/**
 * Filters that a view can have, by their names in the address of the order desk. A search text is not among them: it would
 * store names and phones of customers.
 */
const viewFilters = [
  ...(['attention', 'status', 'vendor', 'driver', 'area', 'product', 'payment', 'means'] as const),
  ...(['from', 'to', 'before', 'customPrices', 'hour', 'by', 'sort'] as const),
] as const
export type ViewFilter = (typeof viewFilters)[number]

/** Ids, days, instants and names of states: no free text. */
const value = z.string().check(z.maxLength(40), z.regex(/^[A-Za-z0-9:.-]+$/))

const viewSearch = z.partialRecord(z.enum(viewFilters), z.array(value).check(z.minLength(1), z.maxLength(100)))

export const orderView = z.object({ id: z.number(), name: z.string(), search: viewSearch })
export type OrderView = z.output<typeof orderView>

const path = '/api/admin/orders/views'

export const listOrderViews = endpoint({
  method: 'GET',
  path,
  allow: 'staff',
  permissions: ['orders.read'],
  summary: 'Saved views of the order desk: those of the caller’s vendor, for super admins those of the market',
  returns: z.array(orderView),
})

export const saveOrderView = endpoint({
  method: 'POST',
  path,
  allow: 'admin',
  permissions: ['orders.status', 'orders.assign'],
  summary: 'Save a view of the order desk for all staff of the vendor',
  body: z.object({
    name: lineText(VIEW_NAME_LENGTH).check(z.minLength(1, 'validation.required')),
    search: viewSearch,
  }),
  returns: orderView,
  errors: ['VIEW_NAME_TAKEN', 'VIEWS_FULL'],
})

export const removeOrderView = endpoint({
  method: 'DELETE',
  path: `${path}/{id}`,
  allow: 'admin',
  permissions: ['orders.status', 'orders.assign'],
  summary: 'Remove a saved view of the order desk',
  params: idParams,
  returns: done,
  errors: ['VIEW_NOT_FOUND'],
})
