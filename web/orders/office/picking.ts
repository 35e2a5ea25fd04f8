import type { OfficeOrder } from '@qatra/contract/orders-office'
import { isCashDue } from './next-act.ts'

export interface ProductSum {
  key: string
  name: string
  nameAr: string | null
  size: string
  tint: string | null
  quantity: number
}

/** What one vendor loads for one day. */
export interface Load {
  key: string
  vendorName: string
  vendorNameAr: string | null
  day: string
  products: ProductSum[]
  orders: OfficeOrder[]
  /** BHD */
  cash: number
}

/** Delivered and cancelled orders are packed no more. */
const isToPack = ({ status }: OfficeOrder) => status !== 'delivered' && status !== 'cancelled'

/** Orders by vendor and day; products summed up by what stands on the shelf, orders by area so that neighbours meet. */
export function loadsOf(orders: readonly OfficeOrder[]): Load[] {
  const loads = new Map<string, Load>()
  for (const order of orders.filter(isToPack)) {
    const key = `${order.promisedDate} ${order.vendorId}`
    const load = loads.get(key) ?? {
      key,
      vendorName: order.vendorName,
      vendorNameAr: order.vendorNameAr,
      day: order.promisedDate,
      products: [],
      orders: [],
      cash: 0,
    }
    loads.set(key, load)
    load.orders.push(order)
    // Whole fils: sums of decimals would drift.
    if (isCashDue(order)) load.cash = Math.round((load.cash + order.total) * 1000) / 1000
    for (const item of order.items) {
      const product = load.products.find((one) => one.name === item.name && one.size === item.size)
      if (product) product.quantity += item.quantity
      else load.products.push({ ...item, key: `${item.name} ${item.size}`, tint: order.vendorTint })
    }
  }
  const sorted = [...loads.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const load of sorted) {
    load.products.sort((a, b) => b.quantity - a.quantity)
    load.orders.sort(
      (a, b) => (a.areaName ?? '').localeCompare(b.areaName ?? '') || (a.createdAt < b.createdAt ? -1 : 1),
    )
  }
  return sorted
}
