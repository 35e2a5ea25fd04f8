import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer as createSmtp, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTls } from 'node:tls'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Alarm } from '../lib/alerts.ts'
import { translatorFor } from '../lib/translate.ts'
import { startShop } from '../test/app.ts'
import { makeHousehold, makeUser } from '../test/fixtures/make.ts'
import { startTelegram } from '../test/simulators/telegram.ts'
import { findAlarms, findEndingCertificate, findFullDisk, findQuiet } from './checks.queries.ts'
import { createWatch } from './watch.jobs.ts'

const telegram = await startTelegram()
afterAll(() => telegram.stop())
const { token, groupId, apiUrl } = telegram
const bot = { token, groupId, apiUrl, webhookSecret: 'a-secret-of-the-webhook', isSimulated: false }
const shop = await startShop({ role: 'web', telegram: bot })
const { db } = shop.app

async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port // it listens on a port
}

describe('looking for alarms', () => {
  beforeEach(async () => {
    await shop.query('truncate backups')
    await shop.query(`delete from pgboss.job where name in ('dead-letter', 'send-code')`)
  })
  const job = (name: string, column: string, age: string) =>
    shop.query(`insert into pgboss.job (name, ${column}) values ($1, now() - $2::interval)`, [name, age])
  const backup = (age: string, isChecked: boolean) =>
    shop.query(
      `insert into backups (taken_at, bytes, checked_at)
       values (now() - $1::interval, 9, case when $2 then now() - $1::interval end)`,
      [age, isChecked],
    )
  const states: [state: string, prepare: () => Promise<unknown>, found: Alarm[]][] = [
    ['a new shop without a backup', async () => {}, []],
    ['a backup of this night', () => backup('25 hours', true), []],
    ['none since', () => backup('27 hours', true), [{ kind: 'backup-missed', figures: { hours: 27 } }]],
    [
      'one that failed after it',
      () => Promise.all([backup('25 hours', true), backup('1 hour', false)]),
      [{ kind: 'backup-failed', figures: {} }],
    ],
    [
      'a job that failed',
      () => job('dead-letter', 'created_on', '14 minutes'),
      [{ kind: 'jobs-failed', figures: { jobs: 1 } }],
    ],
    ['one that failed before', () => job('dead-letter', 'created_on', '16 minutes'), []],
    [
      'a late job',
      () => job('send-code', 'start_after', '400 seconds'),
      [{ kind: 'queue-late', figures: { minutes: 6 } }],
    ],
    ['a job that is due', () => job('send-code', 'start_after', '200 seconds'), []],
  ]
  it.each(states)('finds of %s what a person should know', async (_, prepare, found) => {
    await prepare()
    expect(await findAlarms(db)).toEqual(found)
  })

  it('finds a standby that is behind', async () => {
    const name = new URL(shop.databaseUrl).pathname.slice(1)
    await shop.query(
      `create view pg_stat_replication as select 'streaming'::text as state, interval '31 seconds' as replay_lag`,
    )
    await shop.query(`alter database "${name}" set search_path = public, pg_catalog`)
    const other = await startShop({ role: 'web' }, { databaseUrl: shop.databaseUrl })
    expect(await findAlarms(other.app.db)).toEqual([{ kind: 'database-lag', figures: { seconds: 31 } }])
    await shop.query(`alter database "${name}" reset search_path`)
    await shop.query('drop view public.pg_stat_replication')
  })

  it('finds that the log is not archived, until it is again', async () => {
    const name = new URL(shop.databaseUrl).pathname.slice(1)
    await shop.query('create table pg_stat_archiver (last_failed_time timestamptz, last_archived_time timestamptz)')
    await shop.query(`insert into public.pg_stat_archiver values (now(), now() - interval '1 minute')`)
    await shop.query(`alter database "${name}" set search_path = public, pg_catalog`)
    const other = await startShop({ role: 'web' }, { databaseUrl: shop.databaseUrl })
    expect(await findAlarms(other.app.db)).toEqual([{ kind: 'archive-failed', figures: {} }])
    await shop.query('update public.pg_stat_archiver set last_archived_time = now()')
    expect(await findAlarms(other.app.db)).toEqual([])
    await shop.query(`alter database "${name}" reset search_path`)
    await shop.query('drop table public.pg_stat_archiver')
  })

  it('finds that nobody orders, at a time that had orders in each of four weeks', async () => {
    // The demo's orders are near the present hour, whichever it is.
    await shop.query(`update orders set created_at = created_at - interval '1 year'`)
    const home = await makeHousehold(shop)
    const ids: string[] = []
    while (ids.length < 28) ids.push(await home.order())
    const move = (ago: string) =>
      shop.query(
        `update orders set created_at = now() - interval '20 minutes' - (n % 4 + 1) * interval '7 days' - $2::interval
         from unnest($1::text[]) with ordinality as one (id, n) where orders.id = one.id`,
        [ids, ago],
      )
    expect(await findQuiet(db)).toEqual([])
    await move('0')
    expect(await findQuiet(db)).toEqual([{ kind: 'no-orders', figures: { hours: 1 } }])
    await move('2 hours')
    expect(await findQuiet(db)).toEqual([{ kind: 'no-orders', figures: { hours: 3 } }])
    // All of one week, as by a campaign.
    await shop.query(`update orders set created_at = now() - interval '7 days 20 minutes' where id = any($1)`, [ids])
    expect(await findQuiet(db)).toEqual([])
    await move('0')
    await home.order()
    expect(await findQuiet(db)).toEqual([])
  })

  it('finds a disk without room', async () => {
    // It has no blocks at all.
    expect(await findFullDisk('/proc')).toEqual([{ kind: 'disk-full', figures: { megabytes: 0 } }])
    expect(await findFullDisk('/nowhere')).toEqual([])
  })

  it.each([
    [3, [{ kind: 'certificate-ends', figures: { days: 2 } }]],
    [60, []],
  ])('finds of a certificate for %i days whether it ends soon', async (days, found) => {
    const folder = mkdtempSync(join(tmpdir(), 'qatra-certificate-'))
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = ['-subj', '/CN=localhost', '-days', String(days)]
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        ...subject,
        '-keyout',
        key,
        '-out',
        certificate,
      ],
      { stdio: 'ignore' },
    )
    const server = createTls({ key: readFileSync(key), cert: readFileSync(certificate) })
    const publicUrl = `https://localhost:${await listen(server)}`
    expect(
      await findEndingCertificate({ ...shop.app, config: { ...shop.app.config, publicUrl, isSecure: true } }),
    ).toEqual(found)
    server.close()
  })
})

describe('sending an alarm', () => {
  const alarm: Alarm = { kind: 'jobs-failed', figures: { jobs: 2 } }
  const people = { ar: '7001', en: '7002', driver: '7003' }
  const textsOf = (chatId: string) => telegram.sent(chatId).map(({ text }) => text)
  const passed = (minutes: number) =>
    shop.query(
      `update alarms set claimed_at = claimed_at - $1 * interval '1 minute', sent_at = sent_at - $1 * interval '1 minute'`,
      [minutes],
    )

  beforeEach(async () => {
    telegram.calls.length = 0
    telegram.decide(() => null)
    await shop.query('truncate alarms')
    await shop.query(`delete from pgboss.job where name in ('dead-letter', 'send-code')`)
    await shop.query('update users set telegram_chat_id = null')
    for (const [language, chatId] of Object.entries(people)) {
      const { id } = await makeUser(shop, { role: language === 'driver' ? 'driver' : 'super_admin' })
      await shop.query('update users set telegram_chat_id = $2, language = $3 where id = $1', [
        id,
        chatId,
        language === 'ar' ? 'ar' : 'en',
      ])
    }
  })
  /** A process that has looked once. */
  async function watching(app = shop.app) {
    const watch = createWatch(app)
    await watch.tick()
    return watch
  }

  it('reaches each super admin in the own language, once an hour', async () => {
    const { send } = await watching()
    await send(alarm)
    await send(alarm)
    await passed(59)
    await send(alarm)
    expect([textsOf(people.ar), textsOf(people.en), textsOf(people.driver)]).toEqual([
      ['⚠️ فشلت مهمتان نهائيًا خلال 15 دقيقة.\njobs-failed · http://localhost:3000'],
      ['⚠️ 2 jobs have failed for the last time within 15 minutes.\njobs-failed · http://localhost:3000'],
      [],
    ])
    await passed(2)
    await send(alarm)
    expect(textsOf(people.en)).toHaveLength(2)
  })

  it('of two processes sends one', async () => {
    const other = await startShop({ role: 'web', telegram: bot }, { databaseUrl: shop.databaseUrl })
    const watches = [await watching(), await watching(other.app)]
    await Promise.all(watches.map(({ send }) => send(alarm)))
    expect(textsOf(people.en)).toHaveLength(1)
  })

  it('repeats after a minute what Telegram did not take', async () => {
    const { send, tick } = await watching()
    telegram.decide(() => ({ status: 500, description: 'Internal Server Error' }))
    await send(alarm)
    telegram.decide(() => null)
    telegram.calls.length = 0
    await tick()
    expect(textsOf(people.en)).toEqual([])
    await passed(2)
    await tick()
    await expect.poll(() => textsOf(people.en)).toHaveLength(1)
  })

  it('needs no database, once it knows the people', async () => {
    const away = await startShop({ role: 'web', telegram: bot }, { databaseUrl: shop.databaseUrl })
    const { send } = await watching(away.app)
    const end = away.app.pool.end.bind(away.app.pool)
    await end()
    away.app.pool.end = async () => {} // the test's cleanup stops it again
    const gone: Alarm = { kind: 'database-away', figures: { seconds: 30 } }
    await send(gone)
    await send(gone)
    expect(textsOf(people.en)).toEqual([
      '⚠️ The shop has not reached its database for 30 seconds. Nobody can order.\ndatabase-away · http://localhost:3000',
    ])
  })

  it('goes by e-mail in both languages where that is set', async () => {
    let received = ''
    const answers = (line: string) =>
      line.startsWith('DATA') ? '354 go on' : /^(EHLO|HELO|MAIL|RCPT|QUIT|\.$)/.test(line) ? '250 ok' : null
    const server = createSmtp((socket) => {
      socket.write('220 mail\r\n')
      socket.on('data', (bytes) => {
        received += bytes.toString()
        for (const line of bytes.toString().split('\r\n')) {
          const answer = answers(line)
          if (answer) socket.write(`${answer}\r\n`)
        }
      })
    })
    const alarmMail = { smtpUrl: `smtp://127.0.0.1:${await listen(server)}`, to: 'night@shop.example' }
    const { send } = await watching({ ...shop.app, config: { ...shop.app.config, alarmMail } })
    await send(alarm)
    expect(received).toContain('RCPT TO:<night@shop.example>')
    expect(received).toContain('Subject: Qatra: jobs-failed')
    const [, encoded = ''] = /Subject: [^]*?\r\n\r\n([^]*)\r\n\.\r\n/.exec(received) ?? []
    const text = Buffer.from(encoded, 'base64').toString()
    expect(text).toContain('2 jobs have failed')
    expect(text).toContain(translatorFor('ar')('telegram.alarm.jobs-failed', { jobs: 2 }))
    server.close()
  })
})
