import type pg from 'pg'
import { Counter } from 'prom-client'
import type { Metrics } from '../http/monitoring/metrics.ts'

export function countCheckouts({ registers }: Metrics): () => void {
  const counter = new Counter({
    name: 'shop_checkouts_begun_total',
    help: 'Checkouts begun, as the pages of this process tell',
    registers: [...registers],
  })
  return () => counter.inc()
}

/**
 * Counted from the orders themselves, so repeated requests, jobs and restarts do not count twice. All processes report
 * the same value, so take the maximum over them.
 */
export function countPurchases(metrics: Metrics, pool: pg.Pool) {
  readFigure(metrics, pool, {
    name: 'shop_purchases_total',
    help: 'Orders placed; the same in each process',
    query: 'select count(*)::float8 as value from orders',
  })
  readFigure(metrics, pool, {
    name: 'shop_purchases_bhd_total',
    help: 'What all orders came to, in BHD; the same in each process',
    query: 'select coalesce(sum(total), 0)::float8 / 1000 as value from orders',
  })
}

interface Figure {
  name: string
  help: string
  /** Returns one row with `value`. */
  query: string
}

function readFigure({ registers }: Metrics, pool: pg.Pool, { name, help, query }: Figure) {
  new Counter({
    name,
    help,
    registers: [...registers],
    async collect() {
      // On database failure the other metrics are still reported.
      const found = await pool.query<{ value: number }>(query).catch(() => null)
      const [row] = found?.rows ?? []
      if (!row) return
      this.reset()
      this.inc(row.value)
    },
  })
}
