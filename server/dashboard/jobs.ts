import type pg from 'pg'
import { run, statement } from '../database/db.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { missingSql, storeSql } from './counting.queries.ts'

export function dashboardJobs(app: App) {
  // A change of a past order deletes the stored figures; until they are stored again, the orders are counted.
  app.queue.handle('order-days', { retryLimit: 0, expireInSeconds: 280, concurrency: 1 }, () => storePastDays(app))
}

/** Writers of a day's orders share its lock until they commit; the exclusive lock waits for them. */
const lockSql = statement('dashboard-lock', 'select hold_order_day($1::date) as is_held')
const clearSql = statement('dashboard-clear', 'delete from order_day_figures where day = $1::date')

/**
 * Stores missing figures of past days, one transaction per day. Skips a day that is being changed until the next run.
 */
export async function storePastDays({ pool }: { pool: pg.Pool }): Promise<void> {
  const missing = await runJobTransaction(pool, ({ db }) => run<{ day: string }>(db, missingSql))
  for (const { day } of missing) {
    await runJobTransaction(pool, async ({ db }) => {
      const [lock] = await run<{ is_held: boolean }>(db, lockSql, [day])
      if (!lock?.is_held) return
      await run(db, clearSql, [day])
      await run(db, storeSql, [day])
    })
  }
}
