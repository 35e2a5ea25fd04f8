import { isChosen } from '@qatra/contract/places/geo'
import { mostAddresses, type SavedAddress } from '@qatra/contract/users/addresses'
import { and, desc, eq } from 'drizzle-orm'
import { areaAt, pinSourceAt } from '../areas/queries.ts'
import type { AreaSnapshot } from '../areas/snapshot.ts'
import type { Ctx } from '../database/context.ts'
import { addresses } from './tables.ts'

export type AddressRow = typeof addresses.$inferSelect

/** A person's addresses: the default one, then the last used. */
export const listAddressRows = (
  { db }: Pick<Ctx, 'db'>,
  userId: number,
  limit: number = mostAddresses,
): Promise<AddressRow[]> =>
  db
    .select()
    .from(addresses)
    .where(eq(addresses.userId, userId))
    .orderBy(desc(addresses.isDefault), desc(addresses.usedAt), desc(addresses.id))
    .limit(limit)

export async function findDefaultAddress({ db }: Pick<Ctx, 'db'>, userId: number): Promise<AddressRow | null> {
  const [row] = await db
    .select()
    .from(addresses)
    .where(and(eq(addresses.userId, userId), eq(addresses.isDefault, true)))
  return row ?? null
}

/** Coordinates 0,0 mean "not chosen". */
export const pointOf = ({ lat, lng }: Pick<AddressRow, 'lat' | 'lng'>) => (lat === 0 && lng === 0 ? null : { lat, lng })

export function describeAddress(catalogue: AreaSnapshot, row: AddressRow): SavedAddress {
  const { userId: _, lat, lng, usedAt: _used, createdAt: _created, ...rest } = row
  const mapCoordinates = pointOf({ lat, lng })
  const area = isChosen(mapCoordinates) ? areaAt(catalogue, mapCoordinates) : null
  const pinSource = pinSourceAt(area, { lat, lng }, row.pinSource)
  return { ...rest, mapCoordinates, pinSource, areaId: area?.id ?? null }
}
