import type { Equation, UnexplainedOrder } from '@qatra/contract/cash-closing'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { equationOf, type HeldMoney, type OrderMoney } from '../ledger/equation.ts'
import { readDoubles } from '../orders/payment/queries.ts'

const isMoney = `(e.ledger = 'money' and (e.kind in ('collected', 'payment') or e.kind = 'correction' and e.order_id is not null))`
const isOfOrder = `(e.ledger = 'sales' or ${isMoney})`

/** A correction without an order stays with its driver: it explains a difference of the bag, not of a delivery. */
const heldSql = statement(
  'equation-held',
  `select e.holder, e.holder_id as "holderId", u.name, e.kind = 'handed-over' as "isHandover", e.kind = 'refunded' as "isRefund", e.means,
     sum(e.amount)::float8 as amount
   from ledger_entries e left join users u on u.id = e.holder_id
   where e.ledger = 'money' and e.vendor_id = $1 and e.day = $2 and (e.kind in ('handed-over', 'refunded') or ${isMoney})
   group by 1, 2, 3, 4, 5, 6 order by u.name nulls last, e.holder_id`,
)

const sumOf = (column: 'amount' | 'due', ledger: 'sales' | 'money', when: '<' | '=' | '>') =>
  `coalesce(sum(e.${column}) filter (where e.ledger = '${ledger}' and e.day ${when} $2), 0)::float8`
const countOf = (kind: string) => `count(*) filter (where e.kind = '${kind}' and e.day = $2)::int`
const lastDelivery = (column: string) =>
  `(array_agg(e.${column} order by e.id desc) filter (where e.kind = 'delivered'))[1]`
const owed = `case when o.status = 'cancelled' then 0 else o.total end::float8`

/** The orders with entries of the day. What the customer owed then is what is owed now without what was booked since. */
const ordersSql = statement(
  'equation-orders',
  `with booked as (
     select e.order_id, ${sumOf('amount', 'money', '<')} as before, ${sumOf('amount', 'money', '=')} as today,
       ${sumOf('amount', 'money', '>')} as after, ${sumOf('amount', 'sales', '<')} as "soldBefore",
       ${sumOf('amount', 'sales', '=')} as sold, ${countOf('delivered')} - ${countOf('taken-back')} as deliveries,
       ${sumOf('due', 'sales', '=')} as due_today, ${sumOf('due', 'sales', '>')} as due_after,
       ${lastDelivery('day')} = $2 as is_last, ${lastDelivery('created_by')} as reporter_id
     from ledger_entries e
     where ${isOfOrder} and e.order_id in (
       select e.order_id from ledger_entries e where e.vendor_id = $1 and e.day = $2 and ${isOfOrder})
     group by e.order_id
   )
   select b.*, o.id, ${owed} as total, ${owed} - due_today - due_after as "totalAtStart", ${owed} - due_after as "totalAtEnd",
     coalesce(o.status = 'delivered' and b.is_last, false) as "isDelivered",
     coalesce(o.payment_status in ('paid', 'pending'), false) as "needsPayment",
     o.customer_name as "customerName", o.delivered_at as "deliveredAt", o.assigned_driver_id as "driverId", driver.name as "driverName",
     case when reporter.id is not null
       then json_build_object('name', reporter.name, 'isDriver', reporter.role = 'driver') end as "reportedBy"
   from booked b join orders o on o.id = b.order_id
   left join users driver on driver.id = o.assigned_driver_id
   left join users reporter on reporter.id = b.reporter_id
   order by o.delivered_at nulls last, o.id`,
)

interface OrderRow extends OrderMoney, Pick<UnexplainedOrder, 'customerName' | 'reportedBy'> {
  deliveredAt: Date | null
  driverName: string | null
}

const bhd = (amount: number) => toBhd(amount as Fils) // sums of fils

const byMeans = (amounts: ReadonlyMap<PaymentMeans, number>) =>
  Object.fromEntries([...amounts].map(([means, amount]) => [means, bhd(amount)]))

const factsOf = ({ id, customerName, deliveredAt, driverId, driverName, reportedBy }: OrderRow) => ({
  id,
  customerName,
  deliveredAt: deliveredAt?.toISOString() ?? null,
  driver: driverId === null ? null : { id: driverId, name: driverName },
  reportedBy,
})

/** Orders named on the page; a mistake concerns few, or all of them in one way. */
const MOST_NAMED = 50

/** Where the money of the vendor's deliveries of the day is. */
export async function readEquation(ctx: Ctx, vendorId: number, day: string): Promise<Equation> {
  const [orders, held] = await Promise.all([
    run<OrderRow>(ctx.db, ordersSql, [vendorId, day]),
    run<HeldMoney>(ctx.db, heldSql, [vendorId, day]),
  ])
  const { inOfficeBy, otherMeans, unexplainedOrders, byHolder, ...sums } = equationOf(orders, held)
  const byId = new Map(orders.map((order) => [order.id, order]))
  const named = unexplainedOrders.slice(0, MOST_NAMED).flatMap(({ id, amount }) => {
    const order = byId.get(id)
    return order ? [{ ...order, amount, received: order.before + order.today + order.after }] : []
  })
  const doubles = await readDoubles(
    ctx,
    named.filter(({ amount }) => amount < 0),
  )
  return {
    delivered: bhd(sums.delivered),
    orders: sums.orders,
    withDrivers: bhd(sums.withDrivers),
    handedOver: bhd(sums.handedOver),
    inOffice: bhd(sums.inOffice),
    inOfficeBy: inOfficeBy.map((one) => ({ ...one, amount: bhd(one.amount) })),
    otherMeans: byMeans(otherMeans),
    onAccount: bhd(sums.onAccount),
    paidBack: bhd(sums.paidBack),
    notCollected: bhd(sums.notCollected),
    otherDays: bhd(sums.otherDays),
    unexplained: bhd(sums.unexplained),
    withoutEntry: bhd(sums.withoutEntry),
    paidBeyond: bhd(sums.paidBeyond),
    unexplainedOrders: named.map((order) => ({
      ...factsOf(order),
      amount: bhd(order.amount),
      double: doubles.get(order.id) ?? null,
    })),
    byHolder: byHolder.map(({ driverId, means, paidBack, notCollected }) => ({
      driverId,
      means: byMeans(means),
      paidBack: bhd(paidBack),
      notCollected: bhd(notCollected),
    })),
  }
}
