import type { Lang } from '@qatra/contract/lib/lang'
import { nameOrder } from '@qatra/contract/lib/text'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { distinctInitials } from '../../../ui/admin/Avatar.tsx'
import type { Stop } from '../use-stops.ts'

export interface ProductSum {
  key: string
  name: string
  nameAr: string | null
  size: string
  inventoryUnit: string | null
  inventoryUnitAr: string | null
  unitsPerInventoryUnit: number
  tint: string | null
  quantity: number
  /** By driver id; 0 means no driver. */
  byDriver: ReadonlyMap<number, number>
}

export interface LoadDriver {
  /** 0 means no driver. */
  id: number
  name: string | null
  /** Initials that no other driver here has. */
  initials?: string | undefined
  /** Units of all products. */
  quantity: number
}

export interface LoadOrder {
  order: AdminOrder
  /** Stop number in the driver's run, if known. */
  stop: number | null
  quantity: number
}

/** What one vendor loads for one day. */
export interface Load {
  key: string
  vendorName: string
  vendorNameAr: string | null
  day: string
  drivers: LoadDriver[]
  products: ProductSum[]
  orders: LoadOrder[]
  quantity: number
}

/** Whether the order is still to be packed: not delivered or cancelled. */
const isToPack = ({ status }: AdminOrder) => status !== 'delivered' && status !== 'cancelled'

/**
 * Groups orders by vendor and day. Products are summed by name, size and unit for each driver. Orders are sorted in loading
 * order: by driver, last stop first, then orders without a stop by area.
 */
export function loadsOf(
  orders: readonly AdminOrder[],
  stops: ReadonlyMap<string, Pick<Stop, 'number'>> = new Map(),
  lang: Lang = 'ar',
): Load[] {
  const byKey = grouped(orders.filter(isToPack), ({ promisedDate, vendorId }) => `${promisedDate} ${vendorId}`)
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, some]) => {
      const [first] = some
      if (!first) return []
      const { vendorName, vendorNameAr, promisedDate: day } = first
      const all = some.map(
        (order): LoadOrder => ({
          order,
          stop: stops.get(order.id)?.number ?? null,
          quantity: order.items.reduce((sum, { quantity }) => sum + quantity, 0),
        }),
      )
      const drivers = driversOf(all, lang)
      return {
        key,
        vendorName,
        vendorNameAr,
        day,
        drivers,
        products: productsOf(some),
        orders: all.sort(
          (a, b) =>
            drivers.findIndex(({ id }) => id === idOf(a.order)) - drivers.findIndex(({ id }) => id === idOf(b.order)) ||
            (b.stop ?? 0) - (a.stop ?? 0) ||
            (a.order.areaName ?? '').localeCompare(b.order.areaName ?? '') ||
            (a.order.createdAt < b.order.createdAt ? -1 : 1),
        ),
        quantity: all.reduce((sum, { quantity }) => sum + quantity, 0),
      }
    })
}

const idOf = ({ driver }: AdminOrder) => driver?.id ?? 0

/** Sorted by name; orders without a driver come last. */
function driversOf(all: readonly LoadOrder[], lang: Lang): LoadDriver[] {
  const drivers = new Map<number, LoadDriver>()
  for (const { order, quantity } of all) {
    const id = idOf(order)
    const before = drivers.get(id)
    drivers.set(id, {
      id,
      name: order.driver && (order.driver.name ?? order.driver.phone),
      quantity: quantity + (before?.quantity ?? 0),
    })
  }
  const compare = nameOrder(lang)
  const sorted = [...drivers.values()].sort(
    (a, b) => Number(a.id === 0) - Number(b.id === 0) || compare(a.name ?? '', b.name ?? ''),
  )
  const initials = distinctInitials(sorted)
  return sorted.map((driver) => ({ ...driver, initials: initials.get(driver.id) }))
}

function productsOf(orders: readonly AdminOrder[]): ProductSum[] {
  const lines = orders.flatMap((order) =>
    order.items.map((item) => ({ ...item, tint: order.vendorTint, driver: idOf(order) })),
  )
  const products = [
    ...grouped(lines, ({ name, size, inventoryUnit, unitsPerInventoryUnit }) =>
      [name, size, inventoryUnit, unitsPerInventoryUnit].join(' '),
    ),
  ].flatMap(([key, some]) => {
    const [first] = some
    if (!first) return []
    const byDriver = new Map<number, number>()
    for (const { driver, quantity } of some) byDriver.set(driver, quantity + (byDriver.get(driver) ?? 0))
    const { name, nameAr, size, inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit, tint } = first
    return {
      key,
      name,
      nameAr,
      size,
      inventoryUnit,
      inventoryUnitAr,
      unitsPerInventoryUnit,
      tint,
      byDriver,
      quantity: some.reduce((sum, { quantity }) => sum + quantity, 0),
    }
  })
  return products.sort((a, b) => b.quantity - a.quantity)
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}
