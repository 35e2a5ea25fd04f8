import type { DeliveryArea } from '@qatra/contract/areas'
import { areaAt, type Serving, summaryOf } from '../areas/queries.ts'
import type { AreaSnapshot, CatalogueArea } from '../areas/snapshot.ts'
import type { Ctx } from '../database/context.ts'
import { findDefaultAddress, pointOf } from './address-book.queries.ts'

/**
 * The area that the person chose in this browser, else that of the default address. During impersonation the browser's choice
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

/** The area of the default address; null if there is none or it is outside of all areas. */
async function savedArea(db: Ctx['db'], catalogue: AreaSnapshot, userId: number): Promise<CatalogueArea | null> {
  const row = await findDefaultAddress({ db }, userId)
  const point = row && pointOf(row)
  return point && areaAt(catalogue, point)
}
