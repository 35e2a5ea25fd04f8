import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { call, furnish, orderBody } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { node, root } from '../scripts/bootstrap.mjs'
import { startMeta } from '../server/test/simulators/whatsapp-cloud.ts'
import { startTelegram } from '../server/test/simulators/telegram.ts'
import { cloudSettings, openPool, openSandbox } from './sandbox.mjs'

/**
 * Two processes of a shop in states that raise an alarm, without Prometheus. Seconds from each state to the message
 * in the super admin's chat: at most a minute, once, and none before; a process without a bot must miss them all. Root,
 * for a small disk. `node drills/alarms.mjs [no-bot]`
 */
// Without a bot no message arrives and each wait ends by its limit; the whole run has ten minutes.
const WITHIN_MS = process.argv[2] === 'no-bot' ? 30_000 : 60_000
const chatId = '7001'
const [meta, telegram] = [await startMeta(), await startTelegram()]
const { database, folder, db, close } = await openSandbox('alarms', 3261)
const bot =
  process.argv[2] === 'no-bot' ? {} : { TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_URL: telegram.apiUrl }
const settings = {
  DATABASE_URL: database.url,
  SECRET_KEY: randomBytes(32).toString('base64'),
  ...cloudSettings(meta),
  ...bot,
}
const disk = join(folder, 'disk')
mkdirSync(disk)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=540m', 'tmpfs', disk])
const tls = createServer(certificate(60)).listen(3264, '127.0.0.1')
await once(tls, 'listening')
const shops = [
  startServer({ port: 3262, dataDir: folder, settings }),
  startServer({ port: 3263, dataDir: disk, settings: { ...settings, PUBLIC_URL: 'https://localhost:3264' } }),
]
/** Without the news of orders, which super admins get too. */
const kindsSent = () => telegram.sent(chatId).flatMap(({ text }) => /^⚠️ .*\n([\w-]+) · /.exec(text)?.[1] ?? [])

async function secondsTo(kind, begin) {
  await begin()
  const begun = performance.now()
  while (!kindsSent().includes(kind) && performance.now() - begun < WITHIN_MS) await sleep(100)
  return kindsSent().includes(kind) ? Number(((performance.now() - begun) / 1000).toFixed(1)) : null
}

function certificate(days) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost']
  const files = ['-days', String(days), '-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', ...kind, ...files], { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}

/** Eight orders in the last hour of each of four weeks, and none today. */
async function ordersEnd() {
  await db.query(
    `insert into orders (id, vendor_id, vendor_name, customer_name, phone, address, lat, lng, promised_date, subtotal,
       delivery_fee, product_vat, total, created_at)
     select left(o.id, -3) || week || 'X' || n, vendor_id, vendor_name, customer_name, phone, address, lat, lng, promised_date,
       subtotal, delivery_fee, product_vat, total, now() - week * interval '7 days' - n * interval '5 minutes'
     from orders o, generate_series(1, 4) as week, generate_series(1, 8) as n`,
  )
  await db.query(
    `update orders set created_at = now() - interval '61 minutes' where created_at > now() - interval '1 day'`,
  )
}

/** Replay stops; the alarm is due half a minute later. */
async function standbyStops() {
  const standbyDb = openPool(standby.url, 1)
  await standbyDb.query('select pg_wal_replay_pause()')
  await standbyDb.end()
  const beganAt = performance.now()
  while (performance.now() - beganAt < 30_000) {
    await db.query(`update users set language = language where phone = '+97336990001'`)
    await sleep(1_000)
  }
}

const backupFails = () =>
  spawnSync(node, [join(root, 'build/server/backup.js'), 'failed'], {
    env: { ...process.env, ...settings, DATA_DIR: folder },
  })
const job = (name, column, age) =>
  db.query(`insert into pgboss.job (name, ${column}) values ($1, now() - $2::interval)`, [name, age])

let standby = null
try {
  await Promise.all(shops.map(({ address }) => ready(address)))
  const { productId, cookies } = await furnish(db, 4)
  await db.query(
    `insert into users (phone, role, is_verified, telegram_chat_id, language) values ('+97336990001', 'super_admin', true, $1, 'en')`,
    [chatId],
  )
  await call(shops[0].address, 'POST', '/api/cart/add', cookies[0], { productId, quantity: 3 })
  await call(shops[0].address, 'POST', '/api/orders', cookies[0], orderBody)
  await sleep(40_000)
  standby = database.startStandby(3265)
  const early = kindsSent()
  await db.query(`select pgboss.create_queue('unworked', '{"policy": "standard"}')`)
  const seconds = {}
  seconds['jobs-failed'] = await secondsTo('jobs-failed', () => job('dead-letter', 'created_on', '0'))
  seconds['queue-late'] = await secondsTo('queue-late', () => job('unworked', 'start_after', '301 seconds'))
  seconds['backup-failed'] = await secondsTo('backup-failed', backupFails)
  seconds['backup-missed'] = await secondsTo('backup-missed', () =>
    db.query(
      `insert into backups (taken_at, bytes, checked_at) values (now() - interval '27 hours', 9, now() - interval '27 hours')`,
    ),
  )
  seconds['disk-full'] = await secondsTo('disk-full', () => writeFileSync(join(disk, 'ballast'), Buffer.alloc(1e8)))
  seconds['certificate-ends'] = await secondsTo('certificate-ends', () => tls.setSecureContext(certificate(10)))
  seconds['no-orders'] = await secondsTo('no-orders', ordersEnd)
  seconds['database-lag'] = await secondsTo('database-lag', standbyStops)
  seconds['database-away'] = await secondsTo('database-away', () => database.signalAll('SIGSTOP'))
  database.signalAll('SIGCONT')
  const sent = kindsSent()
  // Without a database each process tells of it.
  const twice = sent.filter((kind, n) => sent.indexOf(kind) !== n && kind !== 'database-away')
  const isReached = early.length === 0 && twice.length === 0 && Object.values(seconds).every((one) => one !== null)
  console.log(JSON.stringify({ drill: 'alarms', seconds, early, twice, messages: sent.length, isReached }))
  const isMutant = process.argv[2] === 'no-bot'
  if (isReached === isMutant) process.exitCode = 1
} finally {
  for (const { child } of shops) child.kill('SIGKILL')
  await Promise.all(shops.map(({ ended }) => ended))
  await meta.stop()
  await telegram.stop()
  await standby?.stop()
  tls.close()
  execFileSync('umount', ['-l', disk])
  await close()
}
