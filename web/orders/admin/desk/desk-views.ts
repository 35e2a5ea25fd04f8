import { writeSearch } from '../../../lib/search-state.ts'
import { type DeskState, deskShape, noFilters } from './desk-search.ts'

export type ReadyKey = 'onTheWay' | 'unpaid'
type Filters = Partial<DeskState>

/** Built-in views. */
export const readyViews: readonly { key: ReadyKey; filters: Filters }[] = [
  { key: 'onTheWay', filters: { status: ['shipped'] } },
  { key: 'unpaid', filters: { status: ['delivered'], payment: ['pending', 'unpaid', 'failed'] } },
]

export const hasDays = ({ day, from, to }: Filters) => [day, from, to].some((one) => one !== undefined)

/** Changes when a view is chosen: the day filter stays unless the view has its own. */
export function viewOn(state: DeskState, filters: Filters): Filters {
  const { day, from, to, by } = state
  return { ...noFilters, ...filters, ...(hasDays(filters) ? {} : { day, from, to, by }) }
}

const filterKeys = Object.keys(noFilters) as (keyof DeskState)[] // those that it is written with
const written = (state: Filters) =>
  JSON.stringify(writeSearch(deskShape, Object.fromEntries(filterKeys.map((key) => [key, state[key]]))))

export const isViewOn = (state: DeskState, filters: Filters) =>
  written(state) === written({ ...state, ...viewOn(state, filters) })
