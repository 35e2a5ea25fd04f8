import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar'
import type { CashDay, CashKind, CashSums } from '@qatra/contract/drivers'
import { type Fils, toBhd } from '@qatra/contract/money'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { type CashLine, cashOf } from './cash.ts'
import type { DriverRow } from './drivers.queries.ts'

/** Orders delivered later than this after placing are not searched for. */
export const ORDER_LIVES_DAYS = 60

const linesSql = statement(
  'driver-cash-lines',
  `select e.id, e.driver_id, e.kind, e.amount, e.order_id, o.total, e.notes, e.happened_at, e.created_at,
     b.id as by_id, b.name as by_name, s.id as for_id, s.name as for_name
   from cash_entries e
   join users u on u.id = e.driver_id and u.vendor_id = e.vendor_id
   left join orders o on o.id = e.order_id
   left join users b on b.id = e.created_by
   left join users s on s.id = e.on_behalf_of
   where e.driver_id = any($1::integer[]) and e.day = $2
   order by e.happened_at, e.id`,
)

interface Line {
  id: number
  driver_id: number
  kind: CashKind
  amount: number
  order_id: string | null
  /** Total of the order in fils. */
  total: number | null
  notes: string | null
  happened_at: Date
  created_at: Date
  by_id: number | null
  by_name: string | null
  for_id: number | null
  for_name: string | null
}

/** First and last moment of a Bahrain day, and the earliest placing time of its orders. */
export function boundsOf(day: string) {
  return {
    oldest: startOfBahrainDay(addDays(day, -ORDER_LIVES_DAYS)),
    from: startOfBahrainDay(day),
    until: startOfBahrainDay(addDays(day, 1)),
  }
}

async function readCashOf({ db }: Ctx, driverIds: readonly number[], day: string) {
  const lines = await run<Line>(db, linesSql, [driverIds, day])
  const lineOf = ({ kind, amount, total, happened_at: happenedAt }: Line): CashLine => ({
    kind,
    amount,
    happenedAt,
    due: kind === 'collected' ? Math.min(amount, total ?? amount) : 0,
  })
  const sumsOf = (driverId: number) => cashOf(lines.filter((row) => row.driver_id === driverId).map(lineOf))
  return { sums: new Map(driverIds.map((id): [number, CashSums] => [id, sumsOf(id)])), lines }
}

/** The day's sums of several drivers. */
export const readCashSums = async (ctx: Ctx, driverIds: readonly number[], day: string) =>
  (await readCashOf(ctx, driverIds, day)).sums

export async function readCashDay(ctx: Ctx, driver: DriverRow, requestedDay: string | undefined): Promise<CashDay> {
  const date = requestedDay ?? bahrainDate(ctx.now)
  const { sums, lines } = await readCashOf(ctx, [driver.id], date)
  return {
    ...(sums.get(driver.id) ?? cashOf([])),
    date,
    entries: lines.map((line) => ({
      id: line.id,
      kind: line.kind,
      amount: toBhd(line.amount as Fils), // money columns hold fils
      orderId: line.order_id,
      notes: line.notes,
      at: line.happened_at.toISOString(),
      recordedAt: line.created_at.toISOString(),
      by: line.by_id === null ? null : { id: line.by_id, name: line.by_name },
      onBehalfOf: line.for_id === null ? null : { id: line.for_id, name: line.for_name },
    })),
  }
}

const collectedSql = statement(
  'cash-collected-for',
  `select order_id as "orderId", amount from cash_entries where order_id = any($1::text[]) and kind = 'collected'
   order by delivery`,
)

/** Fils collected at the last delivery, by order. */
export async function readCollected({ db }: Ctx, orderIds: readonly string[]): Promise<Map<string, Fils>> {
  const rows = await run<{ orderId: string; amount: Fils }>(db, collectedSql, [orderIds])
  return new Map(rows.map(({ orderId, amount }) => [orderId, amount]))
}
