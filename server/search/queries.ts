import { type Found, MOST_FOUND } from '@qatra/contract/search-admin'
import { isAuthorized, type Permission } from '@qatra/contract/users/permissions'
import { listAllCustomers } from '../customers/queries.ts'
import type { Ctx } from '../database/context.ts'
import { listOrders } from '../orders/admin/list.queries.ts'
import { listAdminProducts } from '../products/admin.queries.ts'
import type { ProductSnapshot } from '../products/snapshot.ts'

const nothing: Found = { orders: [], customers: [], products: [] }

/** Each kind by the search of its own list, with its limits; a kind that the person may not list is empty. */
export async function searchAdmin(ctx: Ctx, products: ProductSnapshot, search: string): Promise<Found> {
  // Marks alone would match every row.
  if (!/[\p{L}\p{N}]/u.test(search)) return nothing
  const may = (permission: Permission) => isAuthorized({ allow: 'admin', permissions: [permission] }, ctx.actor.user)
  const page = { page: 1, limit: MOST_FOUND, search }
  const [orders, customers] = await Promise.all([
    listOrders(ctx, { ...page, sort: '-createdAt', by: 'created' }),
    may('customers.read') ? listAllCustomers(ctx, { ...page, sort: '-lastOrderAt' }) : null,
  ])
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
      ? listAdminProducts(products, ctx, page).items.map(({ id, name, nameAr, size }) => ({ id, name, nameAr, size }))
      : [],
  }
}
