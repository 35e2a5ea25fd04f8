/** What happened at a visit: bottles and money in the ledger, and the opposite when it is taken back. */

import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Parsed } from '@qatra/contract/endpoint'
import { type Fils, fils, fromBhd, toBhd } from '@qatra/contract/lib/money'
import { type BottleCount, bottleSums, refundLimitOf, splitRefund } from '@qatra/contract/orders/bottles'
import type { changeVisit as change } from '@qatra/contract/visits'
import { eq } from 'drizzle-orm'
import { type BottleEntry, postBottles } from '../../bottles/commands.ts'
import { type HeldType, readHeld } from '../../bottles/queries.ts'
import type { Ctx } from '../../database/context.ts'
import { run, statement } from '../../database/db.ts'
import { type Change, emit } from '../../jobs/domain-events.ts'
import type { ActionOf } from '../../jobs/events.ts'
import { firstOpenDay, post } from '../../ledger/commands.ts'
import { AppError } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/invalid-fields.ts'
import { reportedTime } from '../../lib/reported-time.ts'
import { requireWithinLimit } from '../payment/commands.ts'
import { officePerson } from '../payment/queries.ts'
import { canRefund } from '../payment/rules.ts'
import { saveRun } from '../run/commands.ts'
import type { VisitRow } from './queries.ts'
import { visits } from './tables.ts'

export type Input = Parsed<typeof change>['body']

/** Of a report: a repeated one has one of them. */
export const keysOf = ({ key, payments = [] }: Pick<Input, 'key' | 'payments'>): string[] => [
  ...(key === undefined ? [] : [key]),
  ...payments.map((one) => one.key),
]

export const record = (
  ctx: Ctx,
  action: ActionOf<'visit'>,
  { id, vendorId, driverId }: Pick<VisitRow, 'id' | 'vendorId' | 'driverId'>,
  changes: Change[],
  formerDriverId: number | null = null,
) =>
  emit(ctx, {
    name: `visit.${action}`,
    action,
    resource: 'visit',
    id,
    vendorId,
    changes,
    payload: { vendorId, driverId, formerDriverId },
  })

const openSql = statement(
  'visit-open',
  `select id, day::text as date, json_build_array(day, address_id, bottles) as facts from visits where vendor_id = $1 and customer_id = $2 and kind = $3 and status = 'open'
     and ($4::integer is null or coalesce(address_id, 0) = $4) order by id limit 1`,
)
/** At the place, 0 without one; null: at any. `facts` are its day, address and expected bottles. */
export const findOpen = async (
  { db }: Ctx,
  { vendorId, customerId, kind }: Pick<VisitRow, 'vendorId' | 'customerId' | 'kind'>,
  addressId: number | null,
) => {
  const [open] = await run<{ id: number; date: string; facts: unknown[] }>(db, openSql, [
    vendorId,
    customerId,
    kind,
    addressId,
  ])
  return open ?? null
}

/** @throws VISIT_EXISTS if another one of the kind is open at the place */
export async function writeVisit(
  ctx: Ctx,
  { id, version, ...visit }: VisitRow,
  changed: Partial<VisitRow>,
): Promise<void> {
  if (changed.status === 'open' && visit.status !== 'open') {
    const open = await findOpen(ctx, visit, visit.addressId ?? 0)
    if (open) throw new AppError('VISIT_EXISTS', { id: open.id })
  }
  await ctx.db
    .update(visits)
    .set({ ...changed, version: version + 1, updatedAt: ctx.now })
    .where(eq(visits.id, id))
}

export async function reportFailed(ctx: Ctx, visit: VisitRow, { reason, notes, at, ...input }: Input): Promise<void> {
  if (visit.status === 'done') throw new AppError('VISIT_DONE')
  if (visit.status === 'cancelled') return
  const happenedAt = reportedTime(at, ctx.now, visit.createdAt)
  await writeVisit(ctx, visit, {
    status: 'failed',
    reason: reason ?? 'other',
    reasonNote: notes || null,
    happenedAt,
    reportKeys: [...visit.reportKeys, ...keysOf(input)],
  })
  await record(ctx, 'failed', visit, [{ field: 'attempt', from: null, to: reason ?? 'other' }])
}

/** A type of which nothing came back is as good as none. */
const sameCounts = (a: readonly BottleCount[], b: readonly BottleCount[]) => {
  const text = (counts: readonly BottleCount[]) =>
    counts
      .filter(({ returned, broken = 0, foreign = 0 }) => returned + broken + foreign > 0)
      .map(({ typeId, returned, broken = 0, foreign = 0 }) => [typeId, returned, broken, foreign].join())
      .sort()
      .join(';')
  return text(a) === text(b)
}

/**
 * Books what a person counted and paid back at the door, each report once, on the first open day. A driver's report of a visit
 * that the office has cancelled meanwhile counts, too: the bottles are in the van.
 * @throws VISIT_DONE if it was reported otherwise, MORE_THAN_DUE if more was paid back than deposits for what came back, and
 * than was planned
 */
export async function reportDone(ctx: Ctx, visit: VisitRow, input: Input): Promise<void> {
  const { bottles, payments = [], notes, at } = input
  const types = await readHeld(ctx, visit.vendorId, [visit.customerId])
  const counts = countsOf(ctx, visit, types, bottles)
  const paid = fils(payments.reduce((sum, { amount }) => sum - fromBhd(amount), 0))
  if (visit.status === 'done') {
    if (sameCounts(counts, visit.returned) && paid === visit.paid) return
    throw new AppError('VISIT_DONE')
  }
  const { id, vendorId, customerId, addressId } = visit
  const sums = bottleSums([], counts)
  const limits = sums.map((sum) => {
    const deposit = fils(types.find(({ typeId }) => typeId === sum.typeId)?.deposit ?? 0)
    return { typeId: sum.typeId, limit: refundLimitOf(sum, deposit) }
  })
  const most = Math.max(
    visit.amount ?? 0,
    limits.reduce((sum, { limit }) => sum + limit, 0),
  )
  if (paid > most) throw new AppError('MORE_THAN_DUE', { due: toBhd(fils(most)) })
  const report = visit.reports + 1
  const happenedAt = reportedTime(at ?? payments[0]?.at, ctx.now, visit.createdAt)
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(happenedAt))
  await payBack(ctx, visit, { payments, report, day, happenedAt })
  const returned = sums.map(({ typeId, returned: count }): Moved => {
    const { broken = 0, foreign = 0 } = counts.find((one) => one.typeId === typeId) ?? {}
    const useless = broken + foreign === 0 ? null : `broken=${broken} foreign=${foreign}`
    return { typeId, kind: 'returned', count: 0 - count, due: 0, notes: useless }
  })
  const own = { vendorId, customerId, addressId, visitId: id, day, happenedAt }
  const refunded = splitRefund(paid, limits.length > 0 ? limits : byCredit(types)).map(({ typeId, amount }): Moved => {
    return { typeId, kind: 'refunded', count: 0, due: 0 - amount, notes: null }
  })
  await postBottles(
    ctx,
    [...returned, ...refunded]
      .filter(({ count, due, notes: useless }) => count !== 0 || due !== 0 || useless !== null)
      .map((entry) => ({ ...entry, ...own, key: `visit:${id}:${report}:${entry.typeId}:${entry.kind}` })),
  )
  await writeVisit(ctx, visit, {
    status: 'done',
    returned: counts.filter(({ returned: count, broken, foreign }) => count + (broken ?? 0) + (foreign ?? 0) > 0),
    paid,
    happenedAt,
    bookedOn: day,
    reason: null,
    reasonNote: notes || null,
    reports: report,
    reportKeys: [...visit.reportKeys, ...keysOf(input)],
  })
  if (visit.driverId !== null) await saveRun(ctx, visit.driverId)
  await record(ctx, 'done', visit, [
    { field: 'bottleCount', from: visit.bottles, to: sums.reduce((sum, { returned: count }) => sum + count, 0) },
    { field: 'paidBack', from: null, to: toBhd(paid) },
  ])
}

type Moved = Pick<BottleEntry, 'typeId' | 'kind' | 'count' | 'due' | 'notes'>
type Types = readonly HeldType[]

/** The type for whose deposits most is owed to the customer, if no bottles came back with the refund. */
const byCredit = (types: Types) => {
  const credit = ({ depositHeld, held, deposit }: HeldType) => depositHeld - held * deposit
  return types.toSorted((a, b) => credit(b) - credit(a)).map(({ typeId }) => ({ typeId, limit: fils(0) }))
}

/** @throws INVALID_BODY for a type of another vendor, and for a number where the vendor has several types */
function countsOf(ctx: Ctx, visit: VisitRow, types: Types, said: Input['bottles']): BottleCount[] {
  if (Array.isArray(said)) {
    const wrong = said.findIndex(({ typeId }) => types.every((type) => type.typeId !== typeId))
    if (wrong >= 0) throw invalidFields(ctx, { [`bottles.${wrong}.typeId`]: 'validation.invalid' })
    return said
  }
  const returned = said ?? (visit.kind === 'collect-bottles' ? (visit.bottles ?? 0) : 0)
  if (returned === 0) return []
  const held = types.filter((type) => type.held > 0)
  const [only, another] = held.length > 0 ? held : types.filter(({ isActive }) => isActive)
  if (!only || another) throw invalidFields(ctx, { bottles: 'validation.invalid' })
  return [{ typeId: only.typeId, returned }]
}

interface PaidBack {
  payments: NonNullable<Input['payments']>
  report: number
  day: string
  happenedAt: Date
}

/** Money of the driver, or of the person of the office, which needs the right to refund. */
async function payBack(ctx: Ctx, visit: VisitRow, { payments, report, day, happenedAt }: PaidBack): Promise<void> {
  const { id: visitId, vendorId, driverId } = visit
  if (payments.length === 0) return
  const isDriver = ctx.actor.user?.role === 'driver'
  if (!isDriver && !canRefund(ctx.actor)) throw new AppError('FORBIDDEN')
  await requireWithinLimit(
    ctx,
    vendorId,
    payments.reduce((sum, { amount }) => sum - fromBhd(amount), 0),
  )
  for (const [i, { means, amount, holder = isDriver ? 'driver' : 'office', reference }] of payments.entries()) {
    if (isDriver && holder === 'office') throw new AppError('FORBIDDEN')
    if (holder === 'driver' && driverId === null)
      throw invalidFields(ctx, { [`payments.${i}.holder`]: 'validation.invalid' })
    await post(ctx, {
      vendorId,
      visitId,
      holder,
      holderId: holder === 'driver' ? driverId : officePerson(ctx),
      kind: 'refunded',
      means,
      amount: fromBhd(amount),
      due: fromBhd(amount),
      day,
      happenedAt,
      reference: reference || null,
      key: `visit:${visitId}:${report}:${i + 1}`,
    })
  }
}

const bookedSql = statement(
  'visit-booked',
  `select ledger, kind, holder, holder_id as "holderId", means, amount::float8 as amount, due::float8 as due,
     bottle_type_id as "bottleTypeId", address_id as "addressId", key from ledger_entries
   where visit_id = $1 and delivery = 1 and key like 'visit:' || $1 || ':' || $2::integer || ':%' and key not like '%:taken-back'
   order by ledger desc, bottle_type_id, id`,
)

interface Booked {
  ledger: 'money' | 'bottles'
  kind: 'refunded' | 'returned'
  holder: 'driver' | 'office' | 'customer'
  holderId: number | null
  means: 'cash'
  amount: Fils
  due: Fils
  bottleTypeId: number | null
  addressId: number | null
  key: string
}

/**
 * Posts the opposite of the last report, which was a mistake: bottles and money were not moved.
 * @throws INVALID_BODY without a reason, FORBIDDEN without the right to refund if money was paid back
 */
export async function takeBack(
  ctx: Ctx,
  { id, vendorId, reports, paid }: VisitRow,
  notes: string | null | undefined,
): Promise<void> {
  if (!notes) throw invalidFields(ctx, { notes: 'validation.required' })
  if (paid > 0 && !canRefund(ctx.actor)) throw new AppError('FORBIDDEN')
  const day = await firstOpenDay(ctx, vendorId, bahrainDate(ctx.now))
  for (const entry of await run<Booked>(ctx.db, bookedSql, [id, reports]))
    await post(ctx, {
      ...entry,
      amount: 0 - entry.amount,
      due: 0 - entry.due,
      vendorId,
      visitId: id,
      day,
      happenedAt: ctx.now,
      notes: entry.ledger === 'money' ? notes : null,
      key: `${entry.key}:taken-back`,
    })
}
