import * as z from 'zod/mini'
import { cartQuantity, emptyBottles } from './cart/rules.ts'
import { endpoint } from './endpoint.ts'
import { day, rowIdNumber } from './lib/ids.ts'
import { feeBhd, priceBhd } from './lib/money.ts'
import { page, pageQuery } from './lib/page.ts'
import { phoneInput } from './lib/phone.ts'
import { customerName, freeText } from './lib/text.ts'
import { buyerInput } from './orders/buyer.ts'
import { deliveryChoice, mostOrderLines, order, orderParams } from './orders/orders.ts'
import { coordinates } from './places/geo.ts'
import { pinSources } from './places/pin.ts'
import { addressInput } from './users/addresses.ts'
import { addressParts } from './users/auth.ts'
import { sellers } from './users/roles.ts'

/** BHD; the default if a request has no fee. The form sends the vendor's fee. */
export const usualSalesFee = 2.5

/** The customer of a phone number, as far as the caller's vendor knows. */
export const salesCustomer = z.object({
  id: z.number(),
  phone: z.string(),
  name: z.nullable(z.string()),
  /** Last delivery address with this vendor; null without a delivery. */
  address: z.nullable(z.string()),
  addressParts: z.nullable(addressParts),
  mapCoordinates: z.nullable(coordinates),
  pinSource: z.nullable(z.enum(pinSources)),
  instructions: z.nullable(z.string()),
  /** Places of the customer's deliveries with this vendor, the last first. */
  places: z.array(
    z.object({
      address: z.string(),
      addressParts: z.nullable(addressParts),
      mapCoordinates: coordinates,
      /** How the pin was set; null if not known. */
      pinSource: z.nullable(z.enum(pinSources)),
      instructions: z.nullable(z.string()),
      receiverName: z.nullable(z.string()),
      receiverPhone: z.nullable(z.string()),
    }),
  ),
  orderCount: z.number(),
  /** Bottles of the caller's vendor that no open order has promised to give back, by type. */
  freeBottles: z.record(z.string(), z.number()),
  /** The last order with the caller's vendor. */
  lastOrder: z.nullable(order),
})
export type SalesCustomer = z.output<typeof salesCustomer>

const selling = { allow: sellers, permissions: ['sales.place'], deniedAs: 'SALES_ONLY' } as const

export const findSalesCustomer = endpoint({
  ...selling,
  method: 'GET',
  path: '/api/sales/customers',
  summary: 'The customer of a phone number, with the last order',
  query: z.object({ phone: phoneInput }),
  returns: salesCustomer,
  errors: ['CUSTOMER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})

const salesItem = z.object({
  productId: rowIdNumber,
  quantity: cartQuantity,
  /** Empty bottles that the customer gives back, counts up to the quantity. Default: as many as the customer has. */
  empties: z.optional(emptyBottles),
  /** BHD; replaces the product's price. */
  customPrice: z.optional(z.nullable(priceBhd)),
  reason: z.optional(z.nullable(freeText(300))),
})

export const placeSalesOrder = endpoint({
  ...selling,
  method: 'POST',
  path: '/api/sales/orders',
  byKey: true,
  summary: 'Place an order for a customer by phone',
  body: z.object({
    phone: phoneInput,
    customerName: customerName(3),
    ...addressInput,
    ...buyerInput,
    items: z._default(z.array(salesItem).check(z.maxLength(mostOrderLines, 'validation.tooManyItems')), []),
    /** Only the caller's own vendor is accepted. */
    vendorId: z.optional(z.nullable(rowIdNumber)),
    deliveryFee: z._default(feeBhd, usualSalesFee),
    /** Delivers outside of the vendor's areas; requires a permission and the reason below. */
    ignoreCoverage: z._default(z.boolean(), false),
    reason: z.optional(z.nullable(freeText(300))),
    ...deliveryChoice,
  }),
  returns: z.extend(order, {
    /** BHD missing to the vendor's minimum. Informational, not enforced. */
    minimumLeft: z.number(),
  }),
  errors: [
    'ORDER_EMPTY',
    'VENDOR_MISMATCH',
    'PRODUCT_UNAVAILABLE',
    'PRICE_BELOW_FLOOR',
    'ADDRESS_REQUIRED',
    'OUTSIDE_SERVICE_AREA',
    'VENDOR_DOES_NOT_DELIVER',
    'CUSTOMER_SWITCHED_OFF',
    'DATE_CHANGED',
    'DATE_NOT_AVAILABLE',
    'IDEMPOTENCY_KEY_REUSED',
  ],
})

export const listPriceFloors = endpoint({
  ...selling,
  method: 'GET',
  path: '/api/sales/price-floors',
  summary:
    'Lowest agreed price of each vendor in the caller’s scope, as a percentage of the list price; vendors without one are omitted',
  returns: z.array(
    z.object({
      vendorId: z.number(),
      /** Whole percent of the product's price. */
      percent: z.number(),
    }),
  ),
})

export const listSalesOrders = endpoint({
  ...selling,
  method: 'GET',
  path: '/api/sales/orders',
  byKey: true,
  summary: 'Orders placed by sales, newest first; sales and staff see only their own',
  query: pageQuery,
  returns: page(order),
})

export const salesDay = z.object({
  day,
  /** Without cancelled orders. */
  orders: z.number(),
  /** BHD */
  total: z.number(),
})

export const listSalesDays = endpoint({
  ...selling,
  method: 'GET',
  path: '/api/sales/days',
  summary: 'Daily totals of the orders placed by sales, on the last 31 days with orders',
  returns: z.array(salesDay),
})

export const getSalesOrder = endpoint({
  ...selling,
  method: 'GET',
  path: '/api/sales/orders/{id}',
  byKey: true,
  summary: 'One order placed by sales',
  params: orderParams,
  returns: order,
  errors: ['ORDER_NOT_FOUND', 'TOO_MANY_REQUESTS'],
})
