import type { DeliveryArea } from '@qatra/contract/places/areas'
import { and, eq } from 'drizzle-orm'
import { areaAt, type Serving, summaryOf } from '../areas/queries.ts'
import type { AreaSnapshot, CatalogueArea } from '../areas/snapshot.ts'
import type { Ctx } from '../database/context.ts'
import { pointOf } from './address-book.queries.ts'
import { addresses, users } from './tables.ts'

type Areas = AreaSnapshot & Serving

/**
 * The area that the person chose, else that of the default address. A signed-in person's choice is in the account, a
 * visitor's in the browser.
 */
export async function readDeliveryArea(
  { actor, client, db }: Pick<Ctx, 'actor' | 'client' | 'db'>,
  catalogue: Areas,
): Promise<DeliveryArea> {
  const { chosenId, saved } = actor.user
    ? await readAreas(db, catalogue, actor.user.id)
    : { chosenId: client.areaId, saved: null }
  const chosen = chosenId === null ? null : (catalogue.areas.get(chosenId) ?? null)
  const area = chosen ?? saved
  return { area: area && summaryOf(catalogue, area), isChosen: chosen !== null && chosen.id !== saved?.id }
}

/** The chosen area, and that of the default address: null if there is none or it is outside of all areas. */
export async function readAreas(
  db: Ctx['db'],
  catalogue: AreaSnapshot,
  userId: number,
): Promise<{ chosenId: number | null; saved: CatalogueArea | null }> {
  const [row] = await db
    .select({ chosenId: users.deliveryAreaId, lat: addresses.lat, lng: addresses.lng })
    .from(users)
    .leftJoin(addresses, and(eq(addresses.userId, users.id), eq(addresses.isDefault, true)))
    .where(eq(users.id, userId))
  const point = pointOf({ lat: row?.lat ?? 0, lng: row?.lng ?? 0 })
  return { chosenId: row?.chosenId ?? null, saved: point && areaAt(catalogue, point) }
}
