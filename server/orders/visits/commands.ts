import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { slotOn } from '@qatra/contract/calendar/slot'
import type { Parsed } from '@qatra/contract/endpoint'
import { fromBhd } from '@qatra/contract/lib/money'
import type { requestCollection as request } from '@qatra/contract/my-bottles'
import type { cancelVisit as cancel, createVisit as create, Visit } from '@qatra/contract/visits'
import { eq, sql } from 'drizzle-orm'
import { areaAt } from '../../areas/queries.ts'
import type { AreaSnapshot } from '../../areas/snapshot.ts'
import { requireOffered, slotsFor, staffSlotsFor } from '../../calendar/delivery-days.ts'
import { readDeliveryTerms } from '../../calendar/queries.ts'
import { type Ctx, userOf } from '../../database/context.ts'
import { isOpenDay } from '../../ledger/commands.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { lockBook } from '../../users/address-book.commands.ts'
import { vendorInReach } from '../../vendors/policy.ts'
import { readBusiness } from '../../vendors/queries.ts'
import { isDriverOf } from '../admin/queries.ts'
import { type DeliveryVendors, requireCovered } from '../placing/rules.ts'
import { ERASED } from '../status/rules.ts'
import { findPlaces, isOnTheWay, lockVisit, ownVisits, type Place, requireVisit, type VisitRow } from './queries.ts'
import {
  findOpen,
  type Input,
  keysOf,
  record,
  reportDone,
  reportFailed,
  takeBack,
  writeVisit,
} from './report.commands.ts'
import { visits } from './tables.ts'

type Planned = Omit<typeof visits.$inferInsert, 'id' | 'areaName' | 'areaNameAr' | Exclude<keyof Place, 'bottles'>>

/** Null if the customer has an open one of the kind at the place. */
async function insertVisit(ctx: Ctx, areas: AreaSnapshot, planned: Planned, at: Place): Promise<number | null> {
  const { isKnown: _, bottles, ...place } = at
  const area = areaAt(areas, place)
  const [made] = await ctx.db
    .insert(visits)
    .values({
      ...planned,
      ...place,
      bottles: planned.bottles ?? (planned.kind === 'collect-bottles' && (bottles ?? 0) > 0 ? bottles : null),
      areaName: area?.name ?? null,
      areaNameAr: area?.nameAr ?? null,
      createdBy: userOf(ctx).id,
    })
    .onConflictDoNothing()
    .returning({ id: visits.id })
  if (!made) return null
  const { vendorId, day, driverId = null, isRequested = false } = planned
  await record(ctx, isRequested ? 'requested' : 'created', { id: made.id, vendorId, driverId }, [
    { field: 'visitKind', from: null, to: planned.kind },
    { field: 'visitDate', from: null, to: day },
    { field: 'assignedDriverId', from: null, to: driverId },
  ])
  return made.id
}

/** @throws FORBIDDEN, CUSTOMER_NOT_FOUND, ADDRESS_REQUIRED, DRIVER_NOT_AVAILABLE, VISIT_EXISTS, DAY_CLOSED */
export async function createVisit(
  ctx: Ctx,
  areas: AreaSnapshot,
  { vendorId: requested, addressId, date, ...input }: Parsed<typeof create>['body'],
): Promise<Visit> {
  const vendorId = vendorInReach(ctx.actor, requested)
  if (vendorId === null) throw invalidFields(ctx, { vendorId: 'validation.required' })
  const { kind, customerId, driverId = null } = input
  if (kind === 'collect-bottles' && !(await readBusiness(ctx, vendorId)).bottles)
    throw invalidFields(ctx, { kind: 'validation.invalid' })
  const found = await findPlaces(ctx, { vendorId, customerId, addressId })
  if (!found?.isCustomer) throw new AppError('CUSTOMER_NOT_FOUND')
  const { place, lastPlace, phone, customerName } = found
  if (addressId && !place?.isKnown) throw invalidFields(ctx, { addressId: 'validation.invalid' })
  // An address that the vendor has never seen is the customer's secret.
  const chosen = place?.isKnown ? place : lastPlace
  if (!chosen) throw new AppError('ADDRESS_REQUIRED')
  await requireDriver(ctx, vendorId, driverId)
  const day = date ?? staffSlotsFor(await readDeliveryTerms(ctx, vendorId), ctx.now)[0].date
  await requireDay(ctx, vendorId, day)
  const planned = { ...factsOf(input), vendorId, kind, customerId, customerName, phone, day, driverId }
  const id = await insertVisit(ctx, areas, planned, chosen)
  if (id === null) throw new AppError('VISIT_EXISTS', await idOfOpen(ctx, planned, chosen.addressId))
  return requireVisit(ctx, id)
}

async function idOfOpen(ctx: Ctx, of: Planned, addressId: number | null) {
  const open = await findOpen(ctx, of, addressId ?? 0)
  return open ? { id: open.id, date: open.date } : {}
}

const factsOf = ({ bottles, amount, note }: Pick<Parsed<typeof create>['body'], 'bottles' | 'amount' | 'note'>) => {
  return { bottles: bottles ?? null, amount: amount ? fromBhd(amount) : null, note: note || null }
}

async function requireDriver(ctx: Ctx, vendorId: number, driverId: number | null): Promise<void> {
  if (driverId !== null && !(await isDriverOf(ctx, driverId, vendorId)))
    throw new AppError('DRIVER_NOT_AVAILABLE', { driverId })
}

/** @throws INVALID_BODY for a day that is over, DAY_CLOSED for one whose cash is closed */
async function requireDay(ctx: Ctx, vendorId: number, day: string): Promise<void> {
  const today = bahrainDate(ctx.now)
  if (day < today) throw invalidFields(ctx, { date: 'validation.dayPast' })
  if (day > addDays(today, 366)) throw invalidFields(ctx, { date: 'validation.dayYear' })
  if (!(await isOpenDay(ctx, vendorId, day))) throw new AppError('DAY_CLOSED', { date: day })
}

/**
 * Asks for the customer, as the page of bottles and the bot do, that the vendor collects empties on a day of delivery. While a
 * request is open it is answered again, and another one is refused. @throws VENDOR_NOT_FOUND, NO_BOTTLES, ADDRESS_NOT_FOUND,
 * ADDRESS_REQUIRED, VISIT_EXISTS, OUTSIDE_SERVICE_AREA, VENDOR_DOES_NOT_DELIVER, DATE_NOT_AVAILABLE
 */
export async function requestCollection(
  ctx: Ctx,
  catalogue: AreaSnapshot & DeliveryVendors,
  { vendorId, addressId, note, date, bottles }: Parsed<typeof request>['body'],
): Promise<{ id: number; date: string }> {
  // Two requests of a person for different addresses come one after the other.
  const customerId = await lockBook(ctx)
  if (!(await readBusiness(ctx, vendorId)).bottles) throw new AppError('VENDOR_NOT_FOUND')
  const found = await findPlaces(ctx, { vendorId, customerId, addressId })
  if (!found || found.held <= 0) throw new AppError('NO_BOTTLES')
  const { place, lastPlace, phone, customerName } = found
  if (addressId && place?.addressId !== addressId) throw new AppError('ADDRESS_NOT_FOUND')
  const chosen = place ?? lastPlace
  if (!chosen) throw new AppError('ADDRESS_REQUIRED')
  const kind = 'collect-bottles' as const
  const open = await findOpen(ctx, { vendorId, customerId, kind }, null)
  if (open) {
    const asked = [date, addressId, bottles]
    if (asked.every((value, i) => (value ?? open.facts[i]) === open.facts[i])) return open
    throw new AppError('VISIT_EXISTS', { id: open.id, date: open.date })
  }
  const area = areaAt(catalogue, chosen)
  const vendor = catalogue.vendors.get(vendorId)
  const isServed = area !== null && vendor?.isActive === true && vendor.areaIds.has(area.id)
  requireCovered(catalogue, { area, vendorId, isServed })
  const slots = slotsFor(await readDeliveryTerms(ctx, vendorId), ctx.now)
  const day = date === undefined ? slots[0].date : requireOffered(slots, slotOn(date)).date
  const planned = {
    ...factsOf({ note }),
    bottles: bottles ?? (chosen.bottles === null ? found.held : null),
    vendorId,
    kind,
    customerId,
    customerName,
    phone,
    day,
    isRequested: true,
  }
  const id = await insertVisit(ctx, catalogue, planned, chosen)
  // The office planned one meanwhile.
  if (id === null) throw new AppError('VISIT_EXISTS', await idOfOpen(ctx, planned, chosen.addressId))
  return { id, date: day }
}

/** Moves, assigns or reports a visit. @throws VISIT_NOT_FOUND, FORBIDDEN for what a driver cannot change, VERSION_CONFLICT */
export async function changeVisit(ctx: Ctx, id: number, { version, ...input }: Input): Promise<Visit> {
  const visit = await lockVisit(ctx, id)
  const isDriver = ctx.actor.user?.role === 'driver'
  const isReport = input.status === 'done' || input.status === 'failed'
  const plans = [input.date, input.driverId, input.amount, input.note]
  if (isDriver && (!isReport || plans.some((value) => value !== undefined))) throw new AppError('FORBIDDEN')
  if (isReport && keysOf(input).some((key) => visit.reportKeys.includes(key))) return requireVisit(ctx, id)
  if (visit.status === 'cancelled' && !isReport && input.status !== 'open') throw new AppError('VISIT_NOT_FOUND')
  if (version !== undefined && version !== visit.version)
    throw new AppError('VERSION_CONFLICT', { version: visit.version })
  if (input.status === 'done') await reportDone(ctx, visit, input)
  else if (input.status === 'failed') await reportFailed(ctx, visit, input)
  else await replan(ctx, visit, input)
  return requireVisit(ctx, id)
}

async function replan(
  ctx: Ctx,
  visit: VisitRow,
  { status, date, driverId, bottles, notes, ...input }: Input,
): Promise<void> {
  const { id, vendorId } = visit
  const isUndone = visit.status === 'done'
  if (isUndone && status !== 'open') throw new AppError('VISIT_DONE')
  if (isUndone) await takeBack(ctx, visit, notes)
  if (driverId !== undefined && driverId !== visit.driverId) await requireDriver(ctx, vendorId, driverId)
  if (date !== undefined && date !== visit.day) await requireDay(ctx, vendorId, date)
  const wanted = {
    // A new day is a new try.
    ...((status === 'open' || (date !== undefined && date !== visit.day)) && {
      status: 'open' as const,
      reason: null,
      reasonNote: null,
      happenedAt: null,
    }),
    ...(date !== undefined && { day: date }),
    ...(driverId !== undefined && { driverId }),
    ...(typeof bottles !== 'object' && bottles !== undefined && { bottles: bottles || null }),
    ...(bottles === null && { bottles }),
    ...(input.amount !== undefined && { amount: input.amount === null ? null : fromBhd(input.amount) }),
    ...(input.note !== undefined && { note: input.note || null }),
  }
  const before = {
    status: visit.status,
    visitDate: visit.day,
    assignedDriverId: visit.driverId,
    bottleCount: visit.bottles,
  }
  const after = { ...visit, ...wanted }
  const next = {
    status: after.status,
    visitDate: after.day,
    assignedDriverId: after.driverId,
    bottleCount: after.bottles,
  }
  const changes = (Object.keys(before) as (keyof typeof before)[]).flatMap((field) =>
    before[field] === next[field] ? [] : [{ field, from: before[field], to: next[field] }],
  )
  const undone = isUndone ? { returned: [], paid: 0, bookedOn: null } : {}
  await writeVisit(ctx, visit, { ...wanted, ...undone })
  await record(
    ctx,
    isUndone ? 'undone' : 'updated',
    { id, vendorId, driverId: after.driverId },
    [...changes, ...(notes ? [{ field: 'reason', from: null, to: notes }] : [])],
    visit.driverId,
  )
}

/** A driver who has visited meanwhile can still report it. @throws VISIT_NOT_FOUND, VISIT_DONE */
export const cancelVisit = async (ctx: Ctx, { id }: Parsed<typeof cancel>['params']) =>
  cancelLocked(ctx, await lockVisit(ctx, id))

/** @throws VISIT_NOT_FOUND, VISIT_DONE, VISIT_ON_THE_WAY */
export async function cancelCollection(ctx: Ctx, { id }: Parsed<typeof cancel>['params']) {
  const visit = await lockVisit(ctx, id, ownVisits(ctx.actor))
  if (visit.status === 'open' && (await isOnTheWay(ctx, id))) throw new AppError('VISIT_ON_THE_WAY')
  return cancelLocked(ctx, visit)
}

async function cancelLocked(ctx: Ctx, visit: VisitRow): Promise<{ success: true }> {
  if (visit.status === 'done') throw new AppError('VISIT_DONE')
  if (visit.status !== 'cancelled') {
    await writeVisit(ctx, visit, { status: 'cancelled' })
    await record(ctx, 'deleted', visit, [{ field: 'status', from: visit.status, to: 'cancelled' }])
  }
  return { success: true }
}

/** Visits of a driver who leaves the vendor need another one. */
export const releaseVisitsOf = (ctx: Ctx, driverId: number) =>
  ctx.db
    .update(visits)
    .set({ driverId: null, version: sql`${visits.version} + 1`, updatedAt: ctx.now })
    .where(sql`${visits.driverId} = ${driverId} and ${visits.status} in ('open', 'failed')`)

/** Of an account that is erased; what was counted and paid stays. */
export async function eraseVisitsOf(ctx: Ctx, customerId: number): Promise<void> {
  const nothing = { addressParts: null, instructions: null, pinSource: null, note: null, reasonNote: null }
  await ctx.db
    .update(visits)
    .set({
      ...nothing,
      status: sql`case when ${visits.status} in ('open', 'failed') then 'cancelled' else ${visits.status} end`,
      customerName: ERASED,
      phone: ERASED,
      address: ERASED,
      lat: 0,
      lng: 0,
      updatedAt: ctx.now,
    })
    .where(eq(visits.customerId, customerId))
}
