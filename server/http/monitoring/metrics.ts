import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { alertMetrics } from '../../lib/alerts.ts'
import type { App } from '../runtime.ts'

export interface Metrics {
  answered: (method: string, route: string, status: number, ms: number) => void
  /** Registries with metrics of features. */
  registers: readonly Registry[]
  text: () => Promise<string>
  contentType: string
}

const queueDepth = `
  select name, state::text, count(*)::int as jobs from pgboss.job
  where state in ('created', 'retry', 'active', 'failed') group by name, state`

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics({
  pool,
  replica,
  responseCache,
  eventStreams,
}: Pick<App, 'pool' | 'replica' | 'responseCache' | 'eventStreams'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests that reached the application, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  new Counter({
    name: 'http_prepared_answers_total',
    help: 'Requests answered from kept bytes, before the application',
    registers,
    collect() {
      this.reset()
      this.inc(responseCache.count())
    },
  })
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections of the pool, and requests that wait for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  new Counter({
    name: 'database_reads_total',
    help: 'Lists, dashboards and exports, by the server that they were read from',
    labelNames: ['from'] as const,
    registers,
    collect() {
      this.reset()
      for (const [from, count] of Object.entries(replica.figures())) this.inc({ from }, count)
    },
  })
  new Gauge({
    name: 'live_streams',
    help: 'Open streams of events',
    registers,
    collect() {
      this.set(eventStreams.figures().open)
    },
  })
  new Counter({
    name: 'live_streams_ended_total',
    help: 'Streams of events that ended, and how',
    labelNames: ['how'] as const,
    registers,
    collect() {
      this.reset()
      for (const [how, count] of eventStreams.figures().ended) this.inc({ how }, count)
    },
  })
  new Gauge({
    name: 'queue_jobs',
    help: 'Jobs of a queue, by state',
    labelNames: ['queue', 'state'] as const,
    registers,
    async collect() {
      this.reset()
      // The other metrics are still served if the database is down.
      const found = await pool.query<{ name: string; state: string; jobs: number }>(queueDepth).catch(() => null)
      for (const { name, state, jobs } of found?.rows ?? []) this.set({ queue: name, state }, jobs)
    },
  })
  return {
    answered(method, route, status, ms) {
      const known = methods.has(method) ? method : 'OTHER'
      duration.labels(known, route, String(status)).observe(ms / 1_000)
    },
    text: async () => `${await registry.metrics()}\n${await alertMetrics()}\n`,
    registers,
    contentType: registry.contentType,
  }
}
