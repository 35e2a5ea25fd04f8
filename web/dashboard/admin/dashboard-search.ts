import { type Period, periods, readDashboard } from '@qatra/contract/dashboard/dashboard'
import { read } from '../../lib/api-client.ts'
import { idIn, oneOf, type StateOf } from '../../lib/search-state.ts'

/** Search parameters of the dashboard. */
export const dashboardShape = { period: oneOf(periods), vendor: idIn }
export type DashboardState = StateOf<typeof dashboardShape>

export const periodOf = ({ period }: DashboardState): Period => period ?? 'week'

export const dashboardQuery = (state: DashboardState) => ({
  ...read(readDashboard, {
    query: { period: periodOf(state), ...(state.vendor ? { vendorId: String(state.vendor) } : {}) },
  }),
  // Always refetch: the period includes today.
  staleTime: 0,
})
