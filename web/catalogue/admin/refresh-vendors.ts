import { listAreas } from '@qatra/contract/places/areas'
import { listBottleTypes } from '@qatra/contract/products/bottle-types'
import { getManagedVendor, listManagedVendors, listVendorAreas } from '@qatra/contract/vendors/admin'
import { getVendor, listVendors } from '@qatra/contract/vendors/vendors'
import type { QueryClient } from '@tanstack/react-query'
import { read } from '../../lib/api-client.ts'

/** Refetches all queries that contain vendors. */
export const refreshVendors = (queries: QueryClient) =>
  Promise.all(
    [listManagedVendors, getManagedVendor, listVendorAreas, listVendors, getVendor, listAreas].map(({ path }) =>
      queries.invalidateQueries({ queryKey: [path] }),
    ),
  )

export const bottleTypesQuery = (vendorId: number) => read(listBottleTypes, { query: { vendorId: String(vendorId) } })
