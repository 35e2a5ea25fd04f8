import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { whatsappLink } from '@qatra/contract/lib/phone'
import { isOfAccount, paymentMeans } from '@qatra/contract/orders/payments'
import type { createVendor as create, ManagedVendor, VendorFacts } from '@qatra/contract/vendors/admin'
import { type Business, businessFields, type saveBusiness as save } from '@qatra/contract/vendors/business'
import { eq, inArray, sql } from 'drizzle-orm'
import { areas } from '../areas/tables.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { type Change, emit } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import { invalidFields } from '../lib/invalid-fields.ts'
import { requirePicture } from '../media/commands.ts'
import {
  describeBusiness,
  type Known,
  listAreasOfVendor,
  requireManagedVendor,
  type VendorRow,
} from './admin.queries.ts'
import { managesVendor, runsTheMarket } from './policy.ts'
import { readBusiness } from './queries.ts'
import { vendorBusiness, vendorDeliveryAreas, vendors } from './tables.ts'

/** Fields that a request can set; others are ignored. */
const columns = [
  'name',
  'nameAr',
  'logoUrl',
  'description',
  'descriptionAr',
  'deliveryFee',
  'minDeliveryAmount',
  'whatsappLink',
  'contactNumber',
  'isActive',
  'tint',
  'emblem',
  'cutOff',
  'companyName',
  'companyNameAr',
  'companyAddress',
  'companyAddressAr',
  'crNumber',
  'vatNumber',
  'customPriceFloor',
] as const satisfies readonly (keyof VendorRow & keyof VendorFacts)[]
type Facts = Partial<Pick<VendorRow, (typeof columns)[number] | 'daysChosen'>>

export async function createVendor(
  ctx: Ctx,
  known: Known,
  body: Parsed<typeof create>['body'],
): Promise<ManagedVendor> {
  const facts = rowOf(body)
  await requirePicture(ctx, 'logoUrl', facts.logoUrl)
  const [row] = await ctx.db
    .insert(vendors)
    .values({
      ...facts,
      name: body.name,
      contactNumber: body.contactNumber,
      whatsappLink: body.whatsappLink === undefined ? whatsappLink(body.contactNumber) : body.whatsappLink,
    })
    .returning()
  if (!row) throw new Error('The vendor was not written')
  const changes = columns.flatMap((field) => (row[field] === null ? [] : [change(field, null, row[field])]))
  await record(ctx, 'created', row.id, changes)
  return requireManagedVendor(ctx, known, row.id)
}

/** @throws FORBIDDEN if vendor staff send fields that only the marketplace can change */
export async function updateVendor(ctx: Ctx, known: Known, id: number, body: VendorFacts): Promise<ManagedVendor> {
  const before = await lockVendor(ctx, id)
  const isForMarket = body.isActive !== undefined || body.vendorId !== undefined
  if (isForMarket && !runsTheMarket(ctx.actor)) throw new AppError('FORBIDDEN')
  if (body.version !== undefined && body.version !== before.version)
    throw new AppError('VERSION_CONFLICT', { version: before.version })
  await write(ctx, before, rowOf(followingNumber(before, body)))
  return requireManagedVendor(ctx, known, id)
}

/** Deletes the vendor if nothing refers to it; otherwise deactivates it. */
export async function deleteVendor(ctx: Ctx, id: number): Promise<{ success: true; deleted: boolean }> {
  const vendor = await lockVendor(ctx, id)
  const [found] = await ctx.db
    .select({
      hasHistory: sql<boolean>`exists (select from orders o where o.vendor_id = ${id})
        or exists (select from products p where p.vendor_id = ${id})
        or exists (select from users u where u.vendor_id = ${id})`,
    })
    .from(vendors)
    .where(eq(vendors.id, id))
  if (found?.hasHistory) {
    await write(ctx, vendor, { isActive: false })
    return { success: true, deleted: false }
  }
  await ctx.db.delete(vendors).where(eq(vendors.id, id))
  const changes = columns.flatMap((field) => (vendor[field] === null ? [] : [change(field, vendor[field], null)]))
  await record(ctx, 'deleted', id, changes)
  return { success: true, deleted: true }
}

/** Replaces all areas; omitted ones are removed. */
export async function setVendorAreas(ctx: Ctx, id: number, areaIds: readonly number[]) {
  await lockVendor(ctx, id)
  // Locks the areas, so that none is deleted before its link is written.
  const there = await ctx.db
    .select({ id: areas.id })
    .from(areas)
    .where(inArray(areas.id, [...areaIds]))
    .for('key share')
  if (there.length !== areaIds.length) throw invalidFields(ctx, { areaIds: 'validation.areaUnknown' })
  const links = eq(vendorDeliveryAreas.vendorId, id)
  const gone = await ctx.db.delete(vendorDeliveryAreas).where(links).returning({ areaId: vendorDeliveryAreas.areaId })
  await ctx.db.insert(vendorDeliveryAreas).values(areaIds.map((areaId) => ({ vendorId: id, areaId })))
  const [from, to] = [gone.map(({ areaId }) => areaId), [...areaIds]].map((ids) => ids.sort((a, b) => a - b))
  if (String(from) !== String(to)) await record(ctx, 'areas', id, [{ field: 'areaIds', from, to }])
  return listAreasOfVendor(ctx, id)
}

/** @throws VERSION_CONFLICT if `version` is stale, INVALID_BODY for means that need accounts while these are off */
export async function saveBusiness(
  ctx: Ctx,
  id: number,
  { version, ...wanted }: Parsed<typeof save>['body'],
): Promise<Business> {
  await lockVendor(ctx, id)
  const before = describeBusiness(await readBusiness(ctx, id))
  if (version !== undefined && version !== before.version)
    throw new AppError('VERSION_CONFLICT', { version: before.version })
  const sent = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
  const asked: Business = { ...before, ...sent, version: before.version + 1 }
  if (!asked.accounts && asked.means.some(isOfAccount)) throw invalidFields(ctx, { means: 'validation.invalid' })
  const fils = Object.fromEntries(Object.entries(asked.limits).map(([role, limit]) => [role, fromBhd(limit)]))
  const row = { ...asked, means: paymentMeans.filter((one) => asked.means.includes(one)), limits: fils }
  const after = describeBusiness(row)
  const changes = businessFields.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, from, to }]
  })
  if (changes.length === 0) return before
  const values = { ...row, updatedAt: ctx.now }
  await ctx.db
    .insert(vendorBusiness)
    .values({ ...values, vendorId: id })
    .onConflictDoUpdate({ target: vendorBusiness.vendorId, set: values })
  await emit(ctx, { name: 'business.updated', action: 'updated', resource: 'vendor', id, vendorId: id, changes })
  return after
}

/** Locks the vendor until the transaction ends, so that changes and new references are serialized. */
async function lockVendor(ctx: Ctx, id: number): Promise<VendorRow> {
  if (!managesVendor(ctx.actor, id)) throw new AppError('VENDOR_NOT_FOUND')
  const [row] = await ctx.db.select().from(vendors).where(eq(vendors.id, id)).for('update')
  if (!row) throw new AppError('VENDOR_NOT_FOUND')
  return row
}

async function write(ctx: Ctx, before: VendorRow, facts: Facts) {
  const changes = columns.flatMap((field) => {
    const to = facts[field]
    return to === undefined || to === before[field] ? [] : [change(field, before[field], to)]
  })
  // Choosing none changes no column but this one.
  if (facts.daysChosen && !before.daysChosen && facts.cutOff === before.cutOff)
    changes.push({ field: 'daysChosen', from: false, to: true })
  if (changes.length === 0) return
  if (facts.logoUrl !== before.logoUrl) await requirePicture(ctx, 'logoUrl', facts.logoUrl)
  await ctx.db
    .update(vendors)
    .set({ ...facts, version: before.version + 1, updatedAt: ctx.now })
    .where(eq(vendors.id, before.id))
  await record(ctx, 'updated', before.id, changes)
}

/** A WhatsApp link of the old contact number changes to the new one. */
function followingNumber(before: VendorRow, body: VendorFacts): VendorFacts {
  const isFollowing = before.whatsappLink !== null && before.whatsappLink === whatsappLink(before.contactNumber)
  if (!body.contactNumber || body.whatsappLink !== undefined || !isFollowing) return body
  return { ...body, whatsappLink: whatsappLink(body.contactNumber) }
}

/** Blank texts become null. */
function rowOf(body: Partial<VendorFacts>): Facts {
  const { deliveryFee, minDeliveryAmount } = body
  const sent = columns.flatMap((field) =>
    body[field] === undefined ? [] : [[field, body[field] === '' ? null : body[field]]],
  )
  return {
    ...(Object.fromEntries(sent) as Facts), // fromEntries loses the names that `columns` lists
    ...(body.cutOff === undefined ? {} : { daysChosen: true }),
    ...(deliveryFee === undefined ? {} : { deliveryFee: fromBhd(deliveryFee) }),
    ...(minDeliveryAmount === undefined ? {} : { minDeliveryAmount: fromBhd(minDeliveryAmount) }),
  }
}

function change(field: (typeof columns)[number], from: unknown, to: unknown): Change {
  const isMoney = field === 'deliveryFee' || field === 'minDeliveryAmount'
  const logged = (value: unknown) => (isMoney && typeof value === 'number' ? toBhd(value as Fils) : value)
  return { field, from: logged(from), to: logged(to) }
}

function record(ctx: Ctx, what: ActionOf<'vendor'>, id: number, changes: Change[]) {
  const action = what === 'areas' ? 'updated' : what
  const about = { action, resource: 'vendor', id, vendorId: id, payload: { vendorId: id } }
  return emit(ctx, { name: `vendor.${what}`, ...about, changes })
}

const showFetchedSql = statement('vendor-logos-show', 'select show_fetched_vendor_logos()')
export const showFetchedLogos = (db: Db) => run(db, showFetchedSql)
