import { type Period, periods, readDashboard } from '@qatra/contract/dashboard'
import { read } from '../../app/call.ts'
import { idIn, oneOf, type StateOf } from '../../app/search-state.ts'

/** What the dashboard keeps in its address. */
export const dashboardShape = { period: oneOf(periods), vendor: idIn }
export type DashboardState = StateOf<typeof dashboardShape>

export const periodOf = ({ period }: DashboardState): Period => period ?? 'week'

export const dashboardQuery = (state: DashboardState) => ({
  ...read(readDashboard, {
    query: { period: periodOf(state), ...(state.vendor ? { vendorId: String(state.vendor) } : {}) },
  }),
  // Today is never older than the look at it.
  staleTime: 0,
})
