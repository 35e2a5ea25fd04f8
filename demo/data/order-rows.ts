import { randomInt } from 'node:crypto'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { fromBhd } from '@qatra/contract/lib/money'
import { newOrderId } from '@qatra/contract/orders/order-id'
import { chargesInBhd, orderTotals } from '@qatra/contract/orders/totals'
import type { BottleEntry } from '../../server/bottles/commands.ts'
import type { areas } from '../../server/areas/bahrain/areas.ts'
import type { deliveryAttempts } from '../../server/drivers/tables.ts'
import { paperCopy } from '../../server/orders/receipt/queries.ts'
import type { receipts, Seller } from '../../server/orders/receipt/tables.ts'
import type { orderAuditHistory, orders } from '../../server/orders/tables.ts'
import { type Authors, bottlesOf, cashOf, type LedgerRows, type ItemRows, saleOf } from './order-entries.ts'
import { people, type SeedPerson } from './people.ts'
import type { SeedProduct } from './products.ts'
import type { SeedOrder } from './seed-order.ts'
import type { SeedVendor } from './vendors.ts'

interface Known {
  vendors: readonly SeedVendor[]
  products: readonly SeedProduct[]
  areas: typeof areas
  customers: ReadonlyMap<string, SeedPerson>
  /** Ids of the demo people by phone. */
  userIds: ReadonlyMap<string, number>
  areaIds: ReadonlyMap<string, number>
  /** Ids of the bottle types by vendor. */
  typeIds: ReadonlyMap<number, number>
}

export interface OrderRows {
  order: typeof orders.$inferInsert
  items: ItemRows
  history: (typeof orderAuditHistory.$inferInsert)[]
  entries: LedgerRows
  /** Handed over and given back. */
  bottles: BottleEntry[]
  attempts: (typeof deliveryAttempts.$inferInsert)[]
  /** Without its number, which follows from the order of the deliveries. */
  receipt: Omit<typeof receipts.$inferInsert, 'number'> | null
}

const found = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`The demo data names an unknown ${what}`)
  return value
}

/** The rows of an order as the shop's commands would have written them. */
export function rowsOf(past: SeedOrder, known: Known): OrderRows {
  const id = newOrderId((max) => randomInt(max))
  const vendor = found(
    known.vendors.find((one) => one.id === past.vendorId),
    'vendor',
  )
  const area = found(
    known.areas.find((one) => one.areaId === past.areaId),
    'area',
  )
  const lines = past.items.map(({ productId, quantity, newBottles = 0 }) => {
    const product = found(
      known.products.find((one) => one.id === productId),
      'product',
    )
    const { bottleTerms, vatPercentage } = product
    const isExchange = bottleTerms === 'exchange'
    return {
      product,
      quantity,
      price: fromBhd(product.price),
      vatPercentage,
      bottleTypeId: bottleTerms && found(known.typeIds.get(vendor.id), 'bottle type'),
      bottleTerms,
      bottleDeposit: isExchange ? fromBhd(vendor.bottleDeposit ?? 0) : null,
      empties: isExchange ? quantity - newBottles : null,
    }
  })
  const totals = orderTotals(lines, chargesInBhd(vendor))
  const customer = found(known.customers.get(past.customerPhone), 'customer')
  const who = authorsAt(past, known)
  const delivered = past.changes.find((change) => change.status === 'delivered')
  const items = lines.map(({ product, ...line }) => ({
    orderId: id,
    productId: product.id,
    name: product.name,
    nameAr: product.nameAr,
    size: product.size,
    imageUrl: product.imageUrl,
    ...line,
    inventoryUnit: product.inventoryUnit,
    inventoryUnitAr: product.inventoryUnitAr,
    unitsPerInventoryUnit: product.unitsPerInventoryUnit,
  }))
  const buyer = {
    customerName: customer.name,
    phone: past.customerPhone,
    address: past.address,
    receiverName: null,
    receiverPhone: null,
  }
  return {
    order: {
      id,
      userId: who.customer,
      vendorId: vendor.id,
      vendorName: vendor.name,
      vendorNameAr: vendor.nameAr,
      status: past.status,
      ...buyer,
      addressParts: past.addressParts,
      lat: past.coordinates.lat,
      lng: past.coordinates.lng,
      areaId: found(known.areaIds.get(past.areaId), 'area'),
      areaName: area.name,
      areaNameAr: area.nameAr,
      instructions: past.instructions || null,
      paymentMethod: past.paidBy ?? 'cash',
      paymentStatus: delivered || past.paidBy ? 'paid' : 'pending',
      ...totals,
      placedBy: who.agent,
      assignedDriverId: delivered || past.driverPhone ? who.driver : null,
      promisedDate: past.promisedDate,
      deliveredAt: delivered?.at ?? null,
      version: past.changes.length + (past.assignedAt ? 2 : 1),
      createdAt: past.placedAt,
      updatedAt: past.changes.at(-1)?.at ?? past.placedAt,
    },
    items,
    history: historyOf(id, past, who),
    entries: [
      ...saleOf(id, past, { total: totals.total, who, deliveredAt: delivered?.at }),
      ...cashOf(id, past, { total: totals.total, who, deliveredAt: delivered?.at }),
    ],
    bottles: delivered
      ? bottlesOf(items, { orderId: id, vendorId: vendor.id, customerId: who.customer, happenedAt: delivered.at })
      : [],
    attempts: past.attempt
      ? [{ orderId: id, driverId: who.driver, createdBy: who.driver, key: id, ...attemptOf(past.attempt) }]
      : [],
    receipt: delivered
      ? {
          orderId: id,
          vendorId: vendor.id,
          seller: sellerOf(vendor),
          ...paperCopy({ ...buyer, ...totals, deliveredAt: delivered.at }, items),
          day: bahrainDate(delivered.at),
          issuedAt: delivered.at,
        }
      : null,
  }
}

const sellerOf = (vendor: SeedVendor): Seller => ({
  name: vendor.companyName,
  nameAr: vendor.companyNameAr,
  address: vendor.companyAddress,
  addressAr: vendor.companyAddressAr,
  crNumber: vendor.crNumber,
  vatNumber: vendor.vatNumber,
})

const attemptOf = ({ at, reason }: NonNullable<SeedOrder['attempt']>) => ({ reason, happenedAt: at, createdAt: at })

/** Demo staff of the vendor by role; without vendor staff, its admin. */
function authorsAt({ vendorId, customerPhone, driverPhone, agentPhone }: SeedOrder, { userIds }: Known): Authors {
  const idOf = (role: string) => {
    const person = people.find((one) => one.vendorId === vendorId && one.role === role)
    return person ? (userIds.get(person.phone) ?? null) : null
  }
  const staff = idOf('vendor_staff') ?? idOf('vendor_admin')
  return {
    customer: found(userIds.get(customerPhone), 'customer'),
    agent: agentPhone ? found(userIds.get(agentPhone), 'agent') : null,
    staff,
    driver: driverPhone ? found(userIds.get(driverPhone), 'driver') : (idOf('driver') ?? staff),
  }
}

function historyOf(orderId: string, past: SeedOrder, who: Authors): OrderRows['history'] {
  const row = (changedAt: Date, changedBy: number | null, action = 'updated') => ({
    orderId,
    changedAt,
    changedBy,
    action,
  })
  const before = ['new', ...past.changes.map(({ status }) => status)]
  const canceller = past.cancelledBy === 'staff' ? who.staff : who.customer
  const isInHand = past.paidBy === undefined
  const rows: OrderRows['history'] = [
    {
      ...row(past.placedAt, who.agent ?? who.customer, 'created'),
      onBehalfOf: who.agent && who.customer,
      fieldChanged: 'status',
      newValue: 'new',
    },
    ...past.changes.flatMap(({ status, at, notes = null }, i) => {
      const author = { cancelled: canceller, delivered: who.driver, shipped: who.driver }[status as string]
      const change = { ...row(at, author === undefined ? who.staff : author), notes }
      const moved = { ...change, fieldChanged: 'status', oldValue: before[i] ?? null, newValue: status }
      const paid = { ...change, fieldChanged: 'paymentStatus', oldValue: 'pending', newValue: 'paid' }
      return status === 'delivered' && isInHand ? [moved, paid] : [moved]
    }),
    ...(past.assignedAt
      ? [{ ...row(past.assignedAt, who.staff), fieldChanged: 'assignedDriverId', newValue: String(who.driver) }]
      : []),
    ...(past.assignedAt && past.paidBy
      ? [
          { field: 'paymentMethod', from: 'cash', to: past.paidBy },
          { field: 'paymentStatus', from: 'pending', to: 'paid' },
        ].map(({ field, from, to }) => ({
          ...row(past.assignedAt ?? past.placedAt, who.staff),
          fieldChanged: field,
          oldValue: from,
          newValue: to,
        }))
      : []),
    ...(past.notes ?? []).map(({ at, text }) => ({ ...row(at, who.staff, 'note'), notes: text })),
    ...(past.attempt
      ? [{ ...row(past.attempt.at, who.driver, 'attempted'), fieldChanged: 'attempt', newValue: past.attempt.reason }]
      : []),
  ]
  return rows.toSorted((a, b) => Number(a.changedAt) - Number(b.changedAt))
}
