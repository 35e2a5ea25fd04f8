import type { Output } from '@qatra/contract/endpoint'
import { type AdminUser, getUser, listUsers } from '@qatra/contract/users/users'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'

export const personQuery = (id: number) => read(getUser, { params: { id: String(id) } })

/** Writes the person from the server's answer to the detail and the lists. */
export function cachePerson(queries: QueryClient, person: AdminUser) {
  queries.setQueryData(personQuery(person.id).queryKey, person)
  queries.setQueriesData<Output<typeof listUsers>>(
    { queryKey: [listUsers.path] },
    (before) => before && { ...before, items: before.items.map((row) => (row.id === person.id ? person : row)) },
  )
}

/** Vendor names by id, in the page's language. */
export function useVendorNames() {
  const { data: vendors } = useQuery(read(listVendors))
  const nameIn = useNameIn()
  const options = (vendors ?? []).map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))
  /** The only vendor, which is proposed. */
  const only = options.length === 1 ? (options[0]?.value ?? null) : null
  return { options, only, nameOf: (id: number) => options.find(({ value }) => value === id)?.label ?? `#${id}` }
}
