import type { Parsed } from '@qatra/contract/endpoint'
import { MOST_VIEWS, type OrderView, type saveOrderView } from '@qatra/contract/orders/views'
import { and, eq } from 'drizzle-orm'
import { takeNumberLock } from '../../database/advisory-lock.ts'
import type { Ctx } from '../../database/context.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { orderViews } from '../tables.ts'
import { listViews, viewsInReach } from './views.queries.ts'

/** @throws VIEWS_FULL, VIEW_NAME_TAKEN */
export async function saveView(ctx: Ctx, { name, search }: Parsed<typeof saveOrderView>['body']): Promise<OrderView> {
  const vendorId = vendorInReach(ctx.actor)
  // Two people who save at once are counted one after the other.
  await takeNumberLock(ctx.db, 'order-views', vendorId ?? 0)
  const views = await listViews(ctx)
  if (views.some((view) => view.name === name)) throw new AppError('VIEW_NAME_TAKEN')
  if (views.length >= MOST_VIEWS) throw new AppError('VIEWS_FULL', { most: MOST_VIEWS })
  const [view] = await ctx.db
    .insert(orderViews)
    .values({ vendorId, name, search })
    .returning({ id: orderViews.id, name: orderViews.name, search: orderViews.search })
  if (!view) throw new Error('An insert returns its row')
  await emitChange(ctx, 'created', view)
  return view
}

/** @throws VIEW_NOT_FOUND, the same for an unknown view and one of others */
export async function removeView(ctx: Ctx, id: number): Promise<{ success: true }> {
  const [view] = await ctx.db
    .delete(orderViews)
    .where(and(eq(orderViews.id, id), viewsInReach(ctx)))
    .returning({ id: orderViews.id, name: orderViews.name, search: orderViews.search })
  if (!view) throw new AppError('VIEW_NOT_FOUND')
  await emitChange(ctx, 'deleted', view)
  return { success: true }
}

const emitChange = (ctx: Ctx, action: 'created' | 'deleted', { id, name }: OrderView) =>
  emit(ctx, {
    name: `order-view.${action}`,
    action,
    resource: 'order-view',
    id,
    vendorId: vendorInReach(ctx.actor),
    changes: [action === 'created' ? { field: 'name', from: null, to: name } : { field: 'name', from: name, to: null }],
  })
