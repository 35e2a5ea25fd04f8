import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, furnish, orderBody } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { node, root } from '../scripts/bootstrap.mjs'
import { startMeta } from '../server/test/simulators/whatsapp-cloud.ts'
import { startTelegram } from '../server/test/simulators/telegram.ts'
import { cloudSettings, openSandbox } from './sandbox.mjs'

/**
 * Two processes of a shop in states that raise an alarm, without Prometheus. Seconds from each state to the message
 * in the super admin's chat: at most a minute, once, and none before; a process without a bot must miss them all.
 * `node drills/alarms.mjs [no-bot]`
 */
const WITHIN_MS = 60_000
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
const shops = [3262, 3263].map((port) => startServer({ port, dataDir: folder, settings }))
/** Without the news of orders, which super admins get too. */
const kindsSent = () => telegram.sent(chatId).flatMap(({ text }) => /^⚠️ .*\n([\w-]+) · /.exec(text)?.[1] ?? [])

async function secondsTo(kind, begin) {
  await begin()
  const begun = performance.now()
  while (!kindsSent().includes(kind) && performance.now() - begun < WITHIN_MS) await sleep(100)
  return kindsSent().includes(kind) ? Number(((performance.now() - begun) / 1000).toFixed(1)) : null
}

const backupFails = () =>
  spawnSync(node, [join(root, 'build/server/backup.js'), 'failed'], {
    env: { ...process.env, ...settings, DATA_DIR: folder },
  })
const job = (name, column, age) =>
  db.query(`insert into pgboss.job (name, ${column}) values ($1, now() - $2::interval)`, [name, age])

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
  await close()
}
