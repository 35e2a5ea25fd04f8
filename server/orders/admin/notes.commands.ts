import type { TimelineEntry } from '@qatra/contract/orders/admin'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { managedBy } from '../policy.ts'
import { requireOrderRow } from '../queries.ts'
import { readTimeline } from './timeline.queries.ts'

/** Adds a staff note; the order stays unchanged. */
export async function addOrderNote(ctx: Ctx, typedId: string, text: string): Promise<TimelineEntry[]> {
  const { id, vendorId } = await requireOrderRow(ctx, typedId, managedBy(ctx.actor))
  await emit(ctx, { name: 'order.noted', action: 'note', resource: 'order', id, vendorId, notes: text })
  return readTimeline(ctx, id)
}
