import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, register } from 'prom-client'
import { deadLetterQueue } from '../../jobs/queue.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { App } from '../runtime.ts'
import { backupMetrics, databaseMetrics, queueMetrics } from './database-metrics.ts'

export const { version } = manifest

export interface Metrics {
  answered: (method: string, route: string, status: number, ms: number) => void
  /** For metrics that read this application. Counters of a feature are in prom-client's own registry. */
  registers: Registry[]
  text: () => Promise<string>
  contentType: string
}

/** How long ago each snapshot was last read from the database. */
export function watchSnapshots({ registers }: Metrics, snapshots: Record<string, { age: () => number }>) {
  new Gauge({
    name: 'qatra_snapshot_age_seconds',
    help: 'Time since the copy of reference data in this process was last read; at most a minute while all is well',
    labelNames: ['snapshot'] as const,
    registers,
    collect() {
      for (const [snapshot, { age }] of Object.entries(snapshots)) this.set({ snapshot }, age() / 1000)
    },
  })
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics({
  pool,
  responseCache,
  eventStreams,
}: Pick<App, 'pool' | 'responseCache' | 'eventStreams'>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  new Gauge({
    name: 'qatra_build_info',
    help: '1; the label is the version that runs',
    labelNames: ['version'] as const,
    registers,
  }).set({ version }, 1)
  const duration = new Histogram({
    name: 'qatra_http_request_duration_seconds',
    help: 'Requests that reached the application, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })
  new Counter({
    name: 'qatra_http_prepared_answers_total',
    help: 'Requests answered from the response cache, before the application',
    registers,
    collect() {
      this.reset()
      this.inc(responseCache.count())
    },
  })
  new Gauge({
    name: 'qatra_live_streams',
    help: 'Open streams of events',
    registers,
    collect() {
      this.set(eventStreams.figures().open)
    },
  })
  new Counter({
    name: 'qatra_live_streams_ended_total',
    help: 'Streams of events that ended, and how',
    labelNames: ['how'] as const,
    registers,
    collect() {
      this.reset()
      for (const [how, count] of eventStreams.figures().ended) this.inc({ how }, count)
    },
  })
  databaseMetrics(registers, pool)
  backupMetrics(registers, pool)
  queueMetrics(registers, pool, { keptIn: deadLetterQueue })
  return {
    answered(method, route, status, ms) {
      const known = methods.has(method) ? method : 'OTHER'
      duration.labels(known, route, String(status)).observe(ms / 1_000)
    },
    text: () => Registry.merge([registry, register]).metrics(),
    registers,
    contentType: registry.contentType,
  }
}
