import * as z from 'zod/mini'
import { cartQuantity, emptyBottles } from '../cart/rules.ts'
import { endpoint } from '../endpoint.ts'
import { rowIdNumber } from '../lib/ids.ts'
import { coordinates } from '../places/geo.ts'
import { addressInput } from '../users/addresses.ts'
import { adminOrderDetail } from './admin.ts'
import { mostOrderLines, order, orderParams } from './orders.ts'

const editedItem = z.object({
  productId: rowIdNumber,
  quantity: cartQuantity,
  /** Counts up to the quantity. If omitted, it does not change, but for a lower quantity; 0 for a new product. */
  empties: z.optional(emptyBottles),
})
export type EditedItem = z.output<typeof editedItem>

const itemsBody = z.object({
  /** All items of the order; a product that is not named is removed. */
  items: z.array(editedItem).check(z.maxLength(mostOrderLines, 'validation.tooManyItems')),
  /** BHD; the total the person saw. */
  expectedTotal: z.optional(z.number().check(z.gte(0), z.lte(1_000_000_000))),
  /** The version that the client saw. */
  version: rowIdNumber,
})

const itemErrors = [
  'ORDER_NOT_FOUND',
  'EDIT_CLOSED',
  'ORDER_EMPTY',
  'VENDOR_MISMATCH',
  'PRODUCT_UNAVAILABLE',
  'MINIMUM_NOT_MET',
  'PRICE_CHANGED',
  'VERSION_CONFLICT',
] as const

export const editMyItems = endpoint({
  method: 'PUT',
  path: '/api/orders/{id}/items',
  allow: 'signed-in',
  summary: 'Change the items of an order that is not shipped, within an hour of placing it',
  params: orderParams,
  body: itemsBody,
  returns: order,
  errors: itemErrors,
})

export const editItems = endpoint({
  method: 'PUT',
  path: '/api/admin/orders/{id}/items',
  allow: 'admin',
  permissions: ['orders.status'],
  summary: 'Change the items of an order that is not shipped',
  params: orderParams,
  body: itemsBody,
  returns: adminOrderDetail,
  errors: [...itemErrors, 'PRICE_BELOW_FLOOR'],
})

/** The fields of a changed delivery address. */
export const addressChange = {
  /** If the receiver is omitted, it does not change; null: the customer takes it. */
  ...addressInput,
  /** If omitted, the pin does not change. */
  mapCoordinates: z.optional(coordinates),
  /** The version that the client saw. */
  version: z.optional(rowIdNumber),
}

export const editMyAddress = endpoint({
  method: 'PATCH',
  path: '/api/orders/{id}/address',
  allow: 'signed-in',
  summary: 'Change the delivery address of an order that is not shipped, within an hour of placing it',
  params: orderParams,
  body: z.object(addressChange),
  returns: order,
  errors: [
    'ORDER_NOT_FOUND',
    'EDIT_CLOSED',
    'ADDRESS_REQUIRED',
    'OUTSIDE_SERVICE_AREA',
    'VENDOR_DOES_NOT_DELIVER',
    'VERSION_CONFLICT',
  ],
})
