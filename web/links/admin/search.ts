import type { Input } from '@qatra/contract/endpoint'
import { linkStates, type listLinks } from '@qatra/contract/links/admin'
import { flagIn, idIn, oneOf, pageNumber, type StateOf, textIn } from '../../lib/search-state.ts'
import { PAGE_SIZE } from '../../ui/admin/list/use-list.ts'

export const linksShape = {
  state: oneOf(linkStates),
  by: idIn,
  q: textIn(100),
  page: pageNumber,
  /** The form of a new link is open. */
  new: flagIn,
}
export type LinksState = StateOf<typeof linksShape>

export const linksQuery = ({ state, by, q, page }: LinksState): NonNullable<Input<typeof listLinks>['query']> => ({
  page,
  limit: PAGE_SIZE,
  ...(state && { state }),
  ...(by && { createdBy: String(by) }),
  ...(q && { search: q }),
})
