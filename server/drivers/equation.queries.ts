import type { Equation } from '@qatra/contract/cash-closing'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { equationOf, type HeldMoney, type OrderMoney } from '../ledger/equation.ts'
import { boundsOf } from '../orders/run/queries.ts'

const isMoney = `(e.kind in ('collected', 'payment') or e.kind = 'correction' and e.order_id is not null)`

/** A correction without an order stays with its driver: it explains a difference of the bag, not of a delivery. */
const heldSql = statement(
  'equation-held',
  `select e.holder, e.holder_id as "holderId", u.name, e.kind = 'handed-over' as "isHandover", e.means,
     sum(e.amount)::float8 as amount
   from ledger_entries e left join users u on u.id = e.holder_id
   where e.ledger = 'money' and e.vendor_id = $1 and e.day = $2 and (e.kind = 'handed-over' or ${isMoney})
   group by 1, 2, 3, 4, 5 order by u.name nulls last, e.holder_id`,
)

/** Status and total (BHD) are in the history with the value from before each change. */
const valueAt = (field: 'status' | 'total', moment: string) =>
  `(select h.old_value from order_audit_history h
    where h.order_id = o.id and h.field_changed = '${field}' and h.changed_at >= ${moment} order by h.id limit 1)`

/** A delivery counts from its own time, also if it was reported later. */
const totalAt = (moment: string) =>
  `case when o.status = 'delivered' and o.delivered_at < ${moment} then o.total
     when coalesce(${valueAt('status', moment)}, o.status) = 'cancelled' then 0
     else coalesce(${valueAt('total', moment)}::numeric * 1000, o.total) end::float8`

/** What changes after the day before was closed belongs to this day. */
const ordersSql = statement(
  'equation-orders',
  `with day as (
     select least($4::timestamptz, (select c.closed_at from cash_closings c
       where c.vendor_id = $1 and c.day = $2::date - 1 and c.reopened_at is null)) as start
   ), delivered as (
     select id from orders
     where vendor_id = $1 and status = 'delivered' and delivered_at >= $4 and delivered_at < $5
       and created_at >= $3::timestamptz and created_at < $5::timestamptz
   ), named as (
     select id from delivered
     union select e.order_id from ledger_entries e
       where e.ledger = 'money' and e.vendor_id = $1 and e.day = $2 and e.order_id is not null and ${isMoney}
     union select h.order_id from order_audit_history h join orders o on o.id = h.order_id and o.vendor_id = $1
       where h.changed_at >= (select start from day) and h.changed_at < $5
         and (h.field_changed = 'total' or h.field_changed = 'status' and h.new_value = 'cancelled')
         and exists (select from ledger_entries e where e.order_id = o.id and e.ledger = 'money' and ${isMoney})
   )
   select o.id, case when o.status = 'cancelled' then 0 else o.total end::float8 as total,
     ${totalAt('(select start from day)')} as "totalAtStart", ${totalAt('$5')} as "totalAtEnd", coalesce(o.payment_status in ('paid', 'pending'), false) as "needsPayment",
     o.customer_name as "customerName", o.delivered_at as "deliveredAt", o.assigned_driver_id as "driverId", driver.name as "driverName",
     exists (select from delivered d where d.id = o.id) as "isDelivered",
     coalesce(sum(e.amount) filter (where e.day < $2), 0)::float8 as before,
     coalesce(sum(e.amount) filter (where e.day = $2), 0)::float8 as today,
     coalesce(sum(e.amount) filter (where e.day > $2), 0)::float8 as after
   from named n join orders o on o.id = n.id
   left join ledger_entries e on e.order_id = o.id and e.ledger = 'money' and ${isMoney}
   left join users driver on driver.id = o.assigned_driver_id
   group by o.id, driver.id order by o.delivered_at nulls last, o.id`,
)

interface OrderRow extends OrderMoney {
  customerName: string
  deliveredAt: Date | null
  driverName: string | null
}

const bhd = (amount: number) => toBhd(amount as Fils) // sums of fils

const byMeans = (amounts: ReadonlyMap<PaymentMeans, number>) =>
  Object.fromEntries([...amounts].map(([means, amount]) => [means, bhd(amount)]))

const factsOf = ({ id, customerName, deliveredAt, driverId, driverName }: OrderRow) => ({
  id,
  customerName,
  deliveredAt: deliveredAt?.toISOString() ?? null,
  driver: driverId === null ? null : { id: driverId, name: driverName },
})

/** Orders named on the page; a mistake concerns few, or all of them in one way. */
const MOST_NAMED = 50

/** Where the money of the vendor's deliveries of the day is. */
export async function readEquation({ db }: Ctx, vendorId: number, day: string): Promise<Equation> {
  const { oldest, from, until } = boundsOf(day)
  const [orders, held] = await Promise.all([
    run<OrderRow>(db, ordersSql, [vendorId, day, oldest, from, until]),
    run<HeldMoney>(db, heldSql, [vendorId, day]),
  ])
  const { inOfficeBy, otherMeans, unexplainedOrders, byHolder, ...sums } = equationOf(orders, held)
  return {
    delivered: bhd(sums.delivered),
    orders: sums.orders,
    withDrivers: bhd(sums.withDrivers),
    handedOver: bhd(sums.handedOver),
    inOffice: bhd(sums.inOffice),
    inOfficeBy: inOfficeBy.map((one) => ({ ...one, amount: bhd(one.amount) })),
    otherMeans: byMeans(otherMeans),
    onAccount: bhd(sums.onAccount),
    notCollected: bhd(sums.notCollected),
    otherDays: bhd(sums.otherDays),
    unexplained: bhd(sums.unexplained),
    unexplainedOrders: unexplainedOrders.slice(0, MOST_NAMED).flatMap(({ id, amount }) => {
      const order = orders.find((one) => one.id === id)
      return order ? [{ ...factsOf(order), amount: bhd(amount) }] : []
    }),
    byHolder: byHolder.map(({ driverId, means, notCollected }) => ({
      driverId,
      means: byMeans(means),
      notCollected: bhd(notCollected),
    })),
  }
}
