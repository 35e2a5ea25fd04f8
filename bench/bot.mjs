import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'

/**
 * Customers who order from the bot at the same time, from the greeting to the placed order. Measured by the database's
 * clock: from the arrival of a message to the hand-over of its last answer to the provider, less the seconds for which
 * the bot waits for a further message. `node bench/bot.mjs
 * [customers] [seconds between two messages of one customer]`
 */
const customers = Number(process.argv[2] ?? 40)
const pause = Number(process.argv[3] ?? 1.5)
const ports = { postgres: 3191, shop: 3192 }
const WANTED_MS = 300
const GATHER_SECONDS = 2

const scripts = [
  [
    'السلام عليكم',
    'ابي ماي',
    'السيف',
    'هيرات',
    '4 كراتين 500 مل',
    'إتمام الطلب',
    'مبنى 12 طريق 3810 مجمع 428',
    'لا ملاحظات',
    'مريم علي',
    'نعم',
    'طلباتي',
  ],
  [
    'hi',
    'order water',
    'Juffair',
    'Hayrat',
    '4 cartons 500ml',
    'checkout',
    'Building 12 road 3810 block 340',
    'skip',
    'Sara Ahmed',
    'yes',
    'my orders',
  ],
]

const times = `
  select extract(epoch from max(o.claimed_at) - m.created_at) * 1000 - $1 as ms,
    extract(epoch from max(o.claimed_at) - e.created_at) * 1000 - $1 as from_webhook, h.processing_time_ms
  from whatsapp_messages m
  join whatsapp_messages o on o.dedupe_key like 'bot:' || m.id || ':%'
  join whatsapp_webhook_events e on e.webhook_id = 'message:' || m.message_id
  join bot_message_history h on h.message_id = m.id
  where m.direction = 'incoming' group by m.id, m.created_at, e.created_at, h.id, h.processing_time_ms`

const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]
const line = (name, values) =>
  `${name}: p50 ${Math.round(at(values, 0.5))} ms, p95 ${Math.round(at(values, 0.95))} ms, p99 ${Math.round(at(values, 0.99))} ms`

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const server = startServer({
  port: ports.shop,
  dataDir: folder,
  settings: {
    DATABASE_URL: database.url,
    SEED_DEMO: 'true',
    PUBLIC_URL: `http://localhost:${ports.shop}`,
    BOT_GATHER_SECONDS: String(GATHER_SECONDS),
  },
})
const db = new pg.Pool({ connectionString: database.url, max: 4 })
db.on('error', () => {}) // the server's end is no news to it
try {
  await ready(server.address)

  async function write(from, body) {
    const answer = await fetch(`http://localhost:${ports.shop}/api/simulator/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from, body }),
    })
    if (!answer.ok) throw new Error(`Not written: ${answer.status} ${await answer.text()}`)
    const { id } = await answer.json()
    for (let tries = 0; tries < 600; tries += 1) {
      const { rowCount } = await db.query('select from whatsapp_messages where message_id = $1 and processed', [id])
      if (rowCount === 1) return
      await sleep(25)
    }
    throw new Error('Never worked on')
  }
  async function order(n) {
    await sleep(Math.random() * pause * 1000)
    for (const body of scripts[n % scripts.length]) {
      await write(`+9733${String(7_000_000 + n)}`, body)
      await sleep(pause * 1000 * (0.5 + Math.random()))
    }
  }
  await write('+97337999999', 'hello')
  const begun = performance.now()
  await Promise.all(Array.from({ length: customers }, (_, n) => order(n)))
  const seconds = (performance.now() - begun) / 1000
  await sleep(1_000)
  const { rows } = await db.query(times, [GATHER_SECONDS * 1000])
  const { rows: placed } = await db.query(`select count(*)::int as orders from orders where phone like '+97337%'`)
  console.log(`${customers} customers, ${rows.length} messages, ${(rows.length / seconds).toFixed(1)} a second`)
  console.log(
    line(
      'message in → answer sent',
      rows.map((row) => Number(row.ms)),
    ),
  )
  console.log(
    line(
      'webhook stored → answer sent',
      rows.map((row) => Number(row.from_webhook)),
    ),
  )
  console.log(
    line(
      'bot alone',
      rows.map((row) => Number(row.processing_time_ms)),
    ),
  )
  console.log(`${placed[0].orders} orders placed`)
  const p95 = at(
    rows.map((row) => Number(row.ms)),
    0.95,
  )
  if (placed[0].orders !== customers) throw new Error('An order is missing, or there is one too many')
  if (p95 > WANTED_MS) throw new Error(`${Math.round(p95)} ms are more than ${WANTED_MS}`)
} finally {
  server.child.kill('SIGTERM')
  await server.ended
  await db.end().catch(() => {})
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
