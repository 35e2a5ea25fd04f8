import { isDay } from '@qatra/contract/calendar/calendar'
import type { Input } from '@qatra/contract/endpoint'
import type { exportOrders, listOrders } from '@qatra/contract/orders/admin'
import { attentions, sortValues } from '@qatra/contract/orders/filters'
import { orderStatuses, paymentStatuses } from '@qatra/contract/orders/order-status'
import { paymentMeans } from '@qatra/contract/orders/payments'
import {
  dayIn,
  instantIn,
  manyIds,
  manyOf,
  oneOf,
  type Param,
  pageNumber,
  readSearch,
  type StateOf,
  textIn,
} from '../../../lib/search-state.ts'

/** Ids, or `none`: of drivers, of areas. */
const idsOrNone: Param<readonly (number | 'none')[]> = {
  read: (texts) => [...(texts.includes('none') ? (['none'] as const) : []), ...manyIds.read(texts)],
  write: (chosen) => chosen.map(String),
}

const hourOfDay: Param<number | undefined> = {
  read: ([text = '']) => (/^(?:1?\d|2[0-3])$/.test(text) ? Number(text) : undefined),
  write: (hour) => (hour === undefined ? [] : [String(hour)]),
}

/** A delivery day, `next` for the next one with work, or `all`. */
const deliveryDay: Param<string | undefined> = {
  read: ([text = '']) => (text === 'all' || text === 'next' || isDay(text) ? text : undefined),
  write: (day) => (day === undefined ? [] : [day]),
}

/** Id of the open order. */
const orderId: Param<string | undefined> = {
  read: ([text = '']) => (/^[A-Za-z0-9]{1,20}$/.test(text) ? text : undefined),
  write: (id) => (id ? [id] : []),
}

/** Search parameters of the order list. */
export const deskShape = {
  day: deliveryDay,
  attention: oneOf(attentions),
  status: manyOf(orderStatuses),
  vendor: manyIds,
  driver: idsOrNone,
  area: idsOrNone,
  product: manyIds,
  payment: manyOf(paymentStatuses),
  means: manyOf(paymentMeans),
  from: dayIn,
  to: dayIn,
  before: instantIn,
  customPrices: oneOf(['1']),
  hour: hourOfDay,
  by: oneOf(['promised', 'created']),
  q: textIn(100),
  sort: oneOf(sortValues),
  page: pageNumber,
  open: orderId,
}
export type DeskState = StateOf<typeof deskShape>

export const PAGE_SIZE = 50

/** The state in an address. For vendor staff an address without filters means the next delivery day. */
export function deskStateOf(search: Record<string, unknown>, opensOnDay: boolean): DeskState {
  const state = readSearch(deskShape, search)
  return opensOnDay && state.day === undefined && !isFiltered(state) ? { ...state, day: 'next' } : state
}

export const isOneDay = ({ day }: DeskState) => day !== undefined && day !== 'all'

/** The chosen sort, or the default of the list: by urgency and area for one day, else the newest first. */
export const sortOf = (state: DeskState) => state.sort ?? (isOneDay(state) ? 'due' : '-createdAt')

/** As the head of the table shows it. */
export const tableSortOf = (state: DeskState) => (sortOf(state) === 'due' ? 'area' : sortOf(state))

const joined = (values: readonly (string | number)[]) => (values.length > 0 ? values.join(',') : undefined)

/** The filters as API parameters. */
export function filtersOf(state: DeskState): NonNullable<Input<typeof exportOrders>['query']> {
  const { attention, vendor, driver, area, product, payment, means, from, to, before, customPrices, hour, by, q } =
    state
  const query = {
    day: isOneDay(state) ? state.day : undefined,
    attention,
    vendorId: vendor[0]?.toString(),
    driverId: joined(driver),
    areaId: joined(area),
    productId: joined(product),
    paymentStatus: joined(payment),
    means: joined(means),
    from,
    to,
    before,
    customPrices,
    hour,
    by: from || to ? by : undefined,
    search: q || undefined,
  }
  // Omit empty filters, so that equal queries have equal keys.
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

export const withStatus = (state: DeskState) => {
  const status = joined(state.status)
  return { ...filtersOf(state), ...(status ? { status } : {}) }
}

export function listQueryOf(state: DeskState): NonNullable<Input<typeof listOrders>['query']> {
  return { ...withStatus(state), sort: sortOf(state), page: state.page, limit: PAGE_SIZE }
}

export const isFiltered = (state: DeskState) => Object.keys(withStatus(state)).length > 0

/** How many filters below the chips and tabs are on. */
export function filtersOn(state: DeskState): number {
  const { attention, vendor, driver, area, product, payment, means, from, to, before, customPrices, hour } = state
  const linked = attention === 'unconfirmed' ? attention : undefined
  const lists = [vendor, driver, area, product, payment, means].filter(({ length }) => length > 0)
  return [...lists, linked, from ?? to, before, customPrices, hour].filter((one) => one !== undefined).length
}

/** Removes all filters. */
export const noFilters: Partial<DeskState> = {
  day: undefined,
  attention: undefined,
  status: [],
  vendor: [],
  driver: [],
  area: [],
  product: [],
  payment: [],
  means: [],
  from: undefined,
  to: undefined,
  before: undefined,
  customPrices: undefined,
  hour: undefined,
  by: undefined,
  q: '',
}
