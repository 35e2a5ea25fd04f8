import type pg from 'pg'
import { run, statement } from '../database/db.ts'
import { runJobTransaction } from '../database/transaction.ts'
import { keepSql, missingSql } from './counting.queries.ts'

/** Those who change orders of a day share its lock until they commit: it is had alone once nobody does. */
const lockSql = statement('dashboard-lock', 'select hold_order_day($1::date) as is_held')
const clearSql = statement('dashboard-clear', 'delete from order_day_figures where day = $1::date')

/**
 * Keeps the figures of past days that are not kept, each in a transaction of its own. A day in which somebody is just
 * changing something waits for the next time.
 */
export async function keepPastDays({ pool }: { pool: pg.Pool }): Promise<void> {
  const missing = await runJobTransaction(pool, ({ db }) => run<{ day: string }>(db, missingSql))
  for (const { day } of missing) {
    await runJobTransaction(pool, async ({ db }) => {
      const [lock] = await run<{ is_held: boolean }>(db, lockSql, [day])
      if (!lock?.is_held) return
      await run(db, clearSql, [day])
      await run(db, keepSql, [day])
    })
  }
}
