import type { Logger } from 'pino'
import { Counter } from 'prom-client'

/**
 * What a person should look at, and after how many hours an alarm that lasts is sent again. What to do about each is
 * in docs/operations.md, "Alarms"; its text is `telegram.alarm.<kind>`.
 */
export const alarmKinds = {
  'codes-guessed': 1,
  'codes-of-the-day': 6,
  'codes-unused': 6,
  'channel-stopped': 1,
  'whatsapp-account': 1,
  'campaign-stopped': 1,
  'webhook-stopped': 1,
  'telegram-group-lost': 24,
  'database-away': 1,
  'database-lag': 1,
  'disk-full': 1,
  'jobs-failed': 1,
  'queue-late': 1,
  'no-orders': 3,
  'archive-failed': 1,
  'backup-failed': 12,
  'backup-missed': 12,
  'certificate-ends': 24,
}
export type AlarmKind = keyof typeof alarmKinds
export interface Alarm {
  kind: AlarmKind
  figures: Record<string, number>
}

const alarms = new Counter({
  name: 'qatra_alarms_total',
  help: 'Things a person should look at, by kind',
  labelNames: ['kind'] as const,
})

const LOG_INTERVAL_MS = 60_000
const raisedAt = new Map<string, number>()
let send: (alarm: Alarm) => void = () => {}

/** Sends alarms to people from now on. */
export function sendAlarms(by: (alarm: Alarm) => void) {
  send = by
}

/** Counts every alarm; logs each kind once a minute, and gives it to those who send it to people. */
export function raiseAlert(log: Logger, kind: AlarmKind, figures: Record<string, number> = {}) {
  alarms.inc({ kind })
  const now = performance.now()
  if (now - (raisedAt.get(kind) ?? -LOG_INTERVAL_MS) < LOG_INTERVAL_MS) return
  raisedAt.set(kind, now)
  log.error({ alarm: kind, ...figures }, 'alarm')
  send({ kind, figures })
}
