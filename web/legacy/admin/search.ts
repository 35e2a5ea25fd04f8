import { listLegacyOrders, syncStatuses } from '@qatra/contract/legacy'
import { read } from '../../lib/api-client.ts'
import { oneOf, pageNumber, type StateOf, textIn } from '../../lib/search-state.ts'
import { PAGE_SIZE } from '../../ui/admin/list/use-list.ts'

export const legacyShape = { state: oneOf(syncStatuses), q: textIn(100), page: pageNumber, open: textIn(40) }

export const legacyQuery = ({ state, q, page }: StateOf<typeof legacyShape>) =>
  read(listLegacyOrders, { query: { page, limit: PAGE_SIZE, ...(state && { state }), ...(q && { search: q }) } })
