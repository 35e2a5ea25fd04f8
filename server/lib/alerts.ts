import type { Logger } from 'pino'
import { Counter, register } from 'prom-client'

const alarms = new Counter({
  name: 'alarms_total',
  help: 'Things a person should look at, by kind',
  labelNames: ['kind'] as const,
})

/** Alarms of this process in the text format of /metrics, beside the registry of requests. */
export const alertMetrics = () => register.getSingleMetricAsString('alarms_total')

const LOG_INTERVAL_MS = 60_000
const raisedAt = new Map<string, number>()

/** Counts every alarm; logs each kind once a minute. */
export function raiseAlert(log: Logger, kind: string, figures: Record<string, number> = {}) {
  alarms.inc({ kind })
  const now = performance.now()
  if (now - (raisedAt.get(kind) ?? -LOG_INTERVAL_MS) < LOG_INTERVAL_MS) return
  raisedAt.set(kind, now)
  log.error({ alarm: kind, ...figures }, 'alarm')
}
