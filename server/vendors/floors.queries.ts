import { and, eq, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { vendors } from './tables.ts'

export interface PriceFloor {
  vendorId: number
  /** Whole percent of a product's price. */
  percent: number
}

/** Floors of agreed prices by vendor, read in this transaction; for one vendor or for all. */
export async function listPriceFloors({ db }: Pick<Ctx, 'db'>, vendorId: number | null): Promise<PriceFloor[]> {
  const rows = await db
    .select({ vendorId: vendors.id, percent: vendors.customPriceFloor })
    .from(vendors)
    .where(and(isNotNull(vendors.customPriceFloor), vendorId === null ? undefined : eq(vendors.id, vendorId)))
    .orderBy(vendors.id)
  return rows.flatMap((row) => (row.percent === null ? [] : [{ ...row, percent: row.percent }]))
}
