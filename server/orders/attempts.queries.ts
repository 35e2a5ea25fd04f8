import type { OrderField } from '@qatra/contract/orders/history'
import { openStatuses } from '@qatra/contract/orders/order-status'
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { orderAuditHistory, orders } from './tables.ts'

/** A change of an order. */
export interface HistoryRow {
  action: string
  field: string | null
  from: string | null
  to: string | null
  at: Date
  /** For whom it was done, or else who did it. */
  by: number | null
}

/** Changes after which the customer is not asked for a day any more: the delivery is on another way, or on another day. */
const settlingFields = ['status', 'promisedDate', 'dayConfirmed'] as const satisfies readonly OrderField[]
/** Changes that decide about failed attempts. */
export const attemptFields: readonly OrderField[] = [...settlingFields, 'attempt']
const settles = (field: string | null) => settlingFields.some((one) => one === field)

/** Whether the last of these changes is a failed attempt; `history` is oldest first. */
export const asksForDay = (history: readonly Pick<HistoryRow, 'field'>[]): boolean =>
  history.findLast(({ field }) => settles(field) || field === 'attempt')?.field === 'attempt'

/** Whether neither status nor day has changed since a failed attempt. */
export async function hasOpenAttempt({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<boolean> {
  const { orderId: ofOrder, fieldChanged, id } = orderAuditHistory
  const history = await db
    .select({ field: fieldChanged })
    .from(orderAuditHistory)
    .where(and(eq(ofOrder, orderId), inArray(fieldChanged, attemptFields)))
    .orderBy(desc(id))
    .limit(1)
  return asksForDay(history)
}

/** Changes that answer a failed attempt if the customer makes them. */
const answers = ['promisedDate', 'dayConfirmed'] as const satisfies readonly OrderField[]

/**
 * The last failed attempt, unless the customer has chosen or confirmed a day since. Being moved or shipped again is no
 * new attempt. `isUntried` is the same rule in SQL.
 */
export function untriedAttempt(history: readonly HistoryRow[], userId: number | null): HistoryRow | undefined {
  const last = history.findLastIndex(({ field }) => field === 'attempt')
  const isAnswer = ({ field, by }: HistoryRow) => by !== null && by === userId && answers.some((one) => one === field)
  return history.slice(last + 1).some(isAnswer) ? undefined : history[last]
}

export const isOpen = inArray(orders.status, openStatuses)

/** Bounds the months of the history that are read; a day more, as clocks differ. */
const sincePlaced = (changedAt: SQL): SQL => sql`${changedAt} >= ${orders.createdAt} - interval '1 day'`

/**
 * An open order with an `untriedAttempt`. `offset 0` keeps the planner from reading the whole history instead of that of
 * each open order.
 */
export const isUntried = sql`(${isOpen} and exists (
  select from ${orderAuditHistory} attempt where attempt.order_id = ${orders.id} and attempt.field_changed = 'attempt'
    and ${sincePlaced(sql`attempt.changed_at`)}
    and not exists (select from ${orderAuditHistory} change where change.order_id = ${orders.id}
      and ${sincePlaced(sql`change.changed_at`)}
      and change.id > attempt.id and ${inArray(sql`change.field_changed`, answers)}
      and coalesce(change.on_behalf_of, change.changed_by) = ${orders.userId}) offset 0))`

/** Whether an open order has an `untriedAttempt`. */
export const hasUntriedAttempt = async ({ db }: Pick<Ctx, 'db'>, orderId: string): Promise<boolean> =>
  (await db.$count(orders, and(eq(orders.id, orderId), isUntried))) > 0
