import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { testConfig } from '../test/config.ts'
import { until } from '../test/fixtures/codes.ts'
import { APP_SECRET, callAsMeta, textCall } from '../test/meta.ts'
import { deleteOldRows } from './retention.ts'

const whatsapp = { ...testConfig().whatsapp, provider: 'cloud', appSecret: APP_SECRET } as const
const shop = await startShop({ whatsapp, hasBot: false })
const tables = ['audit_log', 'order_audit_history', 'whatsapp_webhook_events']

const partitionsOf = async (table: string) =>
  (
    await shop.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
      [table],
    )
  ).map(({ name }) => name)

/** `2026_11` for this month, and later or earlier ones. */
function month(ahead: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)).toISOString().slice(0, 7).replace('-', '_')
}
const firstOf = (name: string) => `${name.replace('_', '-')}-01`

describe('tables that grow with every order and message', () => {
  it('are partitioned by month, with this month and two more', async () => {
    const parents = await shop.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'p' and relnamespace = 'public'::regnamespace order by 1`,
    )
    expect(parents.map(({ name }) => name)).toEqual(tables)
    for (const table of tables)
      expect(await partitionsOf(table)).toEqual([...[0, 1, 2].map((n) => `${table}_${month(n)}`), `${table}_default`])
  })

  it('get the missing months by the job of each night', async () => {
    const name = `order_audit_history_${month(2)}`
    await shop.query(`drop table ${name}`)
    await shop.app.queue.send('months-ahead', {})
    await until('the month', async () => (await partitionsOf('order_audit_history')).includes(name))
  })

  it('keep a row in the month of its time in UTC, and in the default partition before the first month', async () => {
    const rows = await shop.query<{ at: string; place: string }>(
      `insert into audit_log (action, resource, created_at)
       select 'tested', 'month', at from unnest($1::timestamptz[]) at returning tableoid::regclass::text as place`,
      [[`${firstOf(month(1))}T00:00:00Z`, `${firstOf(month(2))}T00:30:00+03:00`, '2019-05-05T12:00:00Z']],
    )
    expect(rows.map(({ place }) => place)).toEqual([
      `audit_log_${month(1)}`,
      `audit_log_${month(1)}`,
      'audit_log_default',
    ])
  })

  it.each(['audit_log', 'order_audit_history'])('%s refuses changes of its partitions, old and new', async (table) => {
    await shop.query('select create_month($1, $2)', [table, firstOf(month(3))])
    const time = table === 'audit_log' ? 'created_at' : 'changed_at'
    const subject = table === 'audit_log' ? 'resource' : 'order_id'
    for (const n of [0, 3]) {
      const name = `${table}_${month(n)}`
      await shop.query(`insert into ${table} (action, ${subject}, ${time}) values ('tested', 'X', $1)`, [
        `${firstOf(month(n))}T10:00:00Z`,
      ])
      await expect(shop.query(`update ${name} set action = 'x'`)).rejects.toThrow('never changed')
      await expect(shop.query(`delete from ${name}`)).rejects.toThrow('never changed')
    }
  })

  it('leave rows in the default partition if their month is made later', async () => {
    await shop.query(`insert into audit_log (action, resource, created_at) values ('late', 'month', '2018-03-03')`)
    await shop.query(`select create_month('audit_log', '2018-03-01')`)
    expect(await partitionsOf('audit_log')).not.toContain('audit_log_2018_03')
    expect(await shop.query(`select tableoid::regclass::text as place from audit_log where action = 'late'`)).toEqual([
      { place: 'audit_log_default' },
    ])
  })
})

it('old rows are deleted to the last, although a statement deletes a batch of them only', async () => {
  await shop.query(
    `insert into rate_limits (key, full_at, is_allowed)
     select 'old' || n, now() - interval '1 second', true from generate_series(1, 4500) n`,
  )
  await deleteOldRows(shop.app, ({ isHourly }) => isHourly === true)
  expect(await shop.query(`select from rate_limits where key like 'old%'`)).toEqual([])
})

describe('webhook events', () => {
  const event = (id: string, days: number) =>
    shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, created_at)
       values ($1, 'unknown', '{}', now() - $2 * interval '1 day')`,
      [id, days],
    )

  it('lose whole months after 90 days, and single rows of the month in which the 90 days end', async () => {
    for (const back of [-2, -3, -4, -5])
      await shop.query(`select create_month('whatsapp_webhook_events', $1)`, [firstOf(month(back))])
    for (const days of [88, 92, 125]) await event(`old:${days}`, days)
    // More than a batch in two partitions, where rows have the same ctids.
    await shop.query(
      `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, created_at)
       select 'old:' || days || ':' || n, 'unknown', '{}', now() - days * interval '1 day'
       from unnest(array[91, 2500]) days, generate_series(1, 3000) n`,
    )
    await deleteOldRows(shop.app)
    const left = await partitionsOf('whatsapp_webhook_events')
    expect([-2, -5].map((back) => left.includes(`whatsapp_webhook_events_${month(back)}`))).toEqual([true, false])
    expect(await shop.query(`select webhook_id from whatsapp_webhook_events where webhook_id like 'old:%'`)).toEqual([
      { webhook_id: 'old:88' },
    ])
  })

  it('are processed once, also if they are repeated after the end of the month', async () => {
    const send = () => callAsMeta(shop, textCall('+97336000077', 'wamid.month-end', 'hi'))
    expect((await send()).status).toBe(200)
    await shop.query(
      `update whatsapp_webhook_events set created_at = date_trunc('month', now(), 'UTC') - interval '1 second'
       where webhook_id = 'message:wamid.month-end'`,
    )
    expect((await Promise.all([send(), send(), send()])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(
      await shop.query(
        `select count(*)::integer as events, max(k.deliveries) as deliveries from whatsapp_webhook_events
         join whatsapp_webhook_keys k using (webhook_id) where webhook_id = 'message:wamid.month-end'`,
      ),
    ).toEqual([{ events: 1, deliveries: 4 }])
  })
})
