/** What drivers report on the road, but for the delivery itself. */

import type { reportAttempt as attempt } from '@qatra/contract/drivers'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { allowsAction } from '@qatra/contract/orders/order-status'
import { isAuthorized } from '@qatra/contract/users/permissions'
import type { VanLine, writeVan as write } from '@qatra/contract/van'
import { and, eq } from 'drizzle-orm'
import { takeNumberLock } from '../database/advisory-lock.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { authorsOf, emit } from '../jobs/domain-events.ts'
import { isOpenDay, isPosted, post } from '../ledger/commands.ts'
import { driverKey } from '../ledger/rules.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { reportedTime } from '../lib/reported-time.ts'
import { managedBy } from '../orders/policy.ts'
import { lockOrderRow } from '../orders/queries.ts'
import { moreThanVan, readVans } from '../orders/run/van.queries.ts'
import { requireHolder } from './drivers.queries.ts'
import { readAttempts } from './run.queries.ts'
import { deliveryAttempts } from './tables.ts'

/** Records a failed delivery attempt. The order keeps its status; a job asks the customer for another day. */
export async function reportAttempt(
  ctx: Ctx,
  typedId: string,
  { reason, notes, key = `at:${ctx.now.toISOString()}`, at }: Parsed<typeof attempt>['body'],
): Promise<Output<typeof attempt>> {
  const order = await lockOrderRow(ctx, typedId, managedBy(ctx.actor))
  const [known] = await ctx.db
    .select({ id: deliveryAttempts.id })
    .from(deliveryAttempts)
    .where(and(eq(deliveryAttempts.orderId, order.id), eq(deliveryAttempts.key, key)))
  if (!known) {
    if (!allowsAction(order.status, 'driver', 'attempt')) throw new AppError('ORDER_CLOSED', { status: order.status })
    const { changedBy, onBehalfOf } = authorsOf(ctx)
    await ctx.db.insert(deliveryAttempts).values({
      orderId: order.id,
      driverId: order.assignedDriverId,
      reason,
      key,
      createdBy: changedBy,
      onBehalfOf,
      happenedAt: reportedTime(at, ctx.now, order.createdAt),
    })
    await emit(ctx, {
      name: 'order.attempted',
      action: 'attempted',
      resource: 'order',
      id: order.id,
      vendorId: order.vendorId,
      changes: [{ field: 'attempt', from: null, to: reason }],
      notes: notes || null,
      payload: { driverId: order.assignedDriverId, attempts: await countAttempts(ctx, order.id) },
    })
  }
  const attempts = await readAttempts(ctx, [order.id])
  return { orderId: order.id, status: order.status, attempts: attempts(order.id) }
}

/** Attempts on all days. */
const countAttempts = ({ db }: Ctx, orderId: string): Promise<number> =>
  db.$count(deliveryAttempts, eq(deliveryAttempts.orderId, orderId))

const goodsSql = statement(
  'van-goods',
  `select where exists (select from bottle_types where id = $2 and vendor_id = $1)
     or exists (select from products where id = $3 and vendor_id = $1)`,
)

/**
 * Books what a driver loads, unloads or counts; a later count of the day replaces an earlier one. The van stays as it is
 * until the transaction ends.
 * @throws CASH_DAY_CLOSED; MORE_THAN_VAN if more full ones are unloaded than are left; VAN_COUNTED if the office has counted
 * otherwise, or somebody has since the office looked; FORBIDDEN for a count of the office without `drivers.cash`
 */
export async function writeVan(
  ctx: Ctx,
  driverId: number,
  { date, kind, typeId, productId, full, empty, key, before = null, reason }: Parsed<typeof write>['body'],
): Promise<VanLine[]> {
  const driver = await requireHolder(ctx, driverId, { vendorId: undefined, day: date })
  const { vendorId } = driver
  const goods = { bottleTypeId: typeId ?? null, productId: productId ?? null }
  if ((await run(ctx.db, goodsSql, [vendorId, goods.bottleTypeId, goods.productId])).length === 0)
    throw invalidFields(ctx, { [typeId === undefined ? 'productId' : 'typeId']: 'validation.invalid' })
  const isOfficeCount = kind === 'counted' && ctx.actor.user?.role !== 'driver'
  if (isOfficeCount && !isAuthorized({ allow: 'admin', permissions: ['drivers.cash'] }, ctx.actor.user))
    throw new AppError('FORBIDDEN')
  if (isOfficeCount && !reason) throw invalidFields(ctx, { reason: 'validation.required' })
  const notes = isOfficeCount ? (reason ?? null) : null
  const entries = [[full, false] as const, [empty, true] as const]
    .filter(([amount]) => amount > 0 || kind === 'counted')
    .map(([amount, isEmpty]) => ({
      ledger: 'van' as const,
      vendorId,
      holder: 'van' as const,
      holderId: driver.id,
      kind,
      ...goods,
      isEmpty,
      amount,
      day: date,
      notes,
      happenedAt: ctx.now,
      key: driverKey(driver.id, `${key}:${isEmpty ? 'empty' : 'full'}`),
    }))
  await takeNumberLock(ctx.db, 'van', driver.id)
  const ofDay = { vendorId, day: date, driverId: driver.id }
  const posted = await Promise.all(entries.map((entry) => isPosted(ctx, entry, { namesDay: true })))
  if (posted.every(Boolean)) return readVans(ctx, ofDay)
  const isOwn = (line: VanLine) => line.typeId === goods.bottleTypeId && line.productId === goods.productId
  const vans = kind === 'loaded' ? [] : await readVans(ctx, ofDay)
  const van = vans.find(isOwn)
  if (kind === 'unloaded' && van && van.left !== null && full > van.left) throw moreThanVan(van)
  if (!(await isOpenDay(ctx, vendorId, date))) throw new AppError('CASH_DAY_CLOSED')
  const last = van?.counted ?? null
  const isSame = (one: typeof last) => one?.full === last?.full && one?.empty === last?.empty
  if (kind === 'counted' && !isSame({ full, empty }) && (isOfficeCount ? !isSame(before) : van?.reason))
    throw new AppError('VAN_COUNTED')
  // Equal to that of the office, which keeps its author and reason.
  if (!isOfficeCount && kind === 'counted' && van?.reason) return vans
  for (const entry of entries) await post(ctx, entry, { namesDay: true })
  if (isOfficeCount)
    await emit(ctx, {
      name: 'van.counted',
      action: 'counted',
      resource: 'user',
      id: driver.id,
      vendorId,
      changes: [
        { field: 'full', from: last && last.full, to: full },
        { field: 'empty', from: last && last.empty, to: empty },
        { field: 'reason', from: null, to: notes },
      ],
    })
  return readVans(ctx, ofDay)
}
