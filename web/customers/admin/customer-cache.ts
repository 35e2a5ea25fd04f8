import type { Output } from '@qatra/contract/endpoint'
import { type CustomerDetail, getCustomer, listCustomers, listCustomerTags } from '@qatra/contract/users/customers'
import type { QueryClient } from '@tanstack/react-query'
import { read } from '../../lib/api-client.ts'

export const customerQuery = (id: number) => read(getCustomer, { params: { id: String(id) } })

/** Writes the customer from the server's answer to the detail and the lists. */
export function cacheCustomer(queries: QueryClient, customer: CustomerDetail) {
  queries.setQueryData(customerQuery(customer.id).queryKey, customer)
  queries.setQueriesData<Output<typeof listCustomers>>(
    { queryKey: [listCustomers.path] },
    (before) =>
      before && {
        ...before,
        items: before.items.map((row) => (row.id === customer.id ? { ...row, tags: customer.tags } : row)),
      },
  )
  void queries.invalidateQueries({ queryKey: [listCustomerTags.path] })
}
