import { randomInt } from 'node:crypto'
import { cartTotals, fromBhd } from '@qatra/contract/money'
import { newOrderId } from '@qatra/contract/order-id'
import type { orderAuditHistory, orderItems, orders } from '../orders/tables.ts'
import type { areas } from './areas.ts'
import type { PastOrder } from './past-orders.ts'
import { people } from './people.ts'
import { type OpenOrder, runCustomers } from './todays-run.ts'
import type { SeedProduct } from './products.ts'
import type { SeedVendor } from './vendors.ts'

interface Known {
  vendors: readonly SeedVendor[]
  products: readonly SeedProduct[]
  areas: typeof areas
  /** Ids of the demo people by phone. */
  userIds: ReadonlyMap<string, number>
  areaIds: ReadonlyMap<string, number>
}

interface OrderRows {
  order: typeof orders.$inferInsert
  items: (typeof orderItems.$inferInsert)[]
  history: (typeof orderAuditHistory.$inferInsert)[]
}

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`The demo data names an unknown ${what}`)
  return value
}

/** An order as it would stand in the tables had the shop itself placed it, sent it out, delivered or cancelled it. */
export function rowsOf(past: PastOrder | OpenOrder, known: Known): OrderRows {
  const id = newOrderId((max) => randomInt(max))
  const vendor = found(
    known.vendors.find((one) => one.id === past.vendorId),
    'vendor',
  )
  const area = found(
    known.areas.find((one) => one.areaId === past.areaId),
    'area',
  )
  const lines = past.items.map(({ productId, quantity }) => {
    const product = found(
      known.products.find((one) => one.id === productId),
      'product',
    )
    return { product, quantity, price: fromBhd(product.price), vatPercentage: product.vatPercentage }
  })
  const { subtotal, deliveryFee, productVAT, total } = cartTotals(lines, fromBhd(vendor.deliveryFee))
  const customer = found(
    [...people, ...runCustomers].find(({ phone }) => phone === past.customerPhone),
    'customer',
  )
  const who = authorsAt(past, known)
  const delivered = past.changes.find((change) => change.status === 'delivered')
  return {
    order: {
      id,
      userId: who.customer,
      vendorId: vendor.id,
      vendorName: vendor.name,
      vendorNameAr: vendor.nameAr,
      status: past.status,
      customerName: customer.name,
      phone: past.customerPhone,
      address: past.address,
      addressParts: past.addressParts,
      lat: past.coordinates.lat,
      lng: past.coordinates.lng,
      areaId: found(known.areaIds.get(past.areaId), 'area'),
      areaName: area.name,
      areaNameAr: area.nameAr,
      instructions: past.instructions || null,
      paymentStatus: delivered ? 'paid' : 'pending',
      subtotal,
      deliveryFee,
      productVat: productVAT,
      total,
      assignedDriverId: delivered || 'driverPhone' in past ? who.driver : null,
      promisedDate: past.promisedDate,
      deliveredAt: delivered?.at ?? null,
      version: past.changes.length + 1,
      createdAt: past.placedAt,
      updatedAt: past.changes.at(-1)?.at ?? past.placedAt,
    },
    items: lines.map(({ product, quantity, price, vatPercentage }) => ({
      orderId: id,
      productId: product.id,
      name: product.name,
      nameAr: product.nameAr,
      size: product.size,
      imageUrl: product.imageUrl,
      price,
      vatPercentage,
      quantity,
      unitsPerInventoryUnit: product.unitsPerInventoryUnit,
    })),
    history: historyOf(id, past, who),
  }
}

interface Authors {
  customer: number
  staff: number | null
  driver: number | null
}

/** Who works for the vendor in the demo; where nobody does in a role, its admin or nobody is named. */
function authorsAt(past: PastOrder | OpenOrder, { userIds }: Known): Authors {
  const { vendorId, customerPhone } = past
  const named = 'driverPhone' in past ? found(userIds.get(past.driverPhone), 'driver') : null
  const idOf = (role: string) => {
    const person = people.find((one) => one.vendorId === vendorId && one.role === role)
    return person ? (userIds.get(person.phone) ?? null) : null
  }
  const staff = idOf('vendor_staff') ?? idOf('vendor_admin')
  return { customer: found(userIds.get(customerPhone), 'customer'), staff, driver: named ?? idOf('driver') ?? staff }
}

function historyOf(orderId: string, past: PastOrder | OpenOrder, who: Authors): OrderRows['history'] {
  const row = (changedAt: Date, changedBy: number | null, action: string) => ({ orderId, changedAt, changedBy, action })
  const before = ['new', ...past.changes.map(({ status }) => status)]
  return [
    { ...row(past.placedAt, who.customer, 'created'), fieldChanged: 'status', oldValue: null, newValue: 'new' },
    ...past.changes.flatMap(({ status, at }, i) => {
      const author = { cancelled: who.customer, delivered: who.driver, shipped: who.driver }[status as string]
      const change = row(at, author === undefined ? who.staff : author, 'updated')
      const moved = { ...change, fieldChanged: 'status', oldValue: before[i] ?? null, newValue: status }
      const paid = { ...change, fieldChanged: 'paymentStatus', oldValue: 'pending', newValue: 'paid' }
      return status === 'delivered' ? [moved, paid] : [moved]
    }),
  ]
}
