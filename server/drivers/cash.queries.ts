import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { CashDay, CashEntry, CashSums, Run } from '@qatra/contract/drivers'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { moneyOf } from '../ledger/queries.ts'
import { cashOf } from '../ledger/rules.ts'
import type { DriverRow } from './drivers.queries.ts'

const surplus = `(e.amount - coalesce(e.due, least(e.amount, o.total)))`
/**
 * Of the driver's cash for an order, what is beyond its total: until the office has paid it back, or found that it had
 * recorded the same money. From then on the driver owes all of it.
 */
const notExpected = `case when ${surplus} > 0 then least(${surplus}, (
  select greatest(0, sum(entry.amount) - case when o.status = 'cancelled' then 0 else o.total end)
    + coalesce(sum(coalesce(entry.due, 0) - entry.amount) filter (where entry.holder = 'driver' and entry.amount < 0), 0)
  ${moneyOf('e.order_id')})) else ${surplus} end`

const linesSql = statement(
  'driver-cash-lines',
  `select e.id, e.holder_id as "driverId", case e.kind when 'payment' then 'collected' else e.kind end as kind, e.amount, e.order_id as "orderId", e.notes,
     e.happened_at as "happenedAt", e.created_at as "recordedAt",
     case when e.kind in ('collected', 'payment') then e.amount - ${notExpected} when e.kind = 'refunded' then e.amount else 0 end::float8 as due,
     case when b.id is not null then json_build_object('id', b.id, 'name', b.name) end as "by",
     case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end as "onBehalfOf"
   from ledger_entries e
   join users u on u.id = e.holder_id and e.vendor_id = coalesce($3, u.vendor_id)
   left join orders o on o.id = e.order_id
   left join users b on b.id = e.created_by
   left join users s on s.id = e.on_behalf_of
   where e.holder = 'driver' and e.holder_id = any($1::integer[]) and e.day = $2 and e.means = 'cash'
   order by e.happened_at, e.id`,
)

const shortagesSql = statement(
  'driver-shortages',
  `select e.holder_id as "driverId", -sum(e.amount)::float8 as amount from ledger_entries e
   join users u on u.id = e.holder_id and e.vendor_id = coalesce($2, u.vendor_id)
   where e.ledger = 'money' and e.holder = 'driver' and e.holder_id = any($1::integer[]) and e.order_id is null
     and e.kind in ('correction', 'written-off')
   group by e.holder_id having sum(e.amount) < 0`,
)

/**
 * Fils that each driver could not hand over, on all days: the corrections without an order, also those by which the driver
 * made up for it, and what was written off. Drivers without a shortage are left out.
 */
export async function readShortages(
  { db }: Ctx,
  driverIds: readonly number[],
  vendorId: number | null,
): Promise<Map<number, number>> {
  const rows = await run<{ driverId: number; amount: number }>(db, shortagesSql, [driverIds, vendorId])
  return new Map(rows.map(({ driverId, amount }) => [driverId, amount]))
}

interface Line extends Omit<CashEntry, 'amount' | 'at' | 'recordedAt'> {
  driverId: number
  amount: Fils
  due: number
  happenedAt: Date
  recordedAt: Date
}

async function readCashOf(ctx: Ctx, driverIds: readonly number[], day: string, vendorId: number | null = null) {
  const [lines, shortages] = await Promise.all([
    run<Line>(ctx.db, linesSql, [driverIds, day, vendorId]),
    readShortages(ctx, driverIds, vendorId),
  ])
  const sumsOf = (driverId: number) =>
    cashOf(
      lines.filter((row) => row.driverId === driverId),
      shortages.get(driverId),
    )
  return { sums: new Map(driverIds.map((id): [number, CashSums] => [id, sumsOf(id)])), lines }
}

/** The day's sums of several drivers with the vendor; null: each with the driver's current one. */
export const readCashSums = async (
  ctx: Ctx,
  driverIds: readonly number[],
  day: string,
  vendorId: number | null = null,
) => (await readCashOf(ctx, driverIds, day, vendorId)).sums

const otherMeansSql = statement(
  'driver-other-means',
  `select means, sum(amount)::float8 as amount from ledger_entries
   where holder = 'driver' and holder_id = $1 and vendor_id = $2 and day = $3 and means <> 'cash'
     and kind in ('collected', 'refunded', 'payment', 'correction')
   group by means having sum(amount) <> 0`,
)

/** BHD that the driver took on the day by other means than cash. */
export async function readOtherMeans({ db }: Ctx, driver: DriverRow, day: string): Promise<Run['otherMeans']> {
  const rows = await run<{ means: PaymentMeans; amount: Fils }>(db, otherMeansSql, [driver.id, driver.vendorId, day])
  return Object.fromEntries(rows.map(({ means, amount }) => [means, toBhd(amount)]))
}

export async function readCashDay(ctx: Ctx, driver: DriverRow, requestedDay: string | undefined): Promise<CashDay> {
  const date = requestedDay ?? bahrainDate(ctx.now)
  const { sums, lines } = await readCashOf(ctx, [driver.id], date, driver.vendorId)
  return {
    ...(sums.get(driver.id) ?? cashOf([])),
    date,
    entries: lines.map(({ driverId: _, due: __, amount, happenedAt, recordedAt, ...entry }) => ({
      ...entry,
      amount: toBhd(amount),
      at: happenedAt.toISOString(),
      recordedAt: recordedAt.toISOString(),
    })),
  }
}
