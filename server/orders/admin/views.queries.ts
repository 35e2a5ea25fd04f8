import type { OrderView } from '@qatra/contract/orders/views'
import { asc, eq, isNull, type SQL } from 'drizzle-orm'
import type { Ctx } from '../../database/context.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { orderViews } from '../tables.ts'

/** Views of the actor's vendor; for super admins those of the market, which no vendor has. */
export function viewsInReach({ actor }: Pick<Ctx, 'actor'>): SQL {
  const vendorId = vendorInReach(actor)
  return vendorId === null ? isNull(orderViews.vendorId) : eq(orderViews.vendorId, vendorId)
}

export const listViews = (ctx: Ctx): Promise<OrderView[]> =>
  ctx.db
    .select({ id: orderViews.id, name: orderViews.name, search: orderViews.search })
    .from(orderViews)
    .where(viewsInReach(ctx))
    .orderBy(asc(orderViews.id))
