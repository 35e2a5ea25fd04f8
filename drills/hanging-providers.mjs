import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { furnish, timedOrder } from '../bench/lib/ordering.mjs'
import { startPostgres } from '../bench/lib/postgres.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { serveProvider } from '../server/test/simulators/server.ts'
import { startSms } from '../server/test/simulators/sms.ts'
import { startTelegram } from '../server/test/simulators/telegram.ts'
import { startMeta } from '../server/test/simulators/whatsapp-cloud.ts'
import { cloudSettings } from './sandbox.mjs'

/**
 * Orders while every provider hangs: WhatsApp, SMS, Telegram and the older system take each call and never answer. Two
 * shops of their own, each with its database, take the same orders by turns; the other's providers answer at once.
 * `node drills/hanging-providers.mjs [orders of each]`
 */
const orders = Number(process.argv[2] ?? 1_200)
const ports = { postgres: 3185, answering: 3186, hanging: 3187 }
/** A customer may place 20 orders an hour. */
const customers = Math.ceil((orders + 100) / 18)
const MOST_RATIO = 1.1
/** Some ten orders a second for each shop, at moments of their own. */
const BETWEEN_MS = 100

const quantile = (values, q) => values.toSorted((a, b) => a - b)[Math.floor(values.length * q)]
const rounded = (ms) => Math.round(ms * 100) / 100

/** One set of providers for each shop. */
async function startProviders() {
  const legacy = { status: 200, body: { id: 'L1' } }
  const [meta, sms, telegram, older] = await Promise.all([
    startMeta(),
    startSms(),
    startTelegram({ maxPollSeconds: 1 }),
    serveProvider(async () => legacy),
  ])
  const all = [meta, sms, telegram, older]
  const requests = () => all.flatMap((provider) => provider.requests)
  const open = () => requests().filter(({ closed }) => !closed.aborted).length
  return { meta, sms, telegram, older, all, open, calls: () => requests().length }
}
const providers = { answering: await startProviders(), hanging: await startProviders() }
await Promise.all(providers.hanging.all.map((provider) => provider.be(() => {})))

const database = await startPostgres(ports.postgres)
const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const admin = new pg.Client({ connectionString: database.url })
const shops = {}

async function open(kind) {
  const { meta, sms, telegram, older } = providers[kind]
  await admin.query(`create database ${kind}`)
  const url = database.url.replace(/postgres$/, kind)
  const settings = {
    DATABASE_URL: url,
    ...cloudSettings(meta),
    SMS_PROVIDER: 'http',
    SMS_URL: sms.origin,
    SMS_TOKEN: sms.token,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_GROUP_ID: telegram.groupId,
    TELEGRAM_API_URL: telegram.apiUrl,
    LEGACY_SYNC_URL: older.origin,
  }
  const server = startServer({ port: ports[kind], dataDir: folder, settings })
  await ready(server.address)
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const furnished = await furnish(db, customers)
  await db.query('update users set is_verified = true')
  shops[kind] = { ...server, db, ...furnished }
}

try {
  await admin.connect()
  for (const kind of ['answering', 'hanging']) {
    await open(kind)
  }
  await sleep(1_500)
  const measured = { answering: [], hanging: [] }
  // The first hundred warm both, and fill the queues of the one whose news cannot leave.
  for (let n = -100; n < orders; n += 1) {
    for (const kind of n % 2 ? ['answering', 'hanging'] : ['hanging', 'answering']) {
      const { address, cookies, productId } = shops[kind]
      const ms = await timedOrder(address, cookies[(n + 100) % cookies.length], productId)
      if (n >= 0) measured[kind].push(ms)
    }
    await sleep(BETWEEN_MS * Math.random())
  }
  const sent = async ({ db }) =>
    (await db.query(`select count(*) filter (where status = 'sent') as sent, count(*) as all from whatsapp_messages`))
      .rows[0]
  const messages = { answering: await sent(shops.answering), hanging: await sent(shops.hanging) }
  const ratioOf = (q) => rounded(quantile(measured.hanging, q) / quantile(measured.answering, q))
  const of = (kind) => ({
    p50: rounded(quantile(measured[kind], 0.5)),
    p95: rounded(quantile(measured[kind], 0.95)),
    p99: rounded(quantile(measured[kind], 0.99)),
    calls: providers[kind].calls(),
    messages: messages[kind],
  })
  // Otherwise the providers were not asked, and nothing was proven.
  const isReached = ratioOf(0.99) <= MOST_RATIO && providers.hanging.calls() > 0 && Number(messages.answering.sent) > 0
  console.log(
    JSON.stringify({
      bench: 'hanging',
      orders,
      answering: of('answering'),
      hanging: { ...of('hanging'), heldAtTheEnd: providers.hanging.open() },
      ratios: { p50: ratioOf(0.5), p95: ratioOf(0.95), p99: ratioOf(0.99) },
      isReached,
    }),
  )
  if (!isReached) process.exitCode = 1
} finally {
  for (const { db, child } of Object.values(shops)) {
    await db.end().catch(() => {})
    child.kill('SIGTERM')
  }
  await Promise.all(Object.values(shops).map(({ ended }) => ended))
  await Promise.all(Object.values(providers).flatMap(({ all }) => all.map((provider) => provider.stop())))
  await admin.end().catch(() => {})
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
