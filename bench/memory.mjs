import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { post, sendAll } from './lib/http-load.mjs'
import { startShop } from './lib/shop-process.mjs'

/**
 * Memory of the node process: idle, and after the given number of requests of all kinds.
 * `node bench/memory.mjs [requests]`, on Linux.
 */
const wanted = Number(process.argv[2] ?? 100_000)
const port = 4250
const dataDir = mkdtempSync(join(tmpdir(), 'qatra-memory-'))

// The first start creates the database and the demo data; a later start finds both.
await (await startShop({ port, dataDir })).stop()
const shop = await startShop({ port, dataDir })
await sleep(10_000)
const idle = shop.rss()

const get = (path, cookie) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n${cookie ? `Cookie: ${cookie}\r\n` : ''}\r\n`
/** A visitor with a cart, whose pages are rendered and not cached. */
async function visitor() {
  const answer = await fetch(`${shop.address}/api/cart/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ productId: 1, quantity: 1 }),
  })
  const { items } = await answer.json()
  return { cookie: answer.headers.getSetCookie()[0].split(';')[0], itemId: items[0].id }
}
const visitors = await Promise.all(Array.from({ length: 20 }, visitor))

/** Of a hundred requests ten render a page, twenty change a cart, and seventy are answered from a cache. */
function request(n) {
  const { cookie, itemId } = visitors[n % visitors.length]
  const kind = n % 100
  if (kind < 5) return get('/', cookie)
  if (kind < 10) return get(`/products/${1 + (n % 60)}`, cookie)
  if (kind < 20) {
    const headers = { Cookie: cookie }
    return post(`/api/cart/update/${itemId}`, port, { quantity: 1 + (n % 50) }, headers).replace('POST', 'PATCH')
  }
  if (kind < 30) return get('/api/cart', cookie)
  if (kind < 50) return get('/api/products')
  if (kind < 70) return get('/?lang=en')
  if (kind < 85) return get('/api/areas/coordinates?lat=26.2378&lng=50.5402')
  return get(`/api/products?search=${n % 1000}`)
}
const requests = Array.from({ length: wanted }, (_, n) => request(n))
const { seconds } = await sendAll({ port, requests, connections: 8 })
await sleep(2_000)
const after = shop.rss()
await shop.stop()
rmSync(dataDir, { recursive: true, force: true })
console.log(
  JSON.stringify({
    bench: 'memory',
    requests: wanted,
    seconds: Math.round(seconds),
    idleMb: Math.round(idle),
    afterMb: Math.round(after),
    isReached: idle <= 130 && after <= 250,
  }),
)
