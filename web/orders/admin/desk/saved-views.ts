import {
  listOrderViews,
  MOST_VIEWS,
  removeOrderView,
  saveOrderView,
  type ViewFilter,
} from '@qatra/contract/orders/views'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, read, unlessMissing } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { readSearch, writeSearch } from '../../../lib/search-state.ts'
import { useAction } from '../../../lib/use-action.ts'
import { type DeskState, deskShape } from './desk-search.ts'
import { useDeskRights } from './use-desk.ts'

type ViewFilters = Pick<DeskState, ViewFilter>

/** The filters that a view can have: neither a day nor a search text. */
export const viewFiltersOf = ({ page: _p, open: _o, day: _d, q: _q, ...filters }: DeskState): ViewFilters => filters

/** In the format of the search parameters; filters that are not set are left out. */
function toSearch(filters: ViewFilters) {
  const written = Object.entries(writeSearch(deskShape, filters)).filter(([, value]) => value !== undefined)
  return Object.fromEntries(written.map(([key, value]) => [key, [value].flat().map(String)] as const))
}

/** Saved views of the person's vendor. `readSearch` drops values that it cannot read. */
export function useSavedViews() {
  const t = useT()
  const queries = useQueryClient()
  const { mayAssign } = useDeskRights()
  const { data, isError } = useQuery(read(listOrderViews))
  const { busy, problem, setProblem, run } = useAction((error) => {
    if (error.code === 'VIEW_NAME_TAKEN') return t('desk.view.taken')
    return error.code === 'VIEWS_FULL' ? t('desk.view.full', { count: MOST_VIEWS }) : refusalText(t, error, 'desk')
  })
  // A refused action shows what colleagues have changed.
  const change = (work: () => Promise<unknown>) =>
    run(() => work().finally(() => queries.invalidateQueries({ queryKey: [listOrderViews.path] })))
  return {
    views: (data ?? []).map(({ id, name, search }) => ({
      id,
      name,
      filters: viewFiltersOf(readSearch(deskShape, search)),
    })),
    isMissing: isError && data === undefined,
    mayChange: mayAssign,
    busy,
    problem,
    setProblem,
    save: (name: string, filters: ViewFilters, onSaved: () => void) =>
      change(async () => {
        await call(saveOrderView, { body: { name, search: toSearch(filters) } })
        onSaved()
      }),
    remove: (id: number, onRemoved: () => void) =>
      change(async () => {
        await call(removeOrderView, { params: { id: String(id) } }).catch(unlessMissing)
        onRemoved()
      }),
  }
}
