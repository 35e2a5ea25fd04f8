import { findAreaAt, getArea, listAreas } from '@qatra/contract/places/areas'
import { listManagedAreas } from '@qatra/contract/places/areas-admin'
import { getManagedVendor, listManagedVendors, listVendorAreas } from '@qatra/contract/vendors/admin'
import type { QueryClient } from '@tanstack/react-query'

/** Refetches all queries that contain areas. */
export const refreshAreas = (queries: QueryClient) =>
  Promise.all(
    [listManagedAreas, listAreas, getArea, findAreaAt, listVendorAreas, getManagedVendor, listManagedVendors].map(
      ({ path }) => queries.invalidateQueries({ queryKey: [path] }),
    ),
  )
