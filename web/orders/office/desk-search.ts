import type { Input } from '@qatra/contract/endpoint'
import { orderStatuses, paymentStatuses } from '@qatra/contract/order-status'
import { orderSorts } from '@qatra/contract/order-filters'
import type { exportOrders, listOrders } from '@qatra/contract/orders-office'
import {
  dayIn,
  manyIds,
  manyOf,
  oneOf,
  pageNumber,
  type Param,
  type StateOf,
  sortBy,
  textIn,
} from '../../app/search-state.ts'

/** Ids of drivers, or `none`. */
const drivers: Param<readonly (number | 'none')[]> = {
  read: (texts) => [...(texts.includes('none') ? (['none'] as const) : []), ...manyIds.read(texts)],
  write: (chosen) => chosen.map(String),
}

/** One order's id, as the panel shows it. */
const orderId: Param<string | undefined> = {
  read: ([text = '']) => (/^[A-Za-z0-9]{1,20}$/.test(text) ? text : undefined),
  write: (id) => (id ? [id] : []),
}

/** What the desk keeps in its address. */
export const deskShape = {
  status: manyOf(orderStatuses),
  vendor: manyIds,
  driver: drivers,
  area: manyIds,
  payment: manyOf(paymentStatuses),
  from: dayIn,
  to: dayIn,
  by: oneOf(['promised', 'created']),
  q: textIn(100),
  sort: sortBy(orderSorts, '-createdAt'),
  page: pageNumber,
  open: orderId,
}
export type DeskState = StateOf<typeof deskShape>

export const PAGE_SIZE = 50

const joined = (values: readonly (string | number)[]) => (values.length > 0 ? values.join(',') : undefined)

/** What narrows the list, as every one of the desk's calls takes it. */
export function filtersOf(state: DeskState): NonNullable<Input<typeof exportOrders>['query']> {
  const { vendor, driver, area, payment, from, to, by, q } = state
  const query = {
    vendorId: vendor[0]?.toString(),
    driverId: joined(driver),
    areaId: joined(area),
    paymentStatus: joined(payment),
    from,
    to,
    by: from || to ? by : undefined,
    search: q || undefined,
  }
  // Left out where there is nothing, so that equal questions have equal keys.
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

export const withStatus = (state: DeskState) => {
  const status = joined(state.status)
  return { ...filtersOf(state), ...(status ? { status } : {}) }
}

export function listQueryOf(state: DeskState): NonNullable<Input<typeof listOrders>['query']> {
  const { sort, page } = state
  return { ...withStatus(state), sort, page, limit: PAGE_SIZE }
}

export const isFiltered = (state: DeskState) => Object.keys(withStatus(state)).length > 0

/** Everything that narrows the list, taken off. */
export const noFilters: Partial<DeskState> = {
  status: [],
  vendor: [],
  driver: [],
  area: [],
  payment: [],
  from: undefined,
  to: undefined,
  by: undefined,
  q: '',
}
