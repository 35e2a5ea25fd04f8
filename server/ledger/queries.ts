import type { Fils } from '@qatra/contract/lib/money'
import type { PaymentHolder, PaymentMeans } from '@qatra/contract/orders/payments'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'

/** Kinds of entries that pay for an order, or take back from it. */
export const moneyKinds = ['collected', 'payment', 'correction'] as const

/** Rows `entry` of money for an order. @param orderId SQL behind `=` */
export const moneyOf = (orderId: string) =>
  `from ledger_entries entry where entry.order_id = ${orderId} and entry.ledger = 'money'
     and entry.kind in (${moneyKinds.map((kind) => `'${kind}'`).join(', ')})`

const balancesSql = statement(
  'ledger-balances',
  `select entry.order_id as "orderId", sum(entry.amount)::float8 as amount ${moneyOf('any($1::text[])')}
     and ($2::text is null or entry.holder = $2)
   group by entry.order_id`,
)

export interface MeansSum {
  means: PaymentMeans
  amount: Fils
}

const meansSql = statement(
  'ledger-means',
  `select entry.order_id as "orderId", entry.means, sum(entry.amount)::float8 as amount ${moneyOf('any($1::text[])')}
     and ($2::text is null or entry.holder = $2)
   group by entry.order_id, entry.means order by min(entry.id)`,
)

/** What was received for each order less what was paid back, by means, also those that come to nothing; null without an entry. */
export async function sumsByMeans(
  { db }: Pick<Ctx, 'db'>,
  orderIds: readonly string[],
  holder: PaymentHolder | null = null,
): Promise<(orderId: string) => MeansSum[] | null> {
  const rows = await run<MeansSum & { orderId: string }>(db, meansSql, [orderIds, holder])
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId)
  return (orderId) => byOrder.get(orderId) ?? null
}

/** Fils received for these orders, by one kind of holder or by all; without those that have no entry. */
export async function balancesOf(
  { db }: Pick<Ctx, 'db'>,
  orderIds: readonly string[],
  holder: PaymentHolder | null = null,
): Promise<Map<string, Fils>> {
  const rows = await run<{ orderId: string; amount: Fils }>(db, balancesSql, [orderIds, holder])
  return new Map(rows.map(({ orderId, amount }) => [orderId, amount]))
}
