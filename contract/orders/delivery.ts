import * as z from 'zod/mini'
import { dayInput } from '../calendar/dates.ts'
import { endpoint } from '../endpoint.ts'
import { rowIdNumber, vendorFilter } from '../lib/ids.ts'
import { freeText } from '../lib/text.ts'
import { adminOrderDetail } from './admin.ts'
import { buyerInput } from './buyer.ts'
import { addressChange } from './editing.ts'
import { orderParams } from './orders.ts'

/** The version that the client saw. */
const version = z.optional(rowIdNumber)

export const changeAddress = endpoint({
  method: 'PATCH',
  path: '/api/admin/orders/{id}/address',
  allow: 'admin',
  permissions: ['orders.status'],
  summary: 'Change the delivery address of an open order',
  params: orderParams,
  body: z.object(addressChange),
  returns: adminOrderDetail,
  errors: [
    'ORDER_NOT_FOUND',
    'ORDER_CLOSED',
    'ADDRESS_REQUIRED',
    'OUTSIDE_SERVICE_AREA',
    'VENDOR_DOES_NOT_DELIVER',
    'VERSION_CONFLICT',
  ],
})

export const changeBuyer = endpoint({
  method: 'PATCH',
  path: '/api/admin/orders/{id}/buyer',
  allow: 'admin',
  permissions: ['orders.status'],
  summary:
    'Change the PO number and the branch of an order, whatever its status; an invoice that has its number stays as it was issued',
  params: orderParams,
  body: z.object({ poNumber: buyerInput.poNumber, branch: buyerInput.branch, version }),
  returns: adminOrderDetail,
  errors: ['ORDER_NOT_FOUND', 'VERSION_CONFLICT'],
})

export const changePromise = endpoint({
  method: 'PATCH',
  path: '/api/admin/orders/{id}/promise',
  allow: 'admin',
  permissions: ['orders.status'],
  summary:
    'Move an open order to another delivery day; a shipped one goes back to in-progress, or to new without that step',
  params: orderParams,
  body: z.object({ date: dayInput, reason: z.optional(z.nullable(freeText(1000))), version }),
  returns: adminOrderDetail,
  errors: ['ORDER_NOT_FOUND', 'ORDER_CLOSED', 'DATE_NOT_AVAILABLE', 'VERSION_CONFLICT'],
})

const dayLoad = z.object({
  date: z.string(),
  orders: z.number(),
  /** Pieces of all lines. */
  units: z.number(),
})
export type DayLoad = z.output<typeof dayLoad>

export const listDayLoads = endpoint({
  method: 'GET',
  path: '/api/admin/orders/days',
  allow: 'staff',
  permissions: ['orders.read'],
  summary:
    'Orders that are promised for each day, without cancelled ones; days without orders are left out, as are those from the 63rd on',
  query: z.object({ from: dayInput, to: dayInput, vendorId: vendorFilter }),
  returns: z.array(dayLoad),
})
