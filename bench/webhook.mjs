import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageCall, signedCall, WEBHOOK } from '../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { startPostgres } from './lib/postgres.mjs'
import { ready, startServer } from './lib/server-process.mjs'

/**
 * Webhooks while the work behind them is slow: every message takes its worker a fifth of a second. Calls come at their
 * own times, whether the ones before are answered or not; each is measured from when it was due.
 * `node bench/webhook.mjs [events a second] [seconds]`
 */
const perSecond = Number(process.argv[2] ?? 200)
const seconds = Number(process.argv[3] ?? 15)
const ports = { postgres: 3197, shop: 3198, careless: 3199 }
const WANTED_MS = 50
const SECRET = 'the-secret-of-the-application-b41f'

const quantile = (values, q) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]
const rounded = (ms) => Math.round(ms * 10) / 10

const callOf = (n) => {
  const phone = `+9733${String(6_100_000 + (n % 500)).padStart(7, '0')}`
  const message = { id: `wamid.${randomUUID()}`, at: new Date() }
  return messageCall({ phone }, message, { type: 'text', text: { body: `رسالة ${n} 👋` } })
}

function post(port, agent, { bytes, headers }) {
  return new Promise((resolve) => {
    const options = {
      port,
      agent,
      method: 'POST',
      path: WEBHOOK,
      headers: { ...headers, 'content-length': bytes.length },
    }
    const asked = request(options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    })
    asked.on('error', () => resolve(0))
    asked.end(bytes)
  })
}

/** Open loop: so many a second, for so long. Every twentieth is forged. */
async function load(port, count, rate) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const times = []
  const answers = new Map()
  const open = []
  const begun = performance.now()
  for (let n = 0; n < count; n += 1) {
    const due = begun + (n * 1000) / rate
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    const isForged = n % 20 === 19
    const call = signedCall(isForged ? 'another' : SECRET, callOf(n))
    open.push(
      post(port, agent, call).then((status) => {
        times.push(performance.now() - due)
        answers.set(status, (answers.get(status) ?? 0) + 1)
      }),
    )
  }
  await Promise.all(open)
  agent.destroy()
  return {
    p50: rounded(quantile(times, 0.5)),
    p99: rounded(quantile(times, 0.99)),
    answers: Object.fromEntries(answers),
  }
}

/** The faulty way: processes a call before answering it. */
async function careless(databaseUrl, rate, count) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const server = createServer((asked, answer) => {
    asked.resume()
    asked.on('end', () => pool.query('select pg_sleep(0.2)').then(() => answer.end('ok')))
  })
  await new Promise((resolve) => server.listen(ports.careless, resolve))
  const result = await load(ports.careless, count, rate)
  server.closeAllConnections()
  server.close()
  await pool.end()
  return result
}

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
// The bot is off: receipts of its replies would be events too.
const settings = { DATABASE_URL: database.url, WHATSAPP_APP_SECRET: SECRET, WHATSAPP_BOT: 'off' }
const shop = startServer({ port: ports.shop, dataDir: folder, settings })
const db = new pg.Client({ connectionString: database.url })
db.on('error', () => {}) // the server's end is no news to it
let isGood = false
try {
  await ready(shop.address)
  await db.connect()
  await load(ports.shop, perSecond * 2, perSecond) // warm
  const before = Number((await db.query('select count(*) from whatsapp_webhook_events')).rows[0].count)
  await db.query(`create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.2); return new; end $$;
    create trigger slow before insert on whatsapp_messages for each row execute function slow()`)
  const count = perSecond * seconds
  const result = await load(ports.shop, count, perSecond)
  const signed = count - Math.floor(count / 20)
  const stored = Number((await db.query('select count(*) from whatsapp_webhook_events')).rows[0].count) - before
  const behind = Number(
    (await db.query(`select count(*) from whatsapp_webhook_events where status = 'received'`)).rows[0].count,
  )
  await db.query('drop trigger slow on whatsapp_messages')
  const drained = performance.now()
  let left = behind
  while (left > 0 && performance.now() - drained < 120_000) {
    await sleep(250)
    left = Number(
      (await db.query(`select count(*) from whatsapp_webhook_events where status = 'received'`)).rows[0].count,
    )
  }
  const messages = Number(
    (await db.query(`select count(*) from whatsapp_messages where direction = 'incoming'`)).rows[0].count,
  )
  const naive = await careless(database.url, perSecond, perSecond * 3)
  isGood =
    result.p99 <= WANTED_MS &&
    result.answers[200] === signed &&
    result.answers[401] === count - signed &&
    stored === signed &&
    left === 0 &&
    messages === before + stored &&
    naive.p99 > WANTED_MS
  const drainSeconds = rounded((performance.now() - drained) / 1000)
  console.log(
    JSON.stringify({
      bench: 'webhook',
      perSecond,
      seconds,
      wantedMs: WANTED_MS,
      ...result,
      stored,
      forged: count - signed,
      behindAtTheEnd: behind,
      left,
      drainSeconds,
      lost: before + stored - messages,
      carelessP99: naive.p99,
      good: isGood,
    }),
  )
} finally {
  await db.end()
  shop.child.kill('SIGTERM')
  await shop.ended
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(isGood ? 0 : 1)
