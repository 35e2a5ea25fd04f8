import { promiseFields } from '@qatra/contract/calendar/slot'
import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { fold } from '@qatra/contract/lib/text'
import type { listManagedVendors, ManagedVendor } from '@qatra/contract/vendors/admin'
import { limitedRoles, type Business as ShownBusiness } from '@qatra/contract/vendors/business'
import { eq, sql } from 'drizzle-orm'
import { areas } from '../areas/tables.ts'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { type OpenPictures, pictureStateOf } from '../media/state.ts'
import { managesVendor, runsTheMarket } from './policy.ts'
import { promisedSlotFor } from './promised-dates.ts'
import { type Business, readBusiness } from './queries.ts'
import type { VendorSnapshot } from './snapshot.ts'
import { vendorDeliveryAreas, vendors } from './tables.ts'

export type VendorRow = typeof vendors.$inferSelect
/** The parts of the in-memory catalogue that vendor details need. */
export type Known = VendorSnapshot & { pictures: OpenPictures }

const areaIds = sql<number[]>`array(
  select d.area_id from ${vendorDeliveryAreas} d where d.vendor_id = ${vendors}.id order by 1
)`
const productCount = sql<number>`(
  select count(*)::int from products p where p.vendor_id = ${vendors}.id and p.deleted_at is null
)`

/** @throws VENDOR_NOT_FOUND, the same for a foreign and an unknown vendor */
export async function requireManagedVendor(ctx: Ctx, known: Known, id: number): Promise<ManagedVendor> {
  if (!managesVendor(ctx.actor, id)) throw new AppError('VENDOR_NOT_FOUND')
  const [found] = await ctx.db
    .select({ vendor: vendors, areaIds, productCount })
    .from(vendors)
    .where(eq(vendors.id, id))
  if (!found) throw new AppError('VENDOR_NOT_FOUND')
  return describe(ctx, known, found)
}

/** Filtered here, since vendors are few and the query needs folding of Arabic. */
export async function searchManagedVendors(
  ctx: Ctx,
  known: Known,
  { page, limit, search = '', isActive }: Parsed<typeof listManagedVendors>['query'],
) {
  const rows = await ctx.db.select({ vendor: vendors, areaIds, productCount }).from(vendors)
  const sought = fold(search)
  const found = rows
    .filter(({ vendor }) => isActive === undefined || vendor.isActive === isActive)
    .filter(({ vendor }) =>
      fold(`${vendor.name} ${vendor.nameAr ?? ''} ${vendor.contactNumber ?? ''}`).includes(sought),
    )
    .sort((a, b) => a.vendor.name.localeCompare(b.vendor.name, 'en') || a.vendor.id - b.vendor.id)
  const items = found.slice((page - 1) * limit, page * limit).map((row) => describe(ctx, known, row))
  return { items, page, limit, total: found.length }
}

function describe(
  { actor, now }: Ctx,
  known: Known,
  { vendor, ...counts }: { vendor: VendorRow; areaIds: number[]; productCount: number },
): ManagedVendor {
  const { createdAt, updatedAt, ...facts } = vendor
  const closures = known.vendors.get(vendor.id)?.closures ?? new Set<string>()
  const mayRun = runsTheMarket(actor)
  return {
    ...facts,
    ...counts,
    logo: pictureStateOf(known.pictures, vendor.logoUrl),
    deliveryFee: toBhd(vendor.deliveryFee as Fils), // both stored in fils
    minDeliveryAmount: toBhd(vendor.minDeliveryAmount as Fils),
    ...promiseFields(promisedSlotFor(known, { closures, cutOff: vendor.cutOff }, now)),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    can: { activate: mayRun, remove: mayRun },
  }
}

async function requireVendorInReach(ctx: Ctx, vendorId: number) {
  if (!managesVendor(ctx.actor, vendorId)) throw new AppError('VENDOR_NOT_FOUND')
  const [vendor] = await ctx.db.select({ id: vendors.id }).from(vendors).where(eq(vendors.id, vendorId))
  if (!vendor) throw new AppError('VENDOR_NOT_FOUND')
}

/** With money in BHD, and roles in the order of the contract. */
export function describeBusiness({ limits, ...business }: Business): ShownBusiness {
  const limited = limitedRoles.flatMap((role) => {
    const limit = limits[role]
    return limit === undefined ? [] : [[role, toBhd(limit)] as const]
  })
  return { ...business, limits: Object.fromEntries(limited) }
}

export async function requireBusiness(ctx: Ctx, vendorId: number): Promise<ShownBusiness> {
  await requireVendorInReach(ctx, vendorId)
  return describeBusiness(await readBusiness(ctx, vendorId))
}

/** Sorted by name, then by id. */
export async function listAreasOfVendor(ctx: Ctx, vendorId: number) {
  await requireVendorInReach(ctx, vendorId)
  return ctx.db
    .select({ id: areas.id, name: areas.name, nameAr: areas.nameAr, areaId: areas.areaId })
    .from(vendorDeliveryAreas)
    .innerJoin(areas, eq(areas.id, vendorDeliveryAreas.areaId))
    .where(eq(vendorDeliveryAreas.vendorId, vendorId))
    .orderBy(areas.name, areas.id)
}
