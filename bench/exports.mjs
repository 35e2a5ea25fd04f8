import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { call, furnish } from './lib/ordering.mjs'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'

/**
 * Parallel exports of personal data on a database with many webhook events, messages and audit rows of other people that
 * mention the same numbers. Fails if an export fails. `node bench/exports.mjs [events] [exports at once] [no-index]`:
 * `no-index` drops the indexes on sender and recipient, for comparison.
 */
const events = Number(process.argv[2] ?? 300_000)
const atOnce = Number(process.argv[3] ?? 48)
const hasIndexes = process.argv[4] !== 'no-index'
const ports = { postgres: 3161, shop: 3162 }

const folder = mkdtempSync(join(tmpdir(), 'qatra-exports-'))
const postgres = await startPostgres(ports.postgres)
const server = startServer({ port: ports.shop, dataDir: folder, settings: { DATABASE_URL: postgres.url } })
try {
  await ready(server.address)
  const db = new pg.Client({ connectionString: postgres.url })
  await db.connect()
  const { cookies } = await furnish(db, atOnce)
  await db.query(
    `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, status, sender_phone)
     select 'bench:' || n, 'message', '{"text": "call +97339' || lpad((n % $2)::text, 6, '0') || repeat(' please', 100) || '"}',
       'processed', '+97335' || lpad((n % 50000)::text, 6, '0') from generate_series(1, $1::int) n`,
    [events, atOnce],
  )
  await db.query(
    `insert into whatsapp_messages (to_number, direction, channel, content, status)
     select '+97335' || lpad((n % 50000)::text, 6, '0'), 'outgoing', 'whatsapp', 'words', 'sent' from generate_series(1, $1::int) n`,
    [events],
  )
  await db.query(
    `insert into audit_log (user_id, action, resource, resource_id)
     select 1000000 + n % 50000, 'signed-in', 'user', 1000000 + n % 50000 from generate_series(1, $1::int) n`,
    [events],
  )
  // The first person has 500 events of their own, which the export must contain.
  await db.query(
    `insert into whatsapp_webhook_events (webhook_id, event_type, raw_payload, status, sender_phone)
     select 'own:' || n, 'message', '{}', 'processed', '+97339000000' from generate_series(1, 500) n`,
  )
  if (!hasIndexes)
    for (const name of ['sender', 'sender_id', 'recipient', 'recipient_id'])
      await db.query(`drop index webhook_events_of_${name}`)
  await db.query('vacuum analyze')

  const times = []
  let own = 0
  const answers = await Promise.all(
    cookies.map(async (cookie, n) => {
      const started = performance.now()
      const answer = await call(server.address, 'GET', '/api/auth/export', cookie)
      times.push(performance.now() - started)
      if (n === 0) own = answer?.body?.webhookEvents?.length ?? 0
      return answer?.status ?? 0
    }),
  )
  const failed = answers.filter((status) => status !== 200).length
  const sorted = times.toSorted((a, b) => a - b)
  const ms = (q) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))])
  const isGood = failed === 0 && own === 500
  console.log(JSON.stringify({ bench: 'exports', events, atOnce, failed, own, p50: ms(0.5), max: ms(1), isGood }))
  await db.end()
  if (!isGood) process.exitCode = 1
} finally {
  server.child.kill('SIGTERM')
  await server.ended
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
