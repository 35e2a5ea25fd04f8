import { parsePhone } from '@qatra/contract/lib/phone'
import { listProducts } from '@qatra/contract/products/products'
import { findSalesCustomer, listPriceFloors, listSalesDays, listSalesOrders } from '@qatra/contract/sales'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isMissing, read } from '../../lib/api-client.ts'

/** Products of one vendor, or of all vendors. */
export const productsQuery = (vendorId: number | null) =>
  read(listProducts, { query: vendorId === null ? {} : { vendorId: String(vendorId) } })

export function useProducts(vendorId: number | null) {
  const { data } = useQuery(productsQuery(vendorId))
  return useMemo(() => (data ? new Map(data.map((product) => [product.id, product])) : null), [data])
}

/** A price may change in the meantime; the server's answer is authoritative. */
export const priceFloorsQuery = () => ({ ...read(listPriceFloors), retry: false, staleTime: 30_000 })

/** Looks up the customer once the number is complete. An unknown number is no error. */
export function useCaller(typed: string) {
  const parsed = parsePhone(typed)
  const phone = parsed.ok ? parsed.phone : ''
  const { data, error, isFetching } = useQuery({
    ...read(findSalesCustomer, { query: { phone } }),
    enabled: parsed.ok,
    retry: false,
    staleTime: 30_000,
  })
  const known = parsed.ok && data && !error ? data : null
  const isNew = parsed.ok && isMissing(error)
  return {
    phone: parsed.ok ? parsed.phone : null,
    customer: known,
    isNew,
    isFailed: parsed.ok && error !== null && !isNew,
    isLooking: parsed.ok && isFetching && !known,
  }
}

/** Invalidates lists and daily sums after an order. */
export const renewSales = (queries: QueryClient) =>
  Promise.all(
    [listSalesOrders, listSalesDays, findSalesCustomer].map(({ path }) =>
      queries.invalidateQueries({ queryKey: [path] }),
    ),
  )
