import type { SQL } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { publish, queuesOf } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { lockOrderRow } from '../queries.ts'

const EVENT = 'order.receipt-asked'

/** The jobs are rows of the same database, written by requests that held the order's lock. */
const recentSql = statement(
  'receipt-asked-recently',
  `select from pgboss.job
   where name = any($1::text[]) and data->>'id' = $2 and created_on > now() - interval '1 minute' limit 1`,
)

/**
 * Sends the receipt of a delivered order to its customer, at most once a minute. @throws ORDER_NOT_FOUND,
 * RECEIPT_NOT_READY, CUSTOMER_NOT_REACHABLE
 */
export async function requestReceipt(
  ctx: Ctx,
  typedId: string,
  { scope, isReachable = () => true }: { scope: SQL; isReachable?: (phone: string) => boolean },
): Promise<void> {
  const { id, phone, status } = await lockOrderRow(ctx, typedId, scope)
  if (status !== 'delivered') throw new AppError('RECEIPT_NOT_READY')
  if (!isReachable(phone)) throw new AppError('CUSTOMER_NOT_REACHABLE')
  if ((await run(ctx.db, recentSql, [queuesOf(EVENT), id])).length > 0) return
  await publish(ctx, EVENT, { id, reference: `receipt:${id}:${ctx.now.getTime()}` })
}
