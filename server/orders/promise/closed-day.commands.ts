import { addDays, bahrainDate, firstOpenDay } from '@qatra/contract/calendar/calendar'
import { openStatuses } from '@qatra/contract/orders/order-status'
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import type pg from 'pg'
import { readDeliveryTerms } from '../../calendar/delivery-days.queries.ts'
import type { DeliveryTerms } from '../../calendar/delivery-days.ts'
import { run, statement } from '../../database/db.ts'
import { allInOrder, type JobContext, runJobTransaction } from '../../database/transaction.ts'
import { orders } from '../tables.ts'
import { movePromise } from './commands.ts'

export interface DayClosure {
  day: string
  /** Null: all vendors. */
  vendorId: number | null
  /** The person who closed the day, and whom the person impersonated. */
  by: number | null
  onBehalfOf: number | null
}

/** Orders read in one transaction. */
const BATCH = 100

const nowSql = statement('closed-day-now', 'select now()')

/**
 * Moves all open orders of a closed day to the next open day. Idempotent: a repeated run finds only the orders that are
 * still there, and none if the day has been opened again.
 */
export async function moveOrdersOfClosedDay(pool: pg.Pool, closed: DayClosure): Promise<void> {
  let after: string | null = ''
  while (after !== null) {
    const from: string = after
    after = await runJobTransaction(pool, (ctx) => moveBatch(ctx, closed, from))
  }
}

/** Reads the orders after an id. @returns the last id of a full batch; null if no order is left */
async function moveBatch(
  { db, afterCommit }: JobContext,
  { day, vendorId, by, onBehalfOf }: DayClosure,
  after: string,
): Promise<string | null> {
  const found = await db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.promisedDate, day),
        gt(orders.id, after),
        inArray(orders.status, openStatuses),
        vendorId === null ? undefined : eq(orders.vendorId, vendorId),
      ),
    )
    // By ascending id, like all code that locks several orders.
    .orderBy(asc(orders.id))
    .limit(BATCH)
    .for('update')
  const [{ now } = { now: new Date() }] = await run<{ now: Date }>(db, nowSql)
  const vendorIds = [...new Set(found.map((order) => order.vendorId))]
  // The job of a day that was closed shortly before midnight may run after it.
  const terms = await allInOrder(vendorIds.map((id) => readDeliveryTerms({ db }, id, day)))
  const nextDays = new Map(vendorIds.map((id, i) => [id, nextDay(terms[i], day, bahrainDate(now))]))
  const ctx = {
    db,
    afterCommit,
    now,
    authors: { changedBy: by, onBehalfOf },
    client: { ip: null, userAgent: null },
  }
  const moves = found.flatMap((order) => {
    const date = nextDays.get(order.vendorId) ?? null
    return date === null ? [] : [movePromise(ctx, order, { date, mover: 'closure' })]
  })
  await allInOrder(moves)
  return found[BATCH - 1]?.id ?? null
}

/** Null if the day is open again. */
function nextDay(terms: DeliveryTerms | undefined, day: string, today: string): string | null {
  if (!terms?.closedDays.includes(day)) return null
  const from = addDays(day > today ? day : today, 1)
  return firstOpenDay(from, { holidays: new Set(), closures: new Set(terms.closedDays) })
}
