import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import { scrapeQuery } from './scrape-query.ts'

/** The columns are null for a role that is no member of pg_monitor. */
const standbysText = `
  select application_name as standby, count(*)::int as count, extract(epoch from coalesce(max(replay_lag), interval '0'))::float8 as lag
  from pg_stat_replication where state = 'streaming' and application_name is not null group by application_name`

export function databaseMetrics(registers: Registry[], pool: pg.Pool) {
  const readStandbys = scrapeQuery<{ standby: string; count: number; lag: number }>(pool, standbysText)
  new Gauge({
    name: 'qatra_database_pool_connections',
    help: 'Connections of the pool, and requests that wait for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'qatra_database_up',
    help: '1 if the database answers this process',
    registers,
    async collect() {
      this.set((await readStandbys()) ? 1 : 0)
    },
  })
  new Gauge({
    name: 'qatra_replication_standbys',
    help: 'Standbys that stream from the database',
    registers,
    async collect() {
      const found = await readStandbys()
      this.reset()
      // Standbys without a name of their own share one.
      if (found) this.set(found.reduce((sum, { count }) => sum + count, 0))
      else this.remove()
    },
  })
  new Gauge({
    name: 'qatra_replication_lag_seconds',
    help: 'How long a standby takes to replay what the database wrote',
    labelNames: ['standby'] as const,
    registers,
    async collect() {
      const found = await readStandbys()
      this.reset()
      for (const { standby, lag } of found ?? []) this.set({ standby }, lag)
    },
  })
}
