import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { entry, ready, startServer } from '../bench/lib/server-process.mjs'
import { messageCall, signedCall, WEBHOOK } from '../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { openSandbox } from './sandbox.mjs'

/**
 * The server is killed again and again while webhooks come in and are worked on. Who calls does as the provider does:
 * the same bytes again until they are answered with 200. Afterwards every message is there once.
 * `node drills/webhook-kill.mjs [events] [early]`: with `early` a call is answered before it is stored, and some must be
 * missed.
 */
const events = Number(process.argv[2] ?? 1_000)
const isEarly = process.argv[3] === 'early'
const callers = 8
const people = 50
const SECRET = 'the-secret-of-the-application-b41f'
const ports = { postgres: 4246, shop: 4245 }
const program = isEarly ? join(import.meta.dirname, 'early-answers.mjs') : entry

const { database, folder, db, close } = await openSandbox('webhook-kill', ports.postgres)
const settings = {
  DATABASE_URL: database.url,
  WHATSAPP_APP_SECRET: SECRET,
  WHATSAPP_BOT: 'off',
  EARLY_STATEMENT: 'webhook-store',
}
let server = null
let isOver = false

function start() {
  server = startServer({ port: ports.shop, dataDir: folder, settings, program })
  void server.ended.then(() => !isOver && start())
}

function callOf(id, n) {
  const phone = `+9733${String(6_200_000 + (n % people)).padStart(7, '0')}`
  return messageCall({ phone }, { id, at: new Date() }, { type: 'text', text: { body: `رسالة ${n}` } })
}

async function tell(call) {
  const { bytes, headers } = signedCall(SECRET, call)
  const url = `http://127.0.0.1:${ports.shop}${WEBHOOK}`
  for (let tries = 1; ; tries += 1) {
    const options = { method: 'POST', headers, body: bytes, signal: AbortSignal.timeout(5_000) }
    const status = await fetch(url, options).then(
      (answer) => answer.arrayBuffer().then(() => answer.status),
      () => 0,
    )
    if (status === 200) return tries
    await sleep(40)
  }
}

const one = async (text, values) => (await db.query(text, values)).rows[0]

try {
  start()
  await ready(server.address)
  const ids = Array.from({ length: events }, () => `wamid.${randomUUID()}`)
  const count = { sent: 0, calls: 0, kills: 0 }
  const lanes = Array.from({ length: callers }, async (_, lane) => {
    for (let n = lane; n < events; n += callers) {
      count.calls += await tell(callOf(ids[n], n))
      count.sent += 1
      await sleep(15)
    }
  })
  const sending = Promise.all(lanes)
  const killing = (async () => {
    while (count.sent < events) {
      const wanted = Math.min(count.sent + 2 * callers, events)
      while (count.sent < wanted) await sleep(20)
      await sleep(Math.random() * 300)
      server.child.kill('SIGKILL')
      count.kills += 1
      await sleep(50)
    }
  })()
  await Promise.all([sending, killing])
  await ready(server.address)
  // What a dead process had taken on is given back once its time is over.
  await db.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour', started_on = now() - interval '1 hour'
    where state = 'active'`)
  const begun = performance.now()
  // Events, then the handing over of their conversations to people.
  const left = async () =>
    (
      await one(`select (select count(*) from whatsapp_webhook_events where status = 'received')::int
        + (select count(*) from pgboss.job where name = 'conversation-without-bot' and state < 'completed')::int as n`)
    ).n
  while ((await left()) > 0 && performance.now() - begun < 120_000) await sleep(250)
  const { stored, processed } = await one(
    `select count(*)::int as stored, count(*) filter (where status = 'processed')::int as processed
     from whatsapp_webhook_events where webhook_id = any ($1)`,
    [ids.map((id) => `message:${id}`)],
  )
  const { messages, twice } = await one(
    `select count(distinct message_id)::int as messages, (count(*) - count(distinct message_id))::int as twice
     from whatsapp_messages where message_id = any ($1)`,
    [ids],
  )
  const { unread } = await one('select sum(unread_count)::int as unread from whatsapp_conversation_threads')
  const result = { stored, processed, lost: events - messages, twice, unread }
  const isWhole = stored === events && processed === events && messages === events && twice === 0 && unread === events
  const isReached = count.kills > 2 && (isEarly ? result.lost > 0 : isWhole)
  const drainSeconds = Math.round((performance.now() - begun) / 1000)
  console.log(JSON.stringify({ bench: 'webhook-kill', events, isEarly, ...count, ...result, drainSeconds, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  isOver = true
  server?.child.kill('SIGKILL')
  await server?.ended
  await close()
}
