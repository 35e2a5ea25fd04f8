import { includesFolded } from '@qatra/contract/lib/text'
import { type Found, MOST_FOUND } from '@qatra/contract/search-admin'
import { isAuthorized, type Permission } from '@qatra/contract/users/permissions'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { listAllCustomers } from '../customers/queries.ts'
import type { Ctx } from '../database/context.ts'
import { listOrders } from '../orders/admin/list.queries.ts'
import { listDrivers } from '../orders/admin/queries.ts'
import { listAdminProducts } from '../products/admin.queries.ts'
import type { ProductSnapshot } from '../products/snapshot.ts'
import { listPeople, searchedFor } from '../users/admin.queries.ts'

const nothing: Found = { orders: [], customers: [], products: [], drivers: [], users: [], areas: [] }

/** Each kind by the search of its own list, with its limits; a kind that the person may not list is empty. */
export async function searchAdmin(ctx: Ctx, snapshot: ProductSnapshot & AreaSnapshot, search: string): Promise<Found> {
  // Marks alone would match every row.
  if (!/[\p{L}\p{N}]/u.test(search)) return nothing
  const may = (permission: Permission) => isAuthorized({ allow: 'admin', permissions: [permission] }, ctx.actor.user)
  const page = { page: 1, limit: MOST_FOUND, search }
  const seesDrivers = may('drivers.read')
  const [orders, customers, drivers, people] = await Promise.all([
    listOrders(ctx, { ...page, sort: '-createdAt', by: 'created' }),
    may('customers.read') ? listAllCustomers(ctx, { ...page, sort: '-lastOrderAt' }) : null,
    seesDrivers ? listDrivers(ctx, {}) : [],
    may('users.read') ? listPeople(ctx, { ...page, staff: true, sort: '-lastActiveAt' }) : null,
  ])
  const sought = searchedFor(search)
  const holds = (...texts: (string | null)[]) => texts.some((text) => text !== null && includesFolded(text, sought))
  return {
    orders: orders.items.map(({ id, customerName, status, areaName, areaNameAr }) => ({
      id,
      customerName,
      status,
      areaName,
      areaNameAr,
    })),
    customers: customers?.items.map(({ id, name, phone }) => ({ id, name, phone })) ?? [],
    products: may('products.read')
      ? listAdminProducts(snapshot, ctx, page).items.map(({ id, name, nameAr, size }) => ({ id, name, nameAr, size }))
      : [],
    drivers: drivers.filter(({ name, phone }) => holds(name, phone)).slice(0, MOST_FOUND),
    users:
      people?.items.flatMap(({ id, name, phone, role, preset }) =>
        seesDrivers && role === 'driver' ? [] : [{ id, name, phone, role, preset }],
      ) ?? [],
    areas: may('areas.read')
      ? [...snapshot.areas.values()]
          .filter(({ name, nameAr }) => holds(name, nameAr))
          .slice(0, MOST_FOUND)
          .map(({ id, name, nameAr }) => ({ id, name, nameAr }))
      : [],
  }
}
