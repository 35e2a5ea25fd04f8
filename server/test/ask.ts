import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { TestShop } from './app.ts'
import type { Person } from './fixtures/identities.ts'
import { jobsAreDone } from './jobs.ts'
import type { Row, Sent } from './matrix/row.ts'
import { matrix } from './matrix/rows.ts'

export const keyOf = ({ method, path }: AnyEndpoint) => `${method} ${path}`

/** URL of an endpoint with path and query values. */
export function addressWith(endpoint: AnyEndpoint, { params = {}, query = {} }: Sent): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(query)
  return search.size > 0 ? `${path}?${search}` : path
}

/** First row of an endpoint's matrix: a valid call. */
export function firstRow(endpoint: AnyEndpoint): Row {
  const [row] = matrix[keyOf(endpoint)] ?? []
  if (!row) throw new Error(`${keyOf(endpoint)} has no row in the matrix`)
  return row
}

export const sentBy = async (shop: TestShop, row: Row, person: Person): Promise<Sent> =>
  (await row.send?.(shop, person)) ?? {}

/** Tables that background workers write after the response. */
const later = [
  'simulated_files',
  'simulated_messages',
  'whatsapp_messages',
  'whatsapp_webhook_events',
  'whatsapp_webhook_keys',
  'orphan_receipts',
  'contacts',
  'whatsapp_conversation_threads',
  'bot_sessions',
  'bot_message_history',
  'telegram_messages',
  'telegram_updates',
  'simulated_telegram_messages',
  'simulated_telegram_topics',
  'simulated_telegram_facts',
  'notifications',
  'order_days',
  'order_day_figures',
  'campaign_send_rate',
  'remote_pictures',
]

/** What requests note about a person without changing anything; a customer's session is extended once a minute. */
const seenIn = (table: string) => ['last_seen_at', 'last_active_at', ...(table === 'sessions' ? ['expires_at'] : [])]

/**
 * A hash of all rows, without last-seen times, tables that workers write later, and tables excluded by name. Stops what
 * the clock starts, such as the hourly refresh of templates; jobs are done first. In an application that runs none they
 * are compared.
 */
export async function wholeState(shop: TestShop, leftOut: readonly string[] = []) {
  const runsJobs = shop.app.config.role !== 'web'
  if (runsJobs) {
    await shop.query('delete from pgboss.schedule')
    await jobsAreDone(shop)
  }
  const tables = await shop.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1)
       and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(table_name))) order by 1`,
    [[...later, ...leftOut]],
  )
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as n,
         md5(coalesce(string_agg((to_jsonb(t) - '{${seenIn(name).join()}}'::text[])::text, ',' order by t::text), '')) as rows
       from "${name}" t`,
  )
  if (!runsJobs)
    parts.push(`select 'jobs', count(*), md5(string_agg(concat(id, state), ',' order by id)) from pgboss.job`)
  return shop.query<{ name: string; n: string; rows: string }>(`${parts.join(' union all ')} order by name`)
}

/** The state after all workers have finished: two equal snapshots in a row. Pauses campaigns, which go on for minutes. */
export async function restingState(shop: TestShop, leftOut: readonly string[] = []) {
  await shop.query(`update template_campaigns set status = 'paused' where status in ('running', 'scheduled')`)
  let before = await wholeState(shop, leftOut)
  for (let look = 0; look < 60; look += 1) {
    await setTimeout(300)
    const now = await wholeState(shop, leftOut)
    if (isDeepStrictEqual(now, before)) return now
    before = now
  }
  throw new Error('The workers do not come to rest')
}
