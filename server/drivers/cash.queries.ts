import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { CashDay, CashEntry, CashSums, Run } from '@qatra/contract/drivers'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { PaymentMeans } from '@qatra/contract/orders/payments'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { cashOf } from '../ledger/rules.ts'
import type { DriverRow } from './drivers.queries.ts'

const linesSql = statement(
  'driver-cash-lines',
  `select e.id, e.holder_id as "driverId", case e.kind when 'payment' then 'collected' else e.kind end as kind, e.amount, e.order_id as "orderId", e.notes,
     e.happened_at as "happenedAt", e.created_at as "recordedAt",
     case when e.kind in ('collected', 'payment') then coalesce(e.due, least(e.amount, o.total)) else 0 end::float8 as due,
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

interface Line extends Omit<CashEntry, 'amount' | 'at' | 'recordedAt'> {
  driverId: number
  amount: Fils
  due: number
  happenedAt: Date
  recordedAt: Date
}

async function readCashOf({ db }: Ctx, driverIds: readonly number[], day: string, vendorId: number | null = null) {
  const lines = await run<Line>(db, linesSql, [driverIds, day, vendorId])
  const sumsOf = (driverId: number) => cashOf(lines.filter((row) => row.driverId === driverId))
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
     and kind in ('collected', 'payment', 'correction')
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
