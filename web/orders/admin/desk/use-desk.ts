import { isDay } from '@qatra/contract/calendar/calendar'
import { countOrders, listOrders } from '@qatra/contract/orders/admin'
import type { Role } from '@qatra/contract/users/roles'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { read } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useSearchState } from '../../../lib/search-state.ts'
import type { DriversOf } from '../drivers.ts'
import { type DeskState, deskShape, deskStateOf, filtersOf, isFiltered, listQueryOf } from './desk-search.ts'

/** Drivers and sales agents see all their orders; vendor staff begin with a day. */
export const opensOnDay = (role: Role | undefined) =>
  role === 'super_admin' || role === 'vendor_admin' || role === 'vendor_staff'

export function useDeskRights() {
  const user = useUser()
  const has = (permission: string) => user?.permissions.includes(permission) ?? false
  const isAdmin = opensOnDay(user?.role)
  return {
    isAdmin,
    isDriver: user?.role === 'driver',
    isSales: user?.role === 'vendor_sales',
    hasVendors: user?.role === 'super_admin',
    mayAssign: isAdmin && has('orders.assign') && has('orders.status'),
    mayExport: has('orders.export'),
    seesDrivers: isAdmin && has('drivers.read'),
    mayPlace: has('sales.place'),
  }
}

/** The drivers of the filter and of the rows, with their orders of the chosen day. */
export const driversOf = ({ vendor, day }: DeskState, enabled: boolean): DriversOf => ({
  vendorId: vendor[0] ?? null,
  day: day !== undefined && isDay(day) ? day : undefined,
  enabled,
})

/** The day after a change. Without other filters the address of vendor staff has to name `all`. */
export function dayAfter(state: DeskState, change: Partial<DeskState>, isAdmin: boolean): string | undefined {
  if (state.day !== undefined || !isAdmin || change.q === '') return state.day
  return isFiltered({ ...state, ...change }) ? undefined : 'all'
}

/** The search parameters and their query; the previous rows stay until the new ones arrive. */
export function useDesk() {
  const { isAdmin } = useDeskRights()
  const queries = useQueryClient()
  const search = useRouterState({ select: ({ location }) => location.search as Record<string, unknown> })
  const [, write] = useSearchState(deskShape)
  const state = useMemo(() => deskStateOf(search, isAdmin), [search, isAdmin])
  const list = useQuery({ ...read(listOrders, { query: listQueryOf(state) }), placeholderData: keepPreviousData })
  const counts = useQuery({ ...read(countOrders, { query: filtersOf(state) }), placeholderData: keepPreviousData })

  /** A change keeps the day, except that a search looks through all days. */
  const setState = (change: Partial<DeskState>, options?: { replace?: boolean }) =>
    write({ day: change.q ? undefined : dayAfter(state, change, isAdmin), ...change }, options)

  // The address names the day once it is known, so that the page does not move to another day while it is open.
  const day = state.day === 'next' && list.data && !list.isPlaceholderData ? list.data.day : null
  const nameDay = useEffectEvent((found: string) => {
    const named = { ...state, day: found }
    queries.setQueryData(read(listOrders, { query: listQueryOf(named) }).queryKey, list.data)
    if (!counts.isPlaceholderData && counts.data)
      queries.setQueryData(read(countOrders, { query: filtersOf(named) }).queryKey, counts.data)
    write({ day: found, page: state.page }, { replace: true })
  })
  useEffect(() => {
    if (day !== null) nameDay(day)
  }, [day])
  return { state, setState, list, counts }
}
export type Desk = ReturnType<typeof useDesk>
