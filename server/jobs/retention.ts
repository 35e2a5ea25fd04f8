import { type Db, run, statement } from '../database/db.ts'
import type { Queue } from './queue.ts'

interface Retention {
  table: string
  /** The time from which the period counts. */
  since: string
  after: string
  where?: string
  /** The column that is cleared; the row stays. */
  clear?: string
  /** A function of the database that does it instead. */
  by?: string
  isHourly?: true
  why: string
}

/** How long rows are kept, in the order in which they are deleted. */
export const retention: readonly Retention[] = [
  { table: 'rate_limits', since: 'full_at', after: '0', isHourly: true, why: 'a full bucket limits nobody' },
  { table: 'carts', since: 'parked_at', after: '30 days', why: 'offered back for this time' },
  { table: 'carts', since: 'updated_at', after: '30 days', where: 'user_id is null', why: 'as long as its cookie' },
  { table: 'order_keys', since: 'created_at', after: '30 days', why: 'as long as a client may repeat a request' },
  { table: 'sessions', since: 'expires_at', after: '0', why: 'expired' },
  { table: 'passkey_challenges', since: 'expires_at', after: '0', isHourly: true, why: 'expired' },
  { table: 'login_codes', since: 'created_at', after: '7 days', why: 'limits on codes look back a week at most' },
  { table: 'message_logins', since: 'created_at', after: '1 day', why: 'expired' },
  { table: 'login_failures', since: 'created_at', after: '1 year', why: 'the limit on wrong codes covers a year' },
  {
    table: 'login_failures',
    since: 'created_at',
    after: '1 day',
    where: `ip_prefix <> ''`,
    clear: 'ip_prefix',
    why: 'the network is needed for hourly limits only',
  },
  { table: 'known_devices', since: 'last_used_at', after: '400 days', why: 'as long as its cookie' },
  { table: 'staff_invitations', since: 'coalesce(closed_at, expires_at)', after: '30 days', why: 'names and phones' },
  { table: 'notifications', since: 'created_at', after: '7 days', why: 'the centre shows a week' },
  {
    table: 'webhook_deliveries',
    since: 'created_at',
    after: '30 days',
    where: `status in ('delivered', 'failed')`,
    why: 'for sending again',
  },
  { table: 'legacy_outbox', since: 'updated_at', after: '30 days', where: `status = 'done'`, why: 'sent' },
  {
    table: 'whatsapp_webhook_events',
    since: 'created_at',
    after: '90 days',
    by: `drop_months('whatsapp_webhook_events', now() - interval '90 days')`,
    why: 'whole months; the rest by the next line',
  },
  { table: 'whatsapp_webhook_events', since: 'created_at', after: '90 days', why: 'for replays' },
  { table: 'whatsapp_webhook_keys', since: 'created_at', after: '90 days', why: 'as long as their events' },
  { table: 'orphan_receipts', since: 'created_at', after: '90 days', why: 'their message never came' },
  { table: 'early_message_changes', since: 'created_at', after: '90 days', why: 'their message never came' },
  { table: 'bot_message_history', since: 'created_at', after: '90 days', why: 'for improving the bot' },
  { table: 'bot_sessions', since: 'last_message_at', after: '90 days', why: 'as long as the history' },
  { table: 'bot_misses', since: 'created_at', after: '90 days', why: 'as long as the history' },
  { table: 'model_requests', since: 'day', after: '90 days', why: 'the budget is one of a day' },
  { table: 'telegram_messages', since: 'created_at', after: '30 days', why: 'for replies and changes of a message' },
  { table: 'telegram_updates', since: 'created_at', after: '30 days', why: 'for detecting repeated updates' },
  { table: 'telegram_link_codes', since: 'expires_at', after: '0', why: 'expired' },
  {
    table: 'simulated_messages',
    since: 'created_at',
    after: '7 days',
    why: 'also where nothing is simulated any more',
  },
  { table: 'simulated_telegram_messages', since: 'created_at', after: '7 days', why: 'as simulated messages' },
  {
    table: 'simulated_telegram_topics',
    since: 'created_at',
    after: '7 days',
    where: 'not exists (select from simulated_telegram_messages where thread_id = simulated_telegram_topics.id)',
    why: 'the next message of its conversation creates a new one',
  },
  {
    table: 'simulated_telegram_facts',
    since: 'changed_at',
    after: '7 days',
    where: `name like 'hold:%'`,
    why: 'simulated waits are over',
  },
  { table: 'backups', since: 'taken_at', after: '400 days', why: 'the newest ones raise alarms' },
  { table: 'media', since: 'public_until', after: '0', by: 'purge_media()', why: 'a week after the last use (0019)' },
]

/** Rows of one statement, so that it stays below the time limit of statements. */
const BATCH_ROWS = 2_000

/** Locked rows are in use and left to the next run. A ctid is of one partition only, so the condition is repeated. */
function statementFor({ table, since, after, where, clear, by }: Retention, index: number) {
  const name = `retention-${index}`
  if (by) return statement(name, `select 0 as count from ${by}`)
  const isOld = `${since} < now() - interval '${after}'${where ? ` and ${where}` : ''}`
  const change = clear ? `update ${table} set ${clear} = null` : `delete from ${table}`
  return statement(
    name,
    `with changed as (${change} where ctid = any(array(
       select ctid from ${table} where ${isOld} limit ${BATCH_ROWS} for update skip locked)) and ${isOld} returning 1)
     select count(*)::integer as count from changed`,
  )
}
const statements = retention.map((rule, index) => ({ ...rule, sql: statementFor(rule, index) }))

/** Deletes or clears what is older than its period, in batches. One that fails does not keep the others. */
export async function deleteOldRows(
  { db }: { db: Db },
  isDue: (rule: Retention) => boolean = () => true,
): Promise<void> {
  const failed: [table: string, error: unknown][] = []
  for (const { sql, ...rule } of statements.filter(isDue)) {
    try {
      // A ctid may be that of one row in each partition, so a batch may be larger.
      for (let count = BATCH_ROWS; count >= BATCH_ROWS; ) count = (await run<{ count: number }>(db, sql))[0]?.count ?? 0
    } catch (error) {
      failed.push([rule.table, error])
    }
  }
  if (failed.length === 0) return
  const errors = failed.map(([, error]) => error)
  throw new AggregateError(errors, `Old rows stay in ${failed.map(([table]) => table).join(', ')}`, {
    cause: errors[0],
  })
}

export function retentionJobs({ db, queue }: { db: Db; queue: Queue }) {
  const options = { concurrency: 1, expireInSeconds: 3_000 }
  queue.handle('old-rows', options, () => deleteOldRows({ db }))
  queue.handle('old-rate-limits', options, () => deleteOldRows({ db }, ({ isHourly }) => isHourly === true))
}
