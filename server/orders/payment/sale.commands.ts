import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { run, statement } from '../../database/db.ts'
import type { EmitContext } from '../../jobs/domain-events.ts'
import { firstOpenDay, post } from '../../ledger/commands.ts'
import { type OrderRow, owedFor, readBill } from '../queries.ts'

const soldSql = statement(
  'order-sold',
  `select coalesce(sum(amount), 0)::float8 as sold from ledger_entries where ledger = 'sales' and order_id = $1`,
)

/**
 * Books what a change of status or total delivers or takes back, and what the customer owes more or less by it: on the day
 * of the change, or the first open one after it. Of an order that is not delivered it matters only once something was paid.
 * The caller has locked the order and writes its next version.
 */
export async function bookSale(
  ctx: EmitContext & { now: Date },
  before: OrderRow,
  {
    happenedAt = ctx.now,
    ...after
  }: Pick<OrderRow, 'status' | 'total' | 'version'> & { happenedAt?: Date | undefined },
): Promise<void> {
  const isSold = after.status === 'delivered'
  const due = owedFor(after) - owedFor(before)
  const isMoved = isSold !== (before.status === 'delivered')
  if (!isMoved && (due === 0 || (!isSold && (await readBill(ctx, before.id)).received === 0))) return
  const [booked] = await run<{ sold: number }>(ctx.db, soldSql, [before.id])
  await post(ctx, {
    ledger: 'sales',
    vendorId: before.vendorId,
    holder: 'vendor',
    orderId: before.id,
    kind: isMoved ? (isSold ? 'delivered' : 'taken-back') : 'corrected',
    amount: (isSold ? after.total : 0) - (booked?.sold ?? 0),
    due,
    day: await firstOpenDay(ctx, before.vendorId, bahrainDate(happenedAt)),
    happenedAt,
    key: `${before.id}:${after.version}`,
  })
}
