import { roles } from '@qatra/contract/users/roles'
import { listUsers, type userSorts } from '@qatra/contract/users/users'
import { read } from '../../lib/api-client.ts'
import { idIn, oneOf, type Param, pageNumber, type StateOf, sortBy, textIn } from '../../lib/search-state.ts'
import { PAGE_SIZE } from '../../ui/admin/list/use-list.ts'

/** The open panel: a person, the form for a new one, or the invitations. */
const open: Param<number | 'new' | 'invitations' | undefined> = {
  read: (texts) => (texts[0] === 'new' || texts[0] === 'invitations' ? texts[0] : idIn.read(texts)),
  write: (value) => (value === undefined ? [] : [String(value)]),
}

export const peopleShape = {
  show: oneOf(['staff', 'all', 'off']),
  role: oneOf(roles),
  vendor: idIn,
  seen: oneOf(['online', 'recent', 'today']),
  q: textIn(100),
  sort: sortBy(['name', 'createdAt', 'lastActiveAt', 'lastLoginAt'], '-lastActiveAt'),
  page: pageNumber,
  open,
}
export type PeopleState = StateOf<typeof peopleShape>

/** Names sort ascending, times descending; the other direction is not offered. */
const sortOf = (sort: PeopleState['sort']): (typeof userSorts)[number] => {
  const key = sort.replace('-', '')
  if (key === 'name') return 'name'
  return key === 'createdAt' ? '-createdAt' : key === 'lastLoginAt' ? '-lastLoginAt' : '-lastActiveAt'
}

/** The list opens on the team; a search, or customers as the role, look through everybody. */
export const shownIn = ({ show, q, role }: Pick<PeopleState, 'show' | 'q' | 'role'>) =>
  show ?? (q || role === 'customer' ? 'all' : 'staff')

export const peopleQuery = ({ show, role, vendor, seen, q, sort, page }: PeopleState) =>
  read(listUsers, {
    query: {
      page,
      limit: PAGE_SIZE,
      sort: sortOf(sort),
      ...(q && { search: q }),
      ...(role && { role }),
      ...(vendor && { vendorId: String(vendor) }),
      ...(seen && { activity: seen }),
      ...(shownIn({ show, q, role }) === 'staff' && { staff: 'true' as const }),
      ...(show === 'off' && { isActive: 'false' as const }),
    },
  })
