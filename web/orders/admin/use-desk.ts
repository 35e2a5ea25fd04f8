import { countOrders, listOrders } from '@qatra/contract/orders-admin'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchState } from '../../app/search-state.ts'
import { useUser } from '../../app/session.ts'
import { read } from '../../lib/api-client.ts'
import { deskShape, filtersOf, listQueryOf } from './desk-search.ts'

export function useDeskRights() {
  const user = useUser()
  const has = (permission: string) => user?.permissions.includes(permission) ?? false
  const isAdmin = user?.role === 'super_admin' || user?.role === 'vendor_admin' || user?.role === 'vendor_staff'
  return {
    isDriver: user?.role === 'driver',
    isSales: user?.role === 'vendor_sales',
    hasVendors: user?.role === 'super_admin',
    mayAssign: isAdmin && has('orders.assign') && has('orders.status'),
    mayExport: has('orders.export'),
    seesDrivers: isAdmin && has('drivers.read'),
    mayPlace: has('sales.place') && user?.role !== 'vendor_staff' && user?.role !== 'driver',
  }
}

/** The search parameters and their query; the previous rows stay until the new ones arrive. */
export function useDesk() {
  const [state, setState] = useSearchState(deskShape)
  const list = useQuery({ ...read(listOrders, { query: listQueryOf(state) }), placeholderData: keepPreviousData })
  const counts = useQuery({ ...read(countOrders, { query: filtersOf(state) }), placeholderData: keepPreviousData })
  return { state, setState, list, counts }
}
export type Desk = ReturnType<typeof useDesk>
