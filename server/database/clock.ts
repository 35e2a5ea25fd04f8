import type pg from 'pg'

/** The database's time without a query: measured at intervals, extrapolated with the monotonic clock. */
export interface Clock {
  now: () => Date
  measure: () => Promise<void>
}

export function createClock(pool: pg.Pool): Clock {
  let base = Date.now()
  let readAt = performance.now()
  return {
    now: () => new Date(base + (performance.now() - readAt)),
    async measure() {
      const before = performance.now()
      const { rows } = await pool.query<{ now: Date }>('select now()')
      const after = performance.now()
      const [row] = rows
      if (!row) return
      base = row.now.getTime()
      readAt = (before + after) / 2
    },
  }
}
