import type { Input } from '@qatra/contract/endpoint'
import { customerSorts, type exportCustomers, listCustomers } from '@qatra/contract/users/customers'
import { read } from '../../lib/api-client.ts'
import { dayIn, idIn, instantIn, oneOf, pageNumber, type StateOf, sortBy, textIn } from '../../lib/search-state.ts'
import { PAGE_SIZE } from '../../ui/admin/list/use-list.ts'

export const customersShape = {
  q: textIn(100),
  vendor: idIn,
  tag: textIn(40),
  consent: oneOf(['true', 'false']),
  firstFrom: dayIn,
  firstTo: dayIn,
  firstBefore: instantIn,
  sort: sortBy(['lastOrderAt', 'spend', 'orderCount', 'name', 'createdAt'], '-lastOrderAt'),
  page: pageNumber,
  open: idIn,
}
export type CustomersState = StateOf<typeof customersShape>

/** Names sort ascending, figures and times descending; the other direction is not offered. */
const sortOf = (sort: CustomersState['sort']) =>
  customerSorts.find((each) => each.replace('-', '') === sort.replace('-', '')) ?? '-lastOrderAt'

export function filtersOf({
  q,
  vendor,
  tag,
  consent,
  firstFrom,
  firstTo,
  firstBefore,
  sort,
}: CustomersState): NonNullable<Input<typeof exportCustomers>['query']> {
  return {
    sort: sortOf(sort),
    ...(q && { search: q }),
    ...(vendor && { vendorId: String(vendor) }),
    ...(tag && { tag }),
    ...(consent && { consent }),
    ...(firstFrom && { firstFrom }),
    ...(firstTo && { firstTo }),
    ...(firstBefore && { firstBefore }),
  }
}

export const customersQuery = (state: CustomersState) =>
  read(listCustomers, { query: { ...filtersOf(state), page: state.page, limit: PAGE_SIZE } })
