import { addDays } from '@qatra/contract/calendar'
import { writeSearch } from '../../app/search-state.ts'
import { type DeskState, deskShape, noFilters } from './desk-search.ts'

export type ReadyKey = 'dueToday' | 'dueTomorrow' | 'noDriver' | 'onTheWay' | 'unpaid'
type Filters = Partial<DeskState>

/** Built-in views. */
export function readyViews(today: string): { key: ReadyKey; filters: Filters }[] {
  const due = (day: string) => ({ from: day, to: day, by: 'promised' as const })
  return [
    { key: 'dueToday', filters: due(today) },
    { key: 'dueTomorrow', filters: due(addDays(today, 1)) },
    { key: 'noDriver', filters: { driver: ['none'], status: ['new', 'in-progress'] } },
    { key: 'onTheWay', filters: { status: ['shipped'] } },
    { key: 'unpaid', filters: { status: ['delivered'], payment: ['pending', 'unpaid', 'failed'] } },
  ]
}

export const hasDays = ({ from, to }: Filters) => from !== undefined || to !== undefined

/** Changes when a view is chosen: the day filter stays unless the view has its own. */
export function viewOn(state: DeskState, filters: Filters): Filters {
  const { from, to, by } = state
  return { ...noFilters, ...filters, ...(hasDays(filters) ? {} : { from, to, by }) }
}

const filterKeys = Object.keys(noFilters) as (keyof DeskState)[] // those that it is written with
const written = (state: Filters) =>
  JSON.stringify(writeSearch(deskShape, Object.fromEntries(filterKeys.map((key) => [key, state[key]]))))

export const isViewOn = (state: DeskState, filters: Filters) =>
  written(state) === written({ ...state, ...viewOn(state, filters) })
