import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { call, furnish, orderBody } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { openSandbox } from './sandbox.mjs'

/**
 * Two processes on one database, one of them ten minutes fast (Debian's faketime): codes, links and the hour to cancel
 * are judged by the database's clock in both processes. Just before each expiry the fast process must accept, and
 * after it the correct one must reject. `node drills/skewed-clock.mjs [minutes]`
 */
const minutes = Number(process.argv[2] ?? 10)
const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map((one) => `/usr/lib/${one}/faketime/libfaketime.so.1`)
const library = libraries.find((file) => existsSync(file))
if (!library) {
  console.error('faketime is not installed (on Debian: apt install faketime)')
  process.exit(1)
}
const port = Number(process.env.BENCH_PORT ?? 3123)
const { database, folder, db, close } = await openSandbox('skew', port + 2)
const settings = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('base64') }
const skewed = { LD_PRELOAD: library, FAKETIME: `+${minutes}m`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
const start = (one, more = {}) => startServer({ port: one, dataDir: folder, settings: { ...settings, ...more } })

const wrong = []
let asked = 0
function expected(what, seen, wanted) {
  asked += 1
  if (seen !== wanted) wrong.push(`${what}: ${seen}, not ${wanted}`)
}

async function codeOf(address, phone) {
  await call(address, 'POST', '/api/auth/verify/phone', '', { phone })
  for (let tries = 0; tries < 200; tries += 1) {
    const found = await call(address, 'GET', `/api/simulator/messages?phone=${encodeURIComponent(phone)}`, '')
    const code = /^\d{4}/.exec(found?.body[0]?.body ?? '')?.[0]
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`No code came to ${phone}`)
}

const processes = []
let code = 1
try {
  processes.push(start(port))
  await ready(processes[0].address)
  processes.push(start(port + 1, skewed))
  await ready(processes[1].address)
  const [right, fast] = processes.map(({ address }) => address)
  const { productId, cookies } = await furnish(db, 1)
  const [cookie] = cookies

  const dated = new Date((await fetch(`${fast}/healthz`)).headers.get('date') ?? 0)
  const aheadS = Math.round((dated.getTime() - Date.now()) / 1_000)
  expected('the fast process is fast', Math.abs(aheadS - minutes * 60) <= 2, true)

  let phones = 0
  for (const [by, at] of [
    ['the right one', right],
    ['the fast one', fast],
  ]) {
    for (const [left, status] of [
      [10, 200],
      [-1, 422],
    ]) {
      const phone = `+9733310${String((phones += 1)).padStart(4, '0')}`
      const digits = await codeOf(phones % 2 ? right : fast, phone)
      await db.query(`update login_codes set expires_at = now() + $2 * interval '1 second' where phone = $1`, [
        phone,
        left,
      ])
      const answer = await call(at, 'POST', '/api/auth/verify/otp', '', { phone, code: digits })
      expected(`a code with ${left} s left, by ${by}`, answer?.status, status)
    }
    for (const [left, errorCode] of [
      [10, null],
      [-1, 'EXPIRED_LINK'],
    ]) {
      const token = randomBytes(32).toString('base64url')
      await db.query(
        `insert into magic_links (phone, token, expires_at) values ($1, $2, now() + $3 * interval '1 second')`,
        [`+9733320${String((phones += 1)).padStart(4, '0')}`, createHash('sha256').update(token).digest('hex'), left],
      )
      const answer = await call(at, 'POST', `/api/magic-link/verify/${token}`, '')
      expected(`a link with ${left} s left, by ${by}`, answer?.body.errorCode, errorCode)
    }
    for (const [placedBy, age, status] of [
      [right, 3_590, 200],
      [fast, 3_590, 200],
      [right, 3_601, 409],
      [fast, 3_601, 409],
    ]) {
      await call(right, 'POST', '/api/cart/add', cookie, { productId, quantity: 2 })
      const placed = await call(placedBy, 'POST', '/api/orders', cookie, orderBody)
      const late = Math.abs(new Date(placed?.body.createdAt).getTime() - Date.now())
      expected(`an order is dated by the database`, late < 5_000, true)
      await db.query(`update orders set created_at = now() - $2 * interval '1 second' where id = $1`, [
        placed?.body.id,
        age,
      ])
      const shown = await call(at, 'GET', `/api/orders/${placed?.body.id}`, cookie)
      expected(`the button of an order ${age} s old, by ${by}`, shown?.body.can?.cancel, status === 200)
      const cancelled = await call(at, 'POST', `/api/orders/${placed?.body.id}/cancel`, cookie, {})
      expected(`cancelling after ${age} s, by ${by}`, cancelled?.status, status)
    }
  }
  // Ten seconds left by the database's clock would be expired by the clock of the fast process.
  const carelessIsWrong = dated.getTime() > Date.now() + 10_000
  const isReached = wrong.length === 0 && carelessIsWrong
  for (const line of wrong) console.error(line)
  console.log(JSON.stringify({ bench: 'skewed-clock', aheadS, asked, wrong: wrong.length, carelessIsWrong, isReached }))
  code = isReached ? 0 : 1
} finally {
  for (const { child, ended } of processes) {
    child.kill('SIGTERM')
    await ended
  }
  await close()
}
process.exit(code)
