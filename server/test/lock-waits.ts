import type { TestShop } from './app.ts'

/**
 * Number of connections that wait for a row, table or advisory lock, in statements like `statement`. Waiting to extend a
 * table is not counted: parallel jobs do that at any time.
 */
export async function lockWaits(shop: TestShop, statement = '%'): Promise<number> {
  const waiting = await shop.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event <> 'extend' and query ilike $1`,
    [statement],
  )
  return waiting.length
}
