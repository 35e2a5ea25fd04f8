import type { DeliveryArea } from '@qatra/contract/places/areas'
import { eq } from 'drizzle-orm'
import type { Serving } from '../areas/queries.ts'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import { type Ctx, userOf } from '../database/context.ts'
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
  await saveChoice(ctx, catalogue, userOf(ctx).id, areaId)
  clearVisitorsArea(ctx)
  return readDeliveryArea(ctx, catalogue)
}

/** Moves the choice of a visitor who signs in from the browser into the account. */
export async function adoptDeliveryArea(ctx: Ctx, catalogue: AreaSnapshot, userId: number): Promise<void> {
  const { areaId } = ctx.client
  if (areaId === null) return
  if (catalogue.areas.has(areaId)) await saveChoice(ctx, catalogue, userId, areaId)
  clearVisitorsArea(ctx)
}

async function saveChoice({ db }: Pick<Ctx, 'db'>, catalogue: AreaSnapshot, userId: number, areaId: number) {
  const { saved } = await readAreas(db, catalogue, userId)
  // The area of the default address needs no choice, which would outlast a change of the address.
  const deliveryAreaId = saved?.id === areaId ? null : areaId
  await db.update(users).set({ deliveryAreaId }).where(eq(users.id, userId))
}

const clearVisitorsArea = (ctx: Pick<Ctx, 'client' | 'setCookie'>) =>
  ctx.client.areaId === null ? undefined : ctx.setCookie({ name: 'area', value: null })
