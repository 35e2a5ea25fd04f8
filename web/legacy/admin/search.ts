import type { Input } from '@qatra/contract/endpoint'
import { type listLegacyOrders, syncStatuses } from '@qatra/contract/legacy'
import { oneOf, pageNumber, type StateOf, textIn } from '../../app/search-state.ts'

export const legacyShape = { state: oneOf(syncStatuses), q: textIn(100), page: pageNumber, open: textIn(40) }
export type LegacyState = StateOf<typeof legacyShape>

export const PAGE_SIZE = 50

export const legacyQuery = ({ state, q, page }: LegacyState): NonNullable<Input<typeof listLegacyOrders>['query']> => ({
  page,
  limit: PAGE_SIZE,
  ...(state && { state }),
  ...(q && { search: q }),
})
