import { getAdminProduct, listAdminProducts, listProductAudit, productSorts } from '@qatra/contract/products/admin'
import { listBottleTypes } from '@qatra/contract/products/bottle-types'
import { listProducts } from '@qatra/contract/products/products'
import { listManagedVendors } from '@qatra/contract/vendors/admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { read } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { idIn, oneOf, pageNumber, type StateOf, textIn } from '../../lib/search-state.ts'
import { PAGE_SIZE } from '../../ui/admin/list/use-list.ts'

/** Filters of the list in the address. */
export const filterShape = {
  text: textIn(100),
  vendor: idIn,
  state: oneOf(['active', 'inactive']),
  sort: oneOf(productSorts),
  page: pageNumber,
}
export type ProductFilters = StateOf<typeof filterShape>

/** Query of the filters without the page number; also used by the export. */
export const filtersOf = ({ text, vendor, state, sort }: ProductFilters) => ({
  ...(text ? { search: text } : {}),
  ...(vendor ? { vendorId: String(vendor) } : {}),
  ...(state ? { isActive: state === 'active' ? ('true' as const) : ('false' as const) } : {}),
  ...(sort ? { sort } : {}),
})

export const listQuery = (filters: ProductFilters) =>
  read(listAdminProducts, { query: { page: filters.page, limit: PAGE_SIZE, ...filtersOf(filters) } })
export const productQuery = (id: string) => read(getAdminProduct, { params: { id } })
export const auditQuery = (id: string) => read(listProductAudit, { params: { id } })

export const useMayWrite = () => useUser()?.permissions.includes('products.write') ?? false

export interface AdminVendor {
  id: number
  name: string
  nameAr: string | null
  tint: string | null
  emblem: string | null
}

/** Vendors that the user can see: all for a super admin, otherwise the public ones. */
export function useAdminVendors(): readonly AdminVendor[] {
  const isSuper = useUser()?.role === 'super_admin'
  const managed = useQuery({ ...read(listManagedVendors, { query: { limit: 100 } }), enabled: isSuper })
  const offered = useQuery({ ...read(listVendors), enabled: !isSuper })
  return (isSuper ? managed.data?.items : offered.data) ?? []
}

const changed: readonly string[] = [listAdminProducts.path, listProducts.path, listBottleTypes.path]

/** Refetches lists and details after a change. */
export async function renewProducts(queries: QueryClient) {
  await queries.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === 'string' && changed.some((one) => path === one || path.startsWith(`${one}/`)),
  })
}
