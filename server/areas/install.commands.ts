import type { Ctx } from '../database/context.ts'
import { emitCreated } from './admin.commands.ts'
import { areas as shipped } from './bahrain/areas.ts'
import { areas, boxText } from './tables.ts'

/** Rows of Bahrain's areas as they are shipped. */
export const shippedRows = () =>
  shipped.map(({ areaId, name, nameAr, geometry, centre: { lat, lng } }) => {
    return { areaId, name, nameAr, geometry, bounds: boxText(geometry), centreLat: lat, centreLng: lng }
  })

/** Inserts the areas whose code is missing; concurrent and repeated calls insert each once. */
export async function installAreas(ctx: Ctx): Promise<{ created: number }> {
  const rows = shippedRows()
  const written = await ctx.db
    .insert(areas)
    .values(rows)
    .onConflictDoNothing({ target: areas.areaId })
    .returning({ id: areas.id, areaId: areas.areaId })
  const byCode = new Map(rows.map((row) => [row.areaId, row]))
  for (const { id, areaId } of written) {
    const facts = byCode.get(areaId)
    if (facts) await emitCreated(ctx, id, facts)
  }
  return { created: written.length }
}
