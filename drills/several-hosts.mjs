import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { call, furnish, orderBody } from '../bench/lib/ordering.mjs'
import { startProxy } from '../bench/lib/proxy.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { startPgBouncer } from '../server/test/processes/pgbouncer.ts'
import { openSandbox } from './sandbox.mjs'

/**
 * Three processes on one database through PgBouncer (transaction mode, no named statements), behind two proxies, behave
 * like one: rates, streams, caches, jobs. The first has ROLE=web. `node drills/several-hosts.mjs [apart]`: with `apart`
 * each process has a database of its own, and all four checks must fail.
 */
const isApart = process.argv[2] === 'apart'
const customers = 30
/** Of checkouts begun in a network (`server/analytics/routes.ts`). */
const rate = { path: '/api/analytics/initiate-checkout', burst: 20, perMinute: 30 }
const withinMs = 15_000
const ports = { postgres: 3188, shops: [3181, 3182, 3183], proxies: [3184, 3185] }

const sandbox = await openSandbox('hosts', ports.postgres)
const urlOf = (name) => sandbox.database.url.replace(/\/postgres$/, `/${name}`)
const secret = randomBytes(32).toString('base64')
const ends = []
const failed = []
const expect = (what, isRight) => isRight || failed.push(what)

async function start(place, settings) {
  const shop = startServer({
    port: ports.shops[place],
    dataDir: sandbox.folder,
    settings: { SECRET_KEY: secret, TRUSTED_PROXIES: '127.0.0.1', RATE_LIMITS: 'on', ...settings },
  })
  ends.push(async () => {
    shop.child.kill('SIGKILL')
    await shop.ended
  })
  await ready(shop.address)
  return shop
}

async function until(look) {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    if (await look()) return true
    await sleep(50)
  }
  return false
}

/** A signed-in person with a role. */
async function signIn(db, role, vendorId) {
  const cookie = `u.${randomBytes(32).toString('base64url')}`
  const hash = createHash('sha256').update(cookie).digest('hex')
  await db.query(
    `with person as (
       insert into users (phone, role, vendor_id) values ('+9733800' || floor(random() * 10000)::integer, $1, $2) returning id)
     insert into sessions (id, user_id, expires_at) select $3, id, now() + interval '1 day' from person`,
    [role, vendorId, hash],
  )
  return cookie
}

/** The orders that a stream reports as placed, as they arrive. */
function listen(address, cookie) {
  const ids = []
  const asked = request(`${address}/api/admin/events`, { agent: false, headers: { cookie: `sid=${cookie}` } })
  const isOpen = new Promise((resolve, reject) => {
    asked.on('error', reject)
    asked.on('response', (response) => {
      const lines = createInterface({ input: response })
      lines.on('line', (line) => {
        const { kind, orderId } = line.startsWith('data: ') ? JSON.parse(line.slice(6)) : {}
        if (kind === 'order-placed') ids.push(orderId)
      })
      // The stream breaks when its process ends, for the reader of lines too.
      for (const source of [response, lines]) source.on('error', () => {})
      resolve(response.statusCode)
    })
  })
  asked.end()
  ends.push(async () => void asked.destroy())
  return { ids, isOpen }
}

/** Calls that are allowed until the first refusal. */
async function allowedBy(address) {
  let allowed = 0
  while (allowed < 3 * rate.burst) {
    const response = await fetch(address + rate.path, { method: 'POST' })
    if (response.status === 429) break
    if (response.ok) allowed += 1
  }
  return allowed
}

try {
  await sandbox.db.query('create database shop')
  const first = await start(0, { DATABASE_URL: urlOf('shop') })
  first.child.kill('SIGTERM')
  await first.ended
  const db = new pg.Pool({ connectionString: urlOf('shop'), max: 2 })
  db.on('error', () => {})
  const { vendorId, productId, cookies } = await furnish(db, customers)
  await db.query('update users set is_verified = true')
  const desk = await signIn(db, 'vendor_admin', vendorId)
  await db.end()

  const shops = []
  for (const place of ports.shops.keys()) {
    const name = isApart && place > 0 ? `apart_${place}` : 'shop'
    if (name !== 'shop') {
      await sandbox.db.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shop'`)
      await sandbox.db.query(`create database ${name} template shop`)
    }
    const pooler = await startPgBouncer(urlOf(name), { poolSize: 20 })
    ends.push(() => pooler.stop())
    shops.push(
      await start(place, {
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: urlOf(name),
        DATABASE_PREPARED_STATEMENTS: 'off',
        ROLE: place === 0 ? 'web' : 'all',
      }),
    )
  }
  const [one, two, three] = shops.map(({ address }) => address)
  const proxies = []
  for (const [n, places] of [
    [0, 1],
    [1, 2],
  ].entries()) {
    const folder = join(sandbox.folder, `proxy-${n}`)
    mkdirSync(folder)
    const servers = places.map((place) => `127.0.0.1:${ports.shops[place]}`)
    const proxy = await startProxy({ port: ports.proxies[n], servers, folder })
    ends.push(() => proxy.stop())
    await ready(proxy.address, '/api/vendors')
    proxies.push(proxy.address)
  }

  const begun = performance.now()
  const allowed = (await allowedBy(proxies[0])) + (await allowedBy(proxies[1]))
  // Each process reports its calls in twentieths of a burst.
  const refilled = ((performance.now() - begun) / 60_000) * rate.perMinute
  expect('rates', allowed >= rate.burst && allowed <= rate.burst + 3 * Math.ceil(rate.burst / 20) + refilled)

  const price = async (address) =>
    (await call(address, 'GET', '/api/products', ''))?.body.find(({ id }) => id === productId)?.price
  const before = await price(three)
  const edited = await call(one, 'PATCH', `/api/admin/products/${productId}`, desk, { price: 2.25 })
  const isShown = await until(async () => (await price(three)) === 2.25)
  expect('caches', edited?.status === 200 && before !== 2.25 && (await price(one)) === 2.25 && isShown)

  const streams = [two, three].map((address) => listen(address, desk))
  for (const { isOpen } of streams) await isOpen
  const placedIds = []
  for (const [n, cookie] of cookies.entries()) {
    const address = isApart ? one : [one, ...proxies][n % 3]
    await call(address, 'POST', '/api/cart/add', cookie, { productId, quantity: 1 })
    const answer = await call(address, 'POST', '/api/orders', cookie, orderBody)
    if (answer?.status === 200) placedIds.push(answer.body.id)
  }
  const placed = placedIds.length
  await until(async () => streams.every(({ ids }) => ids.length >= placed))
  const heard = streams.map(({ ids }) => ids.length)
  const isOnce = streams.every(({ ids }) => isDeepStrictEqual(ids.toSorted(), placedIds.toSorted()))
  expect('streams', placed === customers && isOnce)

  const db2 = new pg.Pool({ connectionString: urlOf('shop'), max: 1 })
  db2.on('error', () => {})
  const messages = async () =>
    (
      await db2.query(
        `select count(*)::integer as sent, count(distinct phone)::integer as phones from simulated_messages
         where channel = 'whatsapp'`,
      )
    ).rows[0]
  await until(async () => (await messages()).sent >= placed)
  // Time for a second run of a job.
  await sleep(3_000)
  const { sent, phones } = await messages()
  await db2.end()
  expect('jobs', sent === placed && phones === placed)

  const isReached = isApart ? failed.length === 4 : failed.length === 0
  const figures = { allowed, of: rate.burst, placed, heard, sent, phones }
  console.log(JSON.stringify({ bench: 'several-hosts', isApart, ...figures, failed, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  for (const end of ends.reverse()) await end()
  await sandbox.close()
}
