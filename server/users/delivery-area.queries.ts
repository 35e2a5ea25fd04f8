import type { DeliveryArea } from '@qatra/contract/areas'
import { eq } from 'drizzle-orm'
import { areaAt, type Serving, summaryOf } from '../areas/queries.ts'
import type { AreaSnapshot, CatalogueArea } from '../areas/snapshot.ts'
import type { Ctx } from '../database/context.ts'
import { users } from './tables.ts'

/**
 * The area that the person chose in this browser, else that of the saved address. During impersonation the browser's choice
 * is the staff member's and does not count.
 */
export async function readDeliveryArea(
  { actor, client, db }: Pick<Ctx, 'actor' | 'client' | 'db'>,
  catalogue: AreaSnapshot & Serving,
): Promise<DeliveryArea> {
  const chosen = actor.impersonator || client.areaId === null ? null : (catalogue.areas.get(client.areaId) ?? null)
  const saved = actor.user ? await savedArea(db, catalogue, actor.user.id) : null
  const area = chosen ?? saved
  return { area: area && summaryOf(catalogue, area), isChosen: chosen !== null && chosen.id !== saved?.id }
}

/** The area of the last delivery; null if none is saved or it is outside of all areas. */
async function savedArea(db: Ctx['db'], catalogue: AreaSnapshot, userId: number): Promise<CatalogueArea | null> {
  const [point] = await db.select({ lat: users.lat, lng: users.lng }).from(users).where(eq(users.id, userId))
  return point && (point.lat !== 0 || point.lng !== 0) ? areaAt(catalogue, point) : null
}
