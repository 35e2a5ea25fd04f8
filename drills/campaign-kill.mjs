import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { signIn } from '../bench/lib/sign-in.mjs'
import { receiptsCall, signedCall, WEBHOOK } from '../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { startMeta } from '../server/test/simulators/whatsapp-cloud.ts'
import { cloudSettings, openSandbox } from './sandbox.mjs'

/**
 * A campaign at the provider's pace by two processes that are killed at random moments and started again. The provider
 * is a local server with Meta's shapes: it keeps whom it took a message for, is too busy for 3 of 100, and sends
 * receipts to whichever process is there. What it took and what the rows say are held against each other.
 * `node drills/campaign-kill.mjs [--people 10000] [--per-second 80] [--kill-every 8]`, seconds; the last of them are waited for
 * two to three minutes, as long as it takes until what a dead process had taken on counts as unknown.
 */
const { values: given } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    'per-second': { type: 'string', default: '80' },
    'kill-every': { type: 'string', default: '8' },
  },
})
const people = Number(given.people)
const perSecond = Number(given['per-second'])
const killEvery = Number(given['kill-every'])
const ports = { postgres: 3184, shops: [3181, 3182] }
const BUSY_SHARE = 0.03
const RECEIPT_MS = 250

const phoneOf = (n) => `+97338${String(n).padStart(6, '0')}`
const rounded = (number) => Math.round(number * 10) / 10

const { database, folder, db, close } = await openSandbox('campaign', ports.postgres, 4)
const meta = await startMeta()
const settings = {
  DATABASE_URL: database.url,
  SECRET_KEY: randomBytes(32).toString('base64'),
  ...cloudSettings(meta),
  CAMPAIGN_PER_SECOND: String(perSecond),
  CAMPAIGN_QUIET_HOURS: 'off',
}
const shops = ports.shops.map((port) => ({ port, isReady: false, server: null }))
let isOver = false
let kills = 0

/** By phone: how often the provider took a message for it. */
const taken = new Map()
/** Messages that the provider accepted although its answer was lost. */
const unheard = []
const times = { first: 0, last: 0, calls: 0, busy: 0 }
const due = []
meta.slowDown(() => 40 + Math.random() * 120)
meta.decide(() => {
  times.first ||= performance.now()
  times.calls += 1
  if (Math.random() >= BUSY_SHARE) return null
  times.busy += 1
  return { status: 429, code: 130429, headers: { 'retry-after': '2' } }
})
meta.onTaken(({ body, messageId, answered }) => {
  times.last = performance.now()
  taken.set(body.to, (taken.get(body.to) ?? 0) + 1)
  const reference = body.biz_opaque_callback_data
  const receipt = { messageId, phone: `+${body.to}`, reference, status: 'delivered', at: new Date() }
  void answered.then((wasHeard) => (wasHeard ? setTimeout(() => due.push(receipt), RECEIPT_MS) : unheard.push(receipt)))
})

async function start(shop) {
  shop.server = startServer({ port: shop.port, dataDir: folder, settings })
  void shop.server.ended.then(() => {
    shop.isReady = false
    if (!isOver) void start(shop)
  })
  await ready(shop.server.address)
  shop.isReady = true
}
/** Sends a request to a running process, as a load balancer would. */
async function ask(path, options) {
  for (let tries = 0; tries < 400; tries += 1) {
    for (const { server, isReady } of shops) {
      const answer = isReady ? await fetch(`${server.address}${path}`, options).catch(() => null) : null
      if (answer && answer.status < 500) return answer
    }
    await sleep(100)
  }
  throw new Error(`Nobody answers ${path}`)
}
async function sendReceipts(receipts) {
  const { bytes, headers } = signedCall(settings.WHATSAPP_APP_SECRET, receiptsCall(receipts))
  const answer = await ask(WEBHOOK, { method: 'POST', headers, body: bytes })
  if (answer.status !== 200) throw new Error(`The webhook answers ${answer.status}`)
}
async function receive() {
  while (!isOver) {
    const now = due.splice(0, 100)
    if (now.length > 0) await sendReceipts(now)
    await sleep(now.length > 0 ? 20 : RECEIPT_MS)
  }
}

const counts = async (id) => {
  const { rows } = await db.query(
    'select status, count(*)::int as n from template_sends where campaign_id = $1 group by status',
    [id],
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

try {
  // One after the other: the first brings the tables.
  for (const shop of shops) await start(shop)
  const cookie = await signIn(db, ['+97336990001', 'super_admin', null])
  const components = JSON.stringify([{ type: 'BODY', text: 'Water can be at your door tomorrow.' }])
  await db.query(
    `insert into whatsapp_templates (name, language, category, status, components)
     values ('bench', 'en', 'MARKETING', 'APPROVED', $1)`,
    [components],
  )
  const act = async (path, body) => {
    const headers = { cookie: `sid=${cookie}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const options = { method: 'POST', headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await ask(`/api/admin/whatsapp/campaigns${path}`, options)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const recipients = Array.from({ length: people }, (_, n) => ({ phone: phoneOf(n) }))
  const { id } = await act('', {
    name: 'Bench',
    templateName: 'bench',
    language: 'en',
    recipients,
    consentSource: 'Drill',
  })
  await act(`/${id}/start`)
  const receiving = receive()
  receiving.catch((error) => {
    console.error(error)
    process.exitCode = 1
  })

  let now = await counts(id)
  let killAt = performance.now() + 3_000
  while ((now.pending ?? 0) > 0) {
    await sleep(200)
    now = await counts(id)
    if (performance.now() < killAt || (now.pending ?? 0) === 0) continue
    const alive = shops.filter(({ isReady }) => isReady)
    alive[Math.floor(Math.random() * alive.length)]?.server.child.kill('SIGKILL')
    kills += Math.min(1, alive.length)
    killAt = performance.now() + killEvery * 1000 * (0.5 + Math.random())
  }
  const status = async () =>
    (await db.query('select status from template_campaigns where id = $1', [id])).rows[0].status
  const until = performance.now() + 300_000
  while ((await status()) !== 'completed' && performance.now() < until) await sleep(500)
  const unknown = (await counts(id)).unknown ?? 0
  const workers = (
    await db.query('select count(distinct claimed_by)::int as n from template_sends where campaign_id = $1', [id])
  ).rows[0].n

  // The receipts of messages with a lost answer are sent last.
  const late = unheard.length
  for (let at = 0; at < late; at += 50) await sendReceipts(unheard.slice(at, at + 50))
  const delivered = async () => (await counts(id)).delivered ?? 0
  const patience = performance.now() + 60_000
  while ((await delivered()) < taken.size && performance.now() < patience) await sleep(250)

  const { rows } = await db.query(
    'select recipient_phone as phone, status from template_sends where campaign_id = $1',
    [id],
  )
  const isGood = new Set(['sent', 'delivered', 'read'])
  const double = [...taken.values()].filter((times) => times > 1).length
  const silentlyLost =
    people -
    rows.length +
    rows.filter(({ phone, status: row }) => row !== 'unknown' && isGood.has(row) !== taken.has(phone.slice(1))).length
  const end = await counts(id)
  const seconds = (times.last - times.first) / 1000
  const ideal = people / perSecond
  const isReached = double === 0 && silentlyLost === 0 && (await status()) === 'completed' && kills > 0
  console.log(
    JSON.stringify({
      bench: 'campaign',
      people,
      perSecond,
      kills,
      workers,
      calls: times.calls,
      busy: times.busy,
      sent: taken.size,
      double,
      silentlyLost,
      unknown,
      settledByReceipt: unknown - (end.unknown ?? 0),
      stillUnknown: end.unknown ?? 0,
      end,
      seconds: rounded(seconds),
      idealSeconds: rounded(ideal),
      rate: rounded(taken.size / seconds),
      isReached,
    }),
  )
  if (!isReached) process.exitCode = 1
} finally {
  isOver = true
  for (const { server } of shops) server?.child.kill('SIGKILL')
  await Promise.all(shops.map(({ server }) => server?.ended))
  await meta.stop()
  await close()
}
