import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { audit, call, furnish, isWhole, startOrdering } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { startCluster } from './cluster.mjs'
import { makeFolder, openPool } from './sandbox.mjs'

/**
 * The machine of the primary database is killed, freezes and is cut off while customers order at two processes. No
 * acknowledged order may be lost or doubled, pages are served meanwhile, orders succeed again by themselves, and the
 * former primary follows the new one. At the end both standbys freeze, and the primary must serve carts.
 * `node drills/failover.mjs [rounds] [asynchronous]`: with `asynchronous` commits are acknowledged before a standby has
 * them, and the same check must find lost orders.
 */
const rounds = Number(process.argv[2] ?? 3)
const isAsynchronous = process.argv[3] === 'asynchronous'
const clients = 32
/** Time for which a machine is gone; longer than any lock of the cluster. */
const goneMs = 20_000
/** Time for which the standbys are cut off before the primary is. Less than Patroni's patience. */
const behindMs = 1_500
const backWithinMs = 20_000
/** Time after which HAProxy has missed two checks of a machine that freezes. */
const noticedMs = 5_000
const ports = [3151, 3152]

const cluster = await startCluster({ isSynchronous: !isAsynchronous })
const { folder, removeFolder } = makeFolder('failover')
const db = openPool(cluster.url)
const settings = {
  DATABASE_URL: cluster.url,
  DATABASE_READ_URL: cluster.readUrl,
  SECRET_KEY: randomBytes(32).toString('base64'),
}
const shops = []
for (const port of ports) {
  const shop = startServer({ port, dataDir: folder, settings })
  shops.push(shop)
  await ready(shop.address)
}

/** While the proxies reach the primary alone, which waits for its standbys: carts are then refused. */
let areStandbysCut = false

/** Each fault ends the primary's service; `end` brings the machine back. */
const faults = {
  kill: { begin: (name) => cluster.kill(name), end: (name) => cluster.start(name) },
  freeze: { begin: (name) => cluster.freeze(name), end: (name) => cluster.thaw(name) },
  // The standbys lose the primary first, so that they miss what it still acknowledges.
  network: {
    async begin(name) {
      const others = cluster.names.filter((one) => one !== name)
      areStandbysCut = true
      others.forEach(cluster.cut)
      await sleep(behindMs)
      cluster.cut(name)
      others.forEach(cluster.mend)
      areStandbysCut = false
    },
    end: (name) => cluster.mend(name),
  },
}

/** The machine that answers as primary, the standbys it waits for, and those that follow it. */
async function replicationOf() {
  const { rows } = await db.query(`select host(inet_server_addr()) as address,
      current_setting('synchronous_standby_names') as waits_for,
      (select jsonb_object_agg(application_name, sync_state) from pg_stat_replication) as standbys`)
  return rows[0]
}

/** The last fault before a moment, and the seconds since then. */
function sinceFault(at, outages) {
  const fault = outages.findLast(({ begunAt }) => begunAt < at)
  return `${fault?.kind} ${((at - (fault?.begunAt ?? 0)) / 1000).toFixed(1)} s`
}

/** When the orders that are lost were acknowledged. */
async function lostAfter({ acknowledged, successes }, outages) {
  const { rows } = await db.query('select id from orders')
  const stored = new Set(rows.map(({ id }) => id))
  return acknowledged.flatMap(({ id }, place) => (stored.has(id) ? [] : sinceFault(successes[place], outages)))
}

/** Pages, lists and carts that must be served meanwhile. */
function startReading(cookie) {
  const reads = { pages: [], cart: [], refused: [] }
  let turns = 0
  const timer = setInterval(async () => {
    const { address } = shops[turns++ % shops.length]
    const page = await fetch(`${address}/`, { signal: AbortSignal.timeout(5_000) }).catch(() => null)
    const list = await call(address, 'GET', '/api/products', cookie)
    reads.pages.push(page?.status ?? 0, list?.status ?? 0)
    const isCounted = !areStandbysCut
    const askedAt = performance.now()
    const cart = await call(address, 'GET', '/api/cart', cookie)
    if (isCounted) reads.cart.push(cart?.status ?? 0)
    if (isCounted && cart?.status !== 200) reads.refused.push({ askedAt, status: cart?.status ?? 0 })
  }, 200)
  return { reads, stop: () => clearInterval(timer) }
}

/** Status codes of carts while the primary is the only database that answers. */
async function cartsWithoutReplica(cookie) {
  const first = await cluster.healthy()
  const standbys = cluster.names.filter((name) => name !== first)
  standbys.forEach(cluster.freezeDatabase)
  await sleep(noticedMs)
  const statuses = []
  for (let turns = 0; turns < 25; turns += 1) {
    const { address } = shops[turns % shops.length]
    const cart = await call(address, 'GET', '/api/cart', cookie)
    statuses.push(cart?.status ?? 0)
    await sleep(200)
  }
  standbys.forEach(cluster.thaw)
  await cluster.healthy()
  return statuses
}

let isReached = false
try {
  const { productId, cookies } = await furnish(db, clients)
  let turn = 0
  const addressOf = () => shops[turn++ % shops.length].address
  const ordering = startOrdering({ addressOf, cookies, productId })
  const reading = startReading(cookies[0])
  const outages = []
  for (const [kind, { begin, end }] of Array.from({ length: rounds }, () => Object.entries(faults)).flat()) {
    if (isAsynchronous && kind !== 'network') continue
    await cluster.healthy()
    await sleep(3_000)
    // The cluster may have changed its primary by itself meanwhile.
    const former = await cluster.healthy()
    const before = await replicationOf()
    const begunAt = performance.now()
    await begin(former)
    const goneAt = performance.now()
    let next = null
    while (next === null || next === former) {
      if (performance.now() - goneAt > 60_000) throw new Error(`No other primary within 60 s after ${kind}`)
      await sleep(100)
      next = await cluster.leader()
    }
    const electedAt = performance.now()
    const found = () => ordering.record.successes.find((at) => at > electedAt)
    while (found() === undefined && performance.now() - electedAt < 30_000) await sleep(20)
    const backMs = Math.round((found() ?? Number.POSITIVE_INFINITY) - goneAt)
    await sleep(Math.max(0, goneAt + goneMs - performance.now()))
    end(former)
    const endedAt = performance.now()
    await cluster.healthy()
    const seconds = (ms) => Number((ms / 1000).toFixed(1))
    outages.push({
      kind,
      former,
      next,
      before,
      begunAt,
      electedS: seconds(electedAt - goneAt),
      backS: seconds(backMs),
      rejoinedS: seconds(performance.now() - endedAt),
    })
  }
  reading.stop()
  const alone = isAsynchronous ? [] : await cartsWithoutReplica(cookies[0])
  await ordering.stop()
  await sleep(1_000)
  const result = await audit(db, ordering.record)
  const refusedReads = (some) => some.filter((status) => status !== 200).length
  const back = outages.map(({ backS }) => backS).sort((a, b) => a - b)
  const medianS = back[Math.floor(back.length / 2)]
  const { pages, cart, refused } = reading.reads
  const isKept = isWhole(result) && refusedReads([...pages, ...cart, ...alone]) === 0 && medianS * 1000 <= backWithinMs
  isReached = isAsynchronous ? result.lost > 0 : isKept
  console.log(
    JSON.stringify({
      bench: 'failover',
      isAsynchronous,
      ...result,
      ...(result.lost > 0 && !isAsynchronous && { lostAfter: await lostAfter(ordering.record, outages) }),
      refusals: ordering.record.refusals,
      pages: `${refusedReads(pages)} of ${pages.length} refused`,
      cart: `${refusedReads(cart)} of ${cart.length} refused`,
      cartWithoutReplica: `${refusedReads(alone)} of ${alone.length} refused`,
      cartRefused: refused.map(({ askedAt, status }) => `${status} ${sinceFault(askedAt, outages)}`),
      outages,
      medianS,
      isReached,
    }),
  )
  if (!isReached) process.exitCode = 1
} finally {
  if (!isReached) cluster.keepLogs()
  for (const { child, ended } of shops) {
    child.kill('SIGKILL')
    await ended
  }
  await db.end()
  cluster.close()
  removeFolder()
}
