import type { Logger } from 'pino'
import { Counter } from 'prom-client'

const alarms = new Counter({
  name: 'qatra_alarms_total',
  help: 'Things a person should look at, by kind',
  labelNames: ['kind'] as const,
})

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
