import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { receiptsCall, signedCall, WEBHOOK } from '../../demo/simulators/whatsapp-cloud/webhook-calls.ts'
import { cloudSettings, makeFolder } from '../../drills/sandbox.mjs'
import { startMeta } from '../../server/test/simulators/whatsapp-cloud.ts'
import { fillAdmin } from '../lib/admin-fill.mjs'
import { startPostgres } from '../lib/postgres.mjs'
import { ready, startServer } from '../lib/server-process.mjs'
import { createClient } from './client.mjs'

const ports = { postgres: 3211, web: 3212, worker: 3213 }
const CUSTOMERS = 4_000
const STAFF_OF_VENDOR = 400
const DRIVERS = 400
/** After a message was taken: the receipts of its delivery and of its reading, each in a call of its own. */
const RECEIPTS = { delivered: 250, read: 1_000 }
const DRAINED_WITHIN_MS = 120_000

/**
 * A shop of two processes, one for requests and one for jobs, on a PostgreSQL that counts its statements, with the demo's
 * catalogue and `orders` past orders, behind a provider that takes every message and sends receipts. Rate limits are on.
 */
export async function startWorld(orders) {
  const database = await startPostgres(ports.postgres, [
    'shared_preload_libraries=pg_stat_statements',
    'pg_stat_statements.track=all',
    'pg_stat_statements.max=10000',
  ])
  const { folder, removeFolder } = makeFolder('gulf-day')
  const meta = await startMeta()
  const client = createClient(ports.web)
  const settings = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('base64'),
    TRUSTED_PROXIES: '127.0.0.1',
    SEED_DEMO: 'true',
    CAMPAIGN_QUIET_HOURS: 'off',
    CAMPAIGN_PER_SECOND: '1000',
    ...cloudSettings(meta),
  }
  const secret = settings.WHATSAPP_APP_SECRET
  const shops = []
  const start = async (role) => {
    const shop = startServer({ port: ports[role], dataDir: folder, settings: { ...settings, ROLE: role } })
    shops.push(shop)
    await ready(shop.address)
    return shop.child.pid
  }
  // A role of its own, so that its statements can be left out.
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query('create role observer superuser login')
  await owner.query('create extension pg_stat_statements')
  await owner.end()
  const db = new pg.Client({ connectionString: database.url.replace('bench@', 'observer@') })
  db.on('error', () => {})
  await db.connect()
  const observerPid = (await db.query('select pg_backend_pid() as pid')).rows[0].pid

  let receiptsDue = 0
  const failures = []
  function sendReceipt(receipt) {
    receiptsDue += 1
    setTimeout(() => {
      const { bytes, headers } = signedCall(secret, receiptsCall([{ ...receipt, at: new Date() }]))
      void client.ask({ method: 'POST', path: WEBHOOK, bytes, headers }).then(({ status }) => {
        receiptsDue -= 1
        if (status !== 200) failures.push(`receipt ${status}`)
      })
    }, RECEIPTS[receipt.status])
  }
  meta.onTaken(({ body, messageId }) => {
    const reference = body.biz_opaque_callback_data ?? null
    for (const status of ['delivered', 'read']) sendReceipt({ messageId, phone: `+${body.to}`, reference, status })
    meta.received.length = 0
    meta.requests.length = 0
  })

  /** Waits until no job, message, receipt or campaign is left that is due within ten seconds. */
  async function drain() {
    const until = performance.now() + DRAINED_WITHIN_MS
    for (let quiet = 0; quiet < 3; ) {
      const { rows } = await db.query(
        `select (select count(*) from pgboss.job where (state in ('created', 'retry') and start_after < now() + interval '10 s'
             or state = 'active') and name not like '\\_\\_pgboss%')
           + (select count(*) from whatsapp_webhook_events where status in ('received', 'processing'))
           + (select count(*) from template_sends s join template_campaigns c on c.id = s.campaign_id
              where c.status = 'running' and s.status in ('pending', 'sending')) as n`,
      )
      quiet = Number(rows[0].n) + receiptsDue === 0 ? quiet + 1 : 0
      if (performance.now() > until) throw new Error(`Still ${rows[0].n} jobs and ${receiptsDue} receipts`)
      await sleep(quiet > 0 ? 300 : 1_000)
    }
  }

  async function stop() {
    client.close()
    for (const { child } of shops) child.kill('SIGTERM')
    await Promise.all(shops.map(({ ended }) => ended))
    await db.end()
    await meta.stop()
    await database.stop()
    removeFolder()
  }
  try {
    const web = await start('web')
    await fillAdmin(db, orders)
    await db.query(`delete from vendors where name like 'Vendor %'`)
    const people = await makePeople(db)
    const worker = await start('worker')
    const pids = { web, worker, database: database.pid }
    return { database, db, client, secret, pids, observerPid, people, failures, drain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Sessions of these people, in their order. */
async function signInAll(db, userIds) {
  const cookies = userIds.map(() => `u.${randomBytes(32).toString('base64url')}`)
  const hashes = cookies.map((cookie) => createHash('sha256').update(cookie).digest('hex'))
  await db.query(
    `insert into sessions (id, user_id, expires_at)
     select hash, user_id, now() + interval '90 days' from unnest($1::text[], $2::integer[]) as t (hash, user_id)`,
    [hashes, userIds],
  )
  return userIds.map((id, n) => ({ id, cookie: cookies[n] }))
}

/** Customers, each of a vendor that delivers to a place, the vendors' office and drivers, and a super admin. */
async function makePeople(db) {
  const made = async (role, vendorId, count, prefix) => {
    const { rows } = await db.query(
      `insert into users (phone, name, role, vendor_id, is_verified)
       select $1 || lpad(n::text, 4, '0'), 'بو علي ' || n, $2, $3, true from generate_series(1, $4::integer) n returning id`,
      [prefix, role, vendorId, count],
    )
    return signInAll(
      db,
      rows.map(({ id }) => id),
    )
  }
  const { rows: vendors } = await db.query(
    `select v.id, p.id as "productId", a.centre_lat as lat, a.centre_lng as lng
     from vendors v
     join lateral (select id from products where vendor_id = v.id and is_active order by id limit 1) p on true
     join lateral (select a.* from vendor_delivery_areas d join areas a on a.id = d.area_id where d.vendor_id = v.id
       order by a.id limit 1) a on true
     order by v.id`,
  )
  for (const [n, vendor] of vendors.entries()) {
    const count = n === 0 ? STAFF_OF_VENDOR : 10
    vendor.staff = await made('vendor_staff', vendor.id, count, `+97337${String(n).padStart(2, '0')}`)
    vendor.admin = (await made('vendor_admin', vendor.id, 1, `+97336${String(70 + n)}`))[0]
    vendor.drivers = await made('driver', vendor.id, DRIVERS, `+97338${String(n).padStart(2, '0')}`)
  }
  const { rows } = await db.query(`select id, phone from users where phone like '+97333%' order by id limit $1`, [
    CUSTOMERS,
  ])
  const customers = await signInAll(
    db,
    rows.map(({ id }) => id),
  )
  for (const [n, customer] of customers.entries()) customer.vendor = vendors[n % vendors.length]
  const [owner] = await made('super_admin', null, 1, '+9733690')
  await db.query('vacuum analyze')
  return { vendors, customers, phones: rows.map(({ phone }) => phone), owner }
}
