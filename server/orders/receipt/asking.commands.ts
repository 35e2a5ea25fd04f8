import type { SQL } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { publish } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { lockOrderRow } from '../queries.ts'

/** Requests within this time send one receipt. */
const ONCE_IN_MS = 60_000

/**
 * Sends the receipt of a delivered order to its customer, at most once a minute. @throws ORDER_NOT_FOUND,
 * RECEIPT_NOT_READY, CUSTOMER_NOT_REACHABLE
 */
export async function askForReceipt(
  ctx: Ctx,
  typedId: string,
  { scope, isReachable = () => true }: { scope: SQL; isReachable?: (phone: string) => boolean },
): Promise<void> {
  const { id, phone, status } = await lockOrderRow(ctx, typedId, scope)
  if (status !== 'delivered') throw new AppError('RECEIPT_NOT_READY')
  if (!isReachable(phone)) throw new AppError('CUSTOMER_NOT_REACHABLE')
  const minute = Math.floor(ctx.now.getTime() / ONCE_IN_MS)
  await publish(ctx, 'order.receipt-asked', { id, reference: `receipt:${id}:${minute}` })
}
