import type { AreaWarning, ManagedArea } from '@qatra/contract/places/areas-admin'
import { warningsOf } from '@qatra/contract/places/coverage'
import type { AreaGeometry } from '@qatra/contract/places/geo'
import type { Steps } from '@qatra/contract/places/outline'
import { land } from '@qatra/contract/places/places'
import { asc, eq, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import type { AreaSnapshot } from './snapshot.ts'
import { areas } from './tables.ts'

const columns = {
  id: areas.id,
  areaId: areas.areaId,
  name: areas.name,
  nameAr: areas.nameAr,
  oldDbId: areas.oldDbId,
  geometry: areas.geometry,
  lat: areas.centreLat,
  lng: areas.centreLng,
  createdAt: areas.createdAt,
  vendorIds: sql<number[]>`array(
    select d.vendor_id from vendor_delivery_areas d where d.area_id = ${areas}.id order by 1
  )`,
}

const chosen = (ctx: Ctx) => ctx.db.select(columns).from(areas)
type Row = Awaited<ReturnType<typeof chosen>>[number]

export const listManagedAreas = async (ctx: Ctx): Promise<ManagedArea[]> =>
  (await chosen(ctx).orderBy(asc(areas.name), asc(areas.id))).map(describe)

export async function requireManagedArea(ctx: Ctx, id: number): Promise<ManagedArea> {
  const [row] = await chosen(ctx).where(eq(areas.id, id))
  if (!row) throw new AppError('AREA_NOT_FOUND')
  return describe(row)
}

const describe = ({ lat, lng, createdAt, ...area }: Row): ManagedArea => ({
  ...area,
  centre: { lat, lng },
  createdAt: createdAt.toISOString(),
})

/** Overlaps, gaps and swapped axes of an outline beside the other areas. */
export const outlineWarnings = (
  { areas: others }: AreaSnapshot,
  subject: { id: number; geometry: AreaGeometry },
): Steps<AreaWarning[]> => warningsOf(subject, others.values(), land)
