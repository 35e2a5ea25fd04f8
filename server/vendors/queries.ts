import { nextPromiseChange, promiseFields } from '@qatra/contract/calendar/slot'
import type { Output } from '@qatra/contract/endpoint'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { shownPicture } from '@qatra/contract/media'
import type { Actor } from '@qatra/contract/users/actor'
import type { LimitedRole, Business as ShownBusiness } from '@qatra/contract/vendors/business'
import { inDeliveryOrder } from '@qatra/contract/vendors/delivery-order'
import type { getVendorRecord } from '@qatra/contract/vendors/record'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { maySeeInactive } from './policy.ts'
import { openAndClosedDaysFor, promisedSlotFor } from './promised-dates.ts'
import type { CatalogueVendor, VendorSnapshot } from './snapshot.ts'
import { vendorBusiness, vendors } from './tables.ts'

type Vendors = Pick<VendorSnapshot, 'vendors'>
interface Areas {
  areas: ReadonlyMap<number, unknown>
}

export function toVendor(catalogue: Pick<VendorSnapshot, 'holidays'>, vendor: CatalogueVendor, at: Date): Vendor {
  return {
    id: vendor.id,
    name: vendor.name,
    nameAr: vendor.nameAr,
    logoUrl: shownPicture(vendor.logoUrl),
    description: vendor.description,
    descriptionAr: vendor.descriptionAr,
    deliveryFee: toBhd(vendor.deliveryFee),
    minDeliveryAmount: toBhd(vendor.minDeliveryAmount),
    whatsappLink: vendor.whatsappLink,
    contactNumber: vendor.contactNumber,
    isActive: vendor.isActive,
    tint: vendor.tint,
    emblem: vendor.emblem,
    cutOff: vendor.cutOff,
    ...promiseFields(promisedSlotFor(catalogue, vendor, at)),
  }
}

export const activeVendors = (catalogue: Vendors): CatalogueVendor[] =>
  [...catalogue.vendors.values()].filter((vendor) => vendor.isActive)

export const listVendors = (catalogue: VendorSnapshot, at: Date): Vendor[] =>
  activeVendors(catalogue).map((vendor) => toVendor(catalogue, vendor, at))

/** All active vendors; those that deliver to the area first. */
export function listVendorsFor(catalogue: VendorSnapshot & Areas, areaId: number, at: Date) {
  if (!catalogue.areas.has(areaId)) throw new AppError('AREA_NOT_FOUND')
  return inDeliveryOrder(
    listVendors(catalogue, at),
    ({ id }) => catalogue.vendors.get(id)?.areaIds.has(areaId) === true,
  )
}

/** When the list next changes by the calendar alone. */
export const vendorsChangeAt = (catalogue: Vendors, at: Date): Date => nextPromiseChange(activeVendors(catalogue), at)

export function requireVendor(catalogue: Vendors, actor: Pick<Actor, 'user'>, id: number): CatalogueVendor {
  const vendor = catalogue.vendors.get(id)
  if (!vendor || !(vendor.isActive || maySeeInactive(actor, vendor))) throw new AppError('VENDOR_NOT_FOUND')
  return vendor
}

const visitor: Pick<Actor, 'user'> = { user: null }

export function readDelivers(catalogue: Vendors & Areas, { vendorId, areaId }: { vendorId: number; areaId: number }) {
  const vendor = requireVendor(catalogue, visitor, vendorId)
  if (!catalogue.areas.has(areaId)) throw new AppError('AREA_NOT_FOUND')
  return { delivers: vendor.areaIds.has(areaId) }
}

/** 0 or omitted: a vendor without closures and cut-off. */
export function readDeliveryDate(catalogue: VendorSnapshot, vendorId: number | undefined, at: Date) {
  const vendor = vendorId ? requireVendor(catalogue, visitor, vendorId) : null
  return promiseFields(promisedSlotFor(catalogue, vendor, at))
}

/** The next open days; none where the vendor does not deliver to the area. */
export function readDeliveryDays(
  catalogue: VendorSnapshot & { areas: ReadonlyMap<number, unknown> },
  { vendorId, areaId }: { vendorId: number; areaId?: number | undefined },
  at: Date,
) {
  const vendor = requireVendor(catalogue, visitor, vendorId)
  if (areaId !== undefined && !readDelivers(catalogue, { vendorId, areaId }).delivers) return []
  return openAndClosedDaysFor(catalogue, vendor, at).map((day) => ({ ...day, windows: [] }))
}

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

/** With money in fils. */
export type Business = Omit<ShownBusiness, 'limits'> & { limits: Partial<Record<LimitedRole, Fils>> }
const untouched: Business = {
  bottles: false,
  areaDays: false,
  capacity: false,
  standingOrders: false,
  accounts: false,
  processing: true,
  means: ['cash'],
  bottleDifference: 'at-once',
  refundChoice: false,
  limits: {},
  version: 0,
}

/** How the vendor does business: the means of payment that its drivers take, limits, and parts that are on. */
export async function readBusiness({ db }: Pick<Ctx, 'db'>, vendorId: number): Promise<Business> {
  const [row] = await db.select().from(vendorBusiness).where(eq(vendorBusiness.vendorId, vendorId))
  return row ?? untouched
}

const processingSql = statement(
  'vendors-processing',
  `select exists (
     select from vendors v left join vendor_business b on b.vendor_id = v.id
     where ($1::integer is null or v.id = $1) and coalesce(b.processing, true)) as "isAny"`,
)

/** Whether orders of the vendor, or of any, are processed before they are shipped. */
export async function isAnyProcessing({ db }: Pick<Ctx, 'db'>, vendorId: number | null): Promise<boolean> {
  const [row] = await run<{ isAny: boolean }>(db, processingSql, [vendorId])
  return row?.isAny ?? true
}

/** Days of a vendor's record, and the fewest deliveries that it is made of. */
const RECORD_DAYS = 90
const FEWEST_DELIVERIES = 20
const RECORD_KEPT_MS = 3_600_000

const recordSql = statement(
  'vendor-record',
  `select count(*)::integer as delivered,
     count(*) filter (where (delivered_at at time zone interval '3 hours')::date <= promised_date)::integer as "inTime"
   from orders where vendor_id = $1 and status = 'delivered' and not is_test
     and delivered_at > now() - interval '${RECORD_DAYS} days' and created_at > now() - interval '${RECORD_DAYS + 60} days'`,
)

type VendorRecord = Output<typeof getVendorRecord>

/** Reads what vendors delivered, at most once an hour for each. */
export function vendorRecords() {
  const kept = new Map<number, { until: number; record: VendorRecord }>()
  return async ({ db, now }: Pick<Ctx, 'db' | 'now'>, vendorId: number): Promise<VendorRecord> => {
    const known = kept.get(vendorId)
    if (known && known.until > now.getTime()) return known.record
    const [row] = await run<{ delivered: number; inTime: number }>(db, recordSql, [vendorId])
    const { delivered, inTime } = row ?? { delivered: 0, inTime: 0 }
    const record =
      delivered < FEWEST_DELIVERIES
        ? { delivered: null, onTime: null }
        : { delivered, onTime: Math.floor((100 * inTime) / delivered) }
    kept.set(vendorId, { until: now.getTime() + RECORD_KEPT_MS, record })
    return record
  }
}
