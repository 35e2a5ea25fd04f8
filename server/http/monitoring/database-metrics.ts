import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'

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

const backupsText = `
  select extract(epoch from max(taken_at) filter (where bytes > 0))::float8 as taken, extract(epoch from max(checked_at))::float8 as checked,
    (select bytes::float8 from backups where bytes > 0 order by taken_at desc limit 1) as bytes
  from backups`

export function backupMetrics(registers: Registry[], pool: pg.Pool) {
  const readBackups = scrapeQuery<Record<'taken' | 'checked' | 'bytes', number | null>>(pool, backupsText)
  const gauge = (column: 'taken' | 'checked' | 'bytes', name: string, help: string) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await readBackups()
        if (found) this.set(found[0]?.[column] ?? 0)
        else this.remove()
      },
    })
  gauge('taken', 'qatra_backup_taken_timestamp_seconds', 'When the newest backup was written; 0: never')
  gauge('checked', 'qatra_backup_checked_timestamp_seconds', 'When a backup was last read again and compared; 0: never')
  gauge('bytes', 'qatra_backup_bytes', 'Size of the newest backup')
}

const queuesText = `
  select name, state::text, count(*)::int as jobs,
    extract(epoch from pgboss.job_now() - min(start_after)
      filter (where state < 'active' and not blocked and start_after <= pgboss.job_now()))::float8 as due
  from pgboss.job where state in ('created', 'retry', 'active', 'failed') group by name, state`

export function queueMetrics(registers: Registry[], pool: pg.Pool, { keptIn }: { keptIn: string }) {
  const readQueues = scrapeQuery<{ name: string; state: string; jobs: number; due: number | null }>(pool, queuesText)
  new Gauge({
    name: 'qatra_queue_jobs',
    help: 'Jobs of a queue, by state',
    labelNames: ['queue', 'state'] as const,
    registers,
    async collect() {
      const found = await readQueues()
      this.reset()
      for (const { name, state, jobs } of found ?? []) this.set({ queue: name, state }, jobs)
      // A series that begins with the first failed job hides that job from increase().
      if (found && !found.some(({ name }) => name === keptIn)) this.set({ queue: keptIn, state: 'created' }, 0)
    },
  })
  new Gauge({
    name: 'qatra_queue_oldest_due_seconds',
    help: 'How long the oldest waiting job of a queue has been due',
    labelNames: ['queue'] as const,
    registers,
    async collect() {
      const found = await readQueues()
      this.reset()
      const oldest = new Map<string, number>()
      for (const { name, due } of found ?? [])
        if (name !== keptIn && due !== null) oldest.set(name, Math.max(due, oldest.get(name) ?? 0))
      for (const [queue, seconds] of oldest) this.set({ queue }, seconds)
    },
  })
}

/** One run for all metrics of a scrape, which are collected at once. Null if the database does not answer. */
function scrapeQuery<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string): () => Promise<Row[] | null> {
  let running: Promise<Row[] | null> | null = null
  const read = () =>
    pool.query<Row>(text).then(
      ({ rows }) => rows,
      () => null,
    )
  return () => {
    running ??= read().finally(() => {
      running = null
    })
    return running
  }
}
