import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import type { CashDay, CashEntry, CashSums } from '@qatra/contract/drivers'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { collectedCash } from '../orders/received.queries.ts'
import { type CashLine, cashOf } from './cash.ts'
import type { DriverRow } from './drivers.queries.ts'

/** Orders delivered later than this after placing are not searched for. */
export const ORDER_LIVES_DAYS = 60

const linesSql = statement(
  'driver-cash-lines',
  `select e.id, e.driver_id as "driverId", e.kind, e.amount, e.order_id as "orderId", o.total, e.notes,
     e.happened_at as "happenedAt", e.created_at as "recordedAt",
     (coalesce(o.paid_to_office, 0) + coalesce((select sum(earlier.amount) from cash_entries earlier
       where earlier.order_id = e.order_id and earlier.kind in ('collected', 'correction') and earlier.id < e.id), 0)
     )::float8 as received,
     case when b.id is not null then json_build_object('id', b.id, 'name', b.name) end as "by",
     case when s.id is not null then json_build_object('id', s.id, 'name', s.name) end as "onBehalfOf"
   from cash_entries e
   join users u on u.id = e.driver_id and e.vendor_id = coalesce($3, u.vendor_id)
   left join orders o on o.id = e.order_id
   left join users b on b.id = e.created_by
   left join users s on s.id = e.on_behalf_of
   where e.driver_id = any($1::integer[]) and e.day = $2
   order by e.happened_at, e.id`,
)

interface Line extends Omit<CashEntry, 'amount' | 'at' | 'recordedAt'> {
  driverId: number
  amount: Fils
  /** Total of the order, and what was received for it before, in fils. */
  total: Fils | null
  received: number
  happenedAt: Date
  recordedAt: Date
}

/** First and last moment of a Bahrain day, and the earliest placing time of its orders. */
export function boundsOf(day: string) {
  return {
    oldest: startOfBahrainDay(addDays(day, -ORDER_LIVES_DAYS)),
    from: startOfBahrainDay(day),
    until: startOfBahrainDay(addDays(day, 1)),
  }
}

async function readCashOf({ db }: Ctx, driverIds: readonly number[], day: string, vendorId: number | null = null) {
  const lines = await run<Line>(db, linesSql, [driverIds, day, vendorId])
  const lineOf = ({ kind, amount, total, received, happenedAt }: Line): CashLine => ({
    kind,
    amount,
    happenedAt,
    due: kind === 'collected' ? Math.min(amount, total === null ? amount : Math.max(0, total - received)) : 0,
  })
  const sumsOf = (driverId: number) => cashOf(lines.filter((row) => row.driverId === driverId).map(lineOf))
  return { sums: new Map(driverIds.map((id): [number, CashSums] => [id, sumsOf(id)])), lines }
}

/** The day's sums of several drivers with the vendor; null: each with the driver's current one. */
export const readCashSums = async (
  ctx: Ctx,
  driverIds: readonly number[],
  day: string,
  vendorId: number | null = null,
) => (await readCashOf(ctx, driverIds, day, vendorId)).sums

export async function readCashDay(ctx: Ctx, driver: DriverRow, requestedDay: string | undefined): Promise<CashDay> {
  const date = requestedDay ?? bahrainDate(ctx.now)
  const { sums, lines } = await readCashOf(ctx, [driver.id], date)
  return {
    ...(sums.get(driver.id) ?? cashOf([])),
    date,
    entries: lines.map(({ driverId: _, total: __, received: ___, amount, happenedAt, recordedAt, ...entry }) => ({
      ...entry,
      amount: toBhd(amount),
      at: happenedAt.toISOString(),
      recordedAt: recordedAt.toISOString(),
    })),
  }
}

const collectedSql = statement(
  'cash-collected-for',
  `select cash.order_id as "orderId", sum(cash.amount)::float8 as amount ${collectedCash('any($1::text[])')}
   group by cash.order_id`,
)

/** Fils that drivers collected, by order. */
export async function readCollected({ db }: Ctx, orderIds: readonly string[]): Promise<Map<string, Fils>> {
  const rows = await run<{ orderId: string; amount: Fils }>(db, collectedSql, [orderIds])
  return new Map(rows.map(({ orderId, amount }) => [orderId, amount]))
}
