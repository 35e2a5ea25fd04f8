import type { Output } from '@qatra/contract/endpoint'
import type { sendConfirmation as send } from '@qatra/contract/order-confirmation'
import { eq } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError, retryLater } from '../../lib/errors.ts'
import { managedBy } from '../policy.ts'
import { requireOrderRow } from '../queries.ts'
import { orders } from '../tables.ts'
import { findLastConfirmation } from './confirmation.queries.ts'

const COOLDOWN_SECONDS = 60

/**
 * Sends the customer the order as it stands; once a minute, however many people press.
 * @throws CUSTOMER_NOT_REACHABLE where no message gets there, TOO_MANY_REQUESTS within the minute
 */
export async function sendConfirmation(
  ctx: Ctx,
  typedId: string,
  isReachable: (phone: string) => boolean,
): Promise<Output<typeof send>> {
  const { id, phone, vendorId, status, version } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  // Whoever presses at the same time waits here and finds the other's line.
  await ctx.db.select({ id: orders.id }).from(orders).where(eq(orders.id, id)).for('update')
  if (status === 'cancelled' || !isReachable(phone)) throw new AppError('CUSTOMER_NOT_REACHABLE')
  const last = await findLastConfirmation(ctx, id)
  const seconds = last ? COOLDOWN_SECONDS - (ctx.now.getTime() - last.at.getTime()) / 1000 : 0
  if (seconds > 0) throw retryLater('TOO_MANY_REQUESTS', Math.ceil(seconds))
  const reference = String(ctx.now.getTime())
  await emit(ctx, {
    name: 'order.confirmation-asked',
    action: 'confirmation',
    resource: 'order',
    id,
    vendorId,
    changes: [{ field: 'confirmation', from: null, to: reference }],
    payload: { reference, version },
  })
  return { queued: true, to: phone }
}
