import type { Output } from '@qatra/contract/endpoint'
import { type CustomerDetail, getCustomer, listCustomers, listCustomerTags } from '@qatra/contract/users/customers'
import type { QueryClient } from '@tanstack/react-query'
import { CallError, read } from '../../lib/api-client.ts'
import type { Translate } from '../../lib/language/i18n.tsx'

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

/** Text of a server error; rethrows any other error. */
export function problemOf(error: unknown, t: Translate): string {
  if (!(error instanceof CallError)) throw error
  const keys = {
    INVALID_BODY: 'customers.error.INVALID_BODY',
    CUSTOMER_NOT_FOUND: 'customers.error.CUSTOMER_NOT_FOUND',
    OFFLINE: 'customers.error.OFFLINE',
  } as const
  return t(error.code in keys ? keys[error.code as keyof typeof keys] : 'customers.error.other')
}
