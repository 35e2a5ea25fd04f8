import type { Output } from '@qatra/contract/endpoint'
import type { sendConfirmation as send } from '@qatra/contract/orders/confirmation'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError, retryLater } from '../../lib/errors.ts'
import { managedBy } from '../policy.ts'
import { lockOrderRow } from '../queries.ts'
import { findLastConfirmation } from './confirmation.queries.ts'

const COOLDOWN_SECONDS = 60

/**
 * Sends the customer the order's current state, at most once a minute. @throws CUSTOMER_NOT_REACHABLE if no channel
 * reaches the customer, TOO_MANY_REQUESTS within the minute
 */
export async function sendConfirmation(
  ctx: Ctx,
  typedId: string,
  isReachable: (phone: string) => boolean,
): Promise<Output<typeof send>> {
  // The lock serializes concurrent requests, so that the second one finds the first one's row.
  const { id, phone, vendorId, status, version } = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
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
