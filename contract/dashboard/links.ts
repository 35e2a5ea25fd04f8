import { bahrainDate } from '../calendar/calendar.ts'
import type { Input } from '../endpoint.ts'
import type { listOrders } from '../orders/admin.ts'
import { openStatuses, soldStatuses } from '../orders/order-status.ts'
import type { listCustomers } from '../users/customers.ts'
import type { Dashboard, Span } from './dashboard.ts'

/** Query of the order list endpoint. */
export type OrdersAsked = NonNullable<Input<typeof listOrders>['query']>
export type CustomersAsked = NonNullable<Input<typeof listCustomers>['query']>

type Scope = Pick<Dashboard, 'vendorId'>
const scoped = ({ vendorId }: Scope) => (vendorId === null ? {} : { vendorId: String(vendorId) })
const placedIn = ({ from, to, before }: Span) => ({ from, to, ...(before === null ? {} : { before }) })
export const wholeDay = (day: string): Span => ({ from: day, to: day, before: null })

/** Query for the orders behind a figure: placed within the span, not cancelled, with further filters. */
export const ordersIn = (scope: Scope, span: Span, more: OrdersAsked = {}): OrdersAsked => ({
  ...scoped(scope),
  ...placedIn(span),
  status: soldStatuses.join(','),
  ...more,
})

/** Query for the orders with an agreed price. */
export const agreedOrdersIn = (scope: Scope, span: Span): OrdersAsked => ordersIn(scope, span, { customPrices: '1' })

/** Query for the customers whose first order was placed within the span. */
export const newCustomersIn = (scope: Scope, { from, to, before }: Span): CustomersAsked => ({
  ...scoped(scope),
  firstFrom: from,
  firstTo: to,
  ...(before === null ? {} : { firstBefore: before }),
})

const open = openStatuses.join(',')

/** Queries for waiting orders, independent of the period. */
export const waitingOrders = {
  new: (scope: Scope): OrdersAsked => ({ ...scoped(scope), attention: 'unconfirmed' }),
  withoutDriver: (scope: Scope): OrdersAsked => ({ ...scoped(scope), attention: 'unassigned' }),
  late: (scope: Scope): OrdersAsked => ({ ...scoped(scope), attention: 'late' }),
  failed: (scope: Scope): OrdersAsked => ({ ...scoped(scope), attention: 'failed' }),
  due: ({ now, ...scope }: Pick<Dashboard, 'vendorId' | 'now'>): OrdersAsked => ({
    ...scoped(scope),
    status: open,
    by: 'promised',
    to: bahrainDate(new Date(now)),
  }),
}
