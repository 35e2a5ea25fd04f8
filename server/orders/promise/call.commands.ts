import { allowsAction } from '@qatra/contract/orders/order-status'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { ownedBy } from '../policy.ts'
import { lockOrderRow } from '../queries.ts'
import { orderAuditHistory as history } from '../tables.ts'

/**
 * The customer asks staff for a call about an own open order. Repeated requests change nothing until the next
 * attempt or change of status.
 */
export async function requestCall(ctx: Ctx, typedId: string): Promise<void> {
  const order = await lockOrderRow(ctx, typedId, ownedBy(ctx.actor))
  if (!allowsAction(order.status, 'bot', 'rescheduleAfterAttempt'))
    throw new AppError('RESCHEDULE_CLOSED', { status: order.status })
  const [last] = await ctx.db
    .select({ field: history.fieldChanged })
    .from(history)
    .where(and(eq(history.orderId, order.id), inArray(history.fieldChanged, ['status', 'attempt', 'callRequest'])))
    .orderBy(desc(history.id))
    .limit(1)
  if (last?.field === 'callRequest') return
  await emit(ctx, {
    name: 'order.call-requested',
    action: 'updated',
    resource: 'order',
    id: order.id,
    vendorId: order.vendorId,
    changes: [{ field: 'callRequest', from: null, to: 'requested' }],
  })
}
