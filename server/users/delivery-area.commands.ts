import type { DeliveryArea } from '@qatra/contract/places/areas'
import { eq } from 'drizzle-orm'
import type { Serving } from '../areas/queries.ts'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { readAreas, readDeliveryArea } from './delivery-area.queries.ts'
import { users } from './tables.ts'

/** Keeps the choice in the account, and takes the one of an earlier visit out of the browser. */
export async function chooseDeliveryArea(
  ctx: Ctx,
  catalogue: AreaSnapshot & Serving,
  areaId: number,
): Promise<DeliveryArea> {
  if (!catalogue.areas.has(areaId)) throw new AppError('AREA_NOT_FOUND')
  const { id } = userOf(ctx)
  const { saved } = await readAreas(ctx.db, catalogue, id)
  // The area of the default address needs no choice, which would outlast a change of the address.
  const deliveryAreaId = saved?.id === areaId ? null : areaId
  await ctx.db.update(users).set({ deliveryAreaId }).where(eq(users.id, id))
  forgetVisitorsArea(ctx)
  return readDeliveryArea(ctx, catalogue)
}

const adoptSql = statement(
  'delivery-area-adopt',
  'update users set delivery_area_id = a.id from areas a where a.id = $2 and users.id = $1',
)

/** Moves the choice of a visitor who signs in from the browser into the account. */
export async function adoptDeliveryArea(ctx: Ctx, userId: number): Promise<void> {
  if (ctx.client.areaId === null) return
  await run(ctx.db, adoptSql, [userId, ctx.client.areaId])
  forgetVisitorsArea(ctx)
}

const forgetVisitorsArea = (ctx: Pick<Ctx, 'client' | 'setCookie'>) =>
  ctx.client.areaId === null ? undefined : ctx.setCookie({ name: 'area', value: null })
