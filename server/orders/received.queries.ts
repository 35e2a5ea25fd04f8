import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'

/** Rows `cash` that drivers collected for an order, and their corrections. @param orderId SQL behind `=` */
export const collectedCash = (orderId: string) =>
  `from cash_entries cash where cash.order_id = ${orderId} and cash.kind in ('collected', 'correction')`

/**
 * Fils received for an order: cash that drivers collected, and what was paid otherwise.
 * @param order alias @param which condition on the rows `cash`
 */
export const receivedSql = (order: string, which = 'true') =>
  `(${order}.paid_to_office + coalesce((select sum(cash.amount) ${collectedCash(`${order}.id`)} and ${which}), 0))::float8`

const ordersSql = statement(
  'orders-received',
  `select o.id, ${receivedSql('o')} as received from orders o where o.id = any($1::text[])`,
)

/** Fils received by order. */
export async function readReceived({ db }: Pick<Ctx, 'db'>, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await run<{ id: string; received: number }>(db, ordersSql, [ids])
  return new Map(rows.map(({ id, received }) => [id, received]))
}

const billSql = statement(
  'order-bill',
  `select o.total::float8 as total, ${receivedSql('o')} as received from orders o where o.id = $1`,
)

/** Total of an order that the caller has locked, and what was received for it, in fils. */
export async function readBill({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<{ total: number; received: number }> {
  const [row] = await run<{ total: number; received: number }>(db, billSql, [orderId])
  return row ?? { total: 0, received: 0 }
}
