import type { Equation } from '@qatra/contract/cash-closing'
import { and, eq, isNull } from 'drizzle-orm'
import { numberLockKeys } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { authorsOf, type EmitContext, emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { type ClosedDriverDay, cashClosings, ledgerEntries } from './tables.ts'

type Entry = Omit<typeof ledgerEntries.$inferInsert, 'id' | 'createdBy' | 'onBehalfOf' | 'createdAt'>
type PostContext = Pick<EmitContext, 'db' | 'actor' | 'authors'>

/**
 * Writes an entry once, for repeated and concurrent requests. @returns whether it was written now
 * @throws IDEMPOTENCY_KEY_REUSED if the key has another entry
 */
export const post = (ctx: PostContext, entry: Entry, request: { namesDay?: boolean } = {}): Promise<boolean> =>
  postAll(ctx, [entry], request)

/** Writes up to 1,000 entries of one ledger, each once. @returns whether one was written now @throws as `post` */
export async function postAll(
  ctx: PostContext,
  entries: readonly Entry[],
  request: { namesDay?: boolean } = {},
): Promise<boolean> {
  if (entries.length === 0) return false
  const { changedBy, onBehalfOf } = authorsOf(ctx)
  const written = await ctx.db
    .insert(ledgerEntries)
    .values(entries.map((entry) => ({ ...entry, createdBy: changedBy, onBehalfOf })))
    .onConflictDoNothing()
    .returning({ key: ledgerEntries.key })
  const keys = new Set(written.map(({ key }) => key))
  for (const entry of entries) if (!keys.has(entry.key)) await isPosted(ctx, entry, request)
  return keys.size > 0
}

/**
 * Whether the request repeats an entry that is written. The day is compared where the request names it: otherwise a
 * request that is sent again after midnight would be another.
 * @throws IDEMPOTENCY_KEY_REUSED if the key has another entry
 */
export async function isPosted(
  { db }: Pick<Ctx, 'db'>,
  {
    ledger = 'money',
    key,
    kind,
    means = 'cash',
    orderId = null,
    visitId = null,
    amount,
    holder,
    reference = null,
    day,
  }: Entry,
  { namesDay = false }: { namesDay?: boolean } = {},
): Promise<boolean> {
  const [known] = await db
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.ledger, ledger), eq(ledgerEntries.key, key)))
  if (!known) return false
  const isSame =
    known.kind === kind &&
    known.orderId === orderId &&
    known.visitId === visitId &&
    known.amount === amount &&
    known.means === means &&
    known.holder === holder &&
    (known.reference === reference || kind !== 'payment') &&
    (known.day === day || !namesDay)
  if (!isSame) throw new AppError('IDEMPOTENCY_KEY_REUSED')
  return true
}

const openSql = statement('ledger-day-open', 'select cash_day_is_open($1, $2) as "isOpen"')

/** Whether entries of the day can be written; it stays so until the transaction ends. */
export async function isOpenDay({ db }: Ctx, vendorId: number, day: string): Promise<boolean> {
  const [row] = await run<{ isOpen: boolean }>(db, openSql, [vendorId, day])
  return row?.isOpen ?? false
}

const firstOpenSql = statement('ledger-day-first-open', 'select first_open_cash_day($1, $2)::text as day')

/** What is reported after its day was closed is booked on the next open day; it stays open until the transaction ends. */
export async function firstOpenDay({ db }: Pick<Ctx, 'db'>, vendorId: number, from: string): Promise<string> {
  const [row] = await run<{ day: string }>(db, firstOpenSql, [vendorId, from])
  return row?.day ?? from
}

const lockSql = statement(
  'ledger-day-lock',
  `select pg_advisory_xact_lock(${numberLockKeys['cash-day']}, cash_day_key($1, $2))`,
)

/** Waits for entries that are being written, and holds back others until the transaction ends, so the day's sums are final. */
export const lockDay = (ctx: Ctx, vendorId: number, day: string) => run(ctx.db, lockSql, [vendorId, day])

/** Closes a day that the caller has locked and found complete. Names are read from the accounts, where they can be erased. */
export async function closeDay(
  ctx: Ctx,
  vendorId: number,
  day: string,
  { equation, driverDays }: { equation: Equation; driverDays: ClosedDriverDay[] },
): Promise<void> {
  const inOfficeBy = equation.inOfficeBy.map(({ id, amount }) => ({ id, amount }))
  const closing = { closedBy: userOf(ctx).id, closedAt: ctx.now, equation: { ...equation, inOfficeBy }, driverDays }
  await ctx.db.insert(cashClosings).values({ vendorId, day, ...closing })
  await emit(ctx, {
    name: 'cash.closed',
    action: 'closed',
    resource: 'cash-day',
    id: day,
    vendorId,
    changes: [{ field: 'handedOver', from: null, to: equation.handedOver }],
  })
}

/** @throws CASH_DAY_OPEN if the day is not closed */
export async function reopenDay(ctx: Ctx, vendorId: number, day: string, reason: string): Promise<void> {
  const reopened = await ctx.db
    .update(cashClosings)
    .set({ reopenedBy: userOf(ctx).id, reopenedAt: ctx.now, reopenReason: reason })
    .where(and(eq(cashClosings.vendorId, vendorId), eq(cashClosings.day, day), isNull(cashClosings.reopenedAt)))
    .returning({ id: cashClosings.id })
  if (reopened.length === 0) throw new AppError('CASH_DAY_OPEN')
  await emit(ctx, {
    name: 'cash.reopened',
    action: 'reopened',
    resource: 'cash-day',
    id: day,
    vendorId,
    changes: [{ field: 'reason', from: null, to: reason }],
  })
}
