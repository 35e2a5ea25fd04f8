import { statfs } from 'node:fs/promises'
import { connect } from 'node:tls'
import { type Db, run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { deadLetterQueue } from '../jobs/queue.ts'
import type { Alarm } from '../lib/alerts.ts'

const LATE_SECONDS = 300
const LAG_SECONDS = 30
/** A night and two hours. */
const BACKUP_SECONDS = 26 * 3_600
const CERTIFICATE_DAYS = 14

interface Facts {
  failed: number
  due: number
  lag: number
  backupAge: number
  isBackupFailed: boolean
  isArchiveFailed: boolean
}

// A new shop has a day for its first backup: the queues are as old as the shop.
const factsSql = statement(
  'alarm-facts',
  `select
     (select count(*)::integer from pgboss.job
      where name = '${deadLetterQueue}' and state = 'created' and created_on > now() - interval '15 minutes') as failed,
     (select coalesce(extract(epoch from pgboss.job_now() - min(start_after)), 0)::float8 from pgboss.job
      where name <> '${deadLetterQueue}' and state < 'active' and not blocked and start_after <= pgboss.job_now()) as due,
     (select coalesce(extract(epoch from max(replay_lag)), 0)::float8 from pg_stat_replication
      where state = 'streaming') as lag,
     extract(epoch from now() - coalesce((select max(taken_at) from backups where checked_at is not null),
       (select min(created_on) from pgboss.queue), now()))::float8 as "backupAge",
     coalesce((select checked_at is null from backups order by taken_at desc limit 1), false) as "isBackupFailed",
     (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver)
       as "isArchiveFailed"`,
)

/** Alarms of what the database knows. */
export async function findAlarms(db: Db): Promise<Alarm[]> {
  const [facts] = await run<Facts>(db, factsSql)
  if (!facts) return []
  const { failed, due, lag, backupAge, isBackupFailed, isArchiveFailed } = facts
  const found: Alarm[] = []
  if (failed > 0) found.push({ kind: 'jobs-failed', figures: { jobs: failed } })
  if (due > LATE_SECONDS) found.push({ kind: 'queue-late', figures: { minutes: Math.floor(due / 60) } })
  if (lag > LAG_SECONDS) found.push({ kind: 'database-lag', figures: { seconds: Math.floor(lag) } })
  if (isArchiveFailed) found.push({ kind: 'archive-failed', figures: {} })
  if (isBackupFailed) found.push({ kind: 'backup-failed', figures: {} })
  if (backupAge > BACKUP_SECONDS)
    found.push({ kind: 'backup-missed', figures: { hours: Math.floor(backupAge / 3_600) } })
  return found
}

// With seven orders usual, one such time in a thousand is without any by chance. A single week's campaign is not usual.
// Where orders come, only the newest one is looked at.
const quietSql = statement(
  'alarm-no-orders',
  `with last as materialized (select max(created_at) as at from orders)
   select hours from last
   join unnest(array[1, 3, 6, 12]) as hours on last.at <= now() - hours * interval '1 hour'
   cross join lateral (
     select min(n) as fewest, avg(n) as usual from generate_series(1, 4) as week cross join lateral (
       select count(*) as n from orders
       where created_at > now() - week * interval '7 days' - hours * interval '1 hour'
         and created_at <= now() - week * interval '7 days') as counted) as earlier
   where fewest >= 3 and usual >= 7
   order by hours limit 1`,
)

/** No order for as many hours as had orders at this time of the last four weeks. */
export async function findQuiet(db: Db): Promise<Alarm[]> {
  const [row] = await run<{ hours: number }>(db, quietSql)
  return row ? [{ kind: 'no-orders', figures: { hours: row.hours } }] : []
}

const MB = 1e6
/** Of a large disk a twentieth is enough for days; less than half a gigabyte is not enough for a backup. */
const isNearlyFull = (free: number, size: number) => free < Math.max(500 * MB, Math.min(size / 20, 5_000 * MB))

/** The disk of DATA_DIR, which the embedded database and the backups are on. */
export async function findFullDisk(folder: string): Promise<Alarm[]> {
  const disk = await statfs(folder).catch(() => null)
  if (!disk) return []
  const free = disk.bavail * disk.bsize
  const figures = { megabytes: Math.floor(free / MB) }
  return isNearlyFull(free, disk.blocks * disk.bsize) ? [{ kind: 'disk-full', figures }] : []
}

/** Of what visitors are shown at PUBLIC_URL; one that cannot be read is no alarm of this kind. */
export async function findEndingCertificate({ config: { publicUrl, isSecure } }: App): Promise<Alarm[]> {
  if (!isSecure) return []
  const { hostname, port } = new URL(publicUrl)
  const days = await daysOfCertificate(hostname, Number(port || 443))
  return days !== null && days < CERTIFICATE_DAYS ? [{ kind: 'certificate-ends', figures: { days } }] : []
}

function daysOfCertificate(host: string, port: number): Promise<number | null> {
  return new Promise((done) => {
    // An expired certificate is to be read too.
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: 5_000 })
    const end = (days: number | null) => {
      socket.destroy()
      done(days)
    }
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to)
      end(Number.isNaN(until) ? null : Math.max(0, Math.floor((until - Date.now()) / 86_400_000)))
    })
    socket.once('error', () => end(null))
    socket.once('timeout', () => end(null))
  })
}
