import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { furnish } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { openSandbox } from './sandbox.mjs'

/**
 * Runs sqlmap (Debian's) on every parameter that may reach the database: paths, queries, bodies and
 * cookies. In a control server that concatenates SQL, sqlmap must find the injection.
 * `node drills/sql-injection.mjs [level 1-5] [part of a target's name]`
 */
const [level = '1', only = ''] = process.argv.slice(2)
if (spawnSync('sqlmap', ['--version']).status !== 0) {
  console.error('sqlmap is not installed (on Debian: apt install sqlmap)')
  process.exit(1)
}
const port = Number(process.env.BENCH_PORT ?? 3126)
const { database, folder, db, close } = await openSandbox('sqlmap', port + 1, 4)
const server = startServer({
  port,
  dataDir: folder,
  settings: { DATABASE_URL: database.url, SEED_DEMO: 'true', SECRET_KEY: randomBytes(32).toString('base64') },
})
const naive = createServer((request, response) => {
  const q = new URL(request.url, 'http://x').searchParams.get('q') ?? ''
  db.query(`select name from vendors where name = '${q}'`).then(
    ({ rows }) => response.end(JSON.stringify(rows)),
    (error) => response.writeHead(500).end(error.message),
  )
})

/** `*` marks the injection point inside a path or a body. */
const targets = {
  'search of products': { url: '/api/products?search=water&vendorId=1&category=bottle' },
  'one product': { url: '/api/products/1*' },
  'one vendor': { url: '/api/vendors/1*' },
  'delivers to': { url: '/api/vendors/1*/delivers-to/1*' },
  'area at a point': { url: '/api/areas/coordinates?lat=26.2&lng=50.5' },
  'delivery date': { url: '/api/delivery-date?vendorId=1&at=2026-11-18T10:00:00Z' },
  'delivery days': { url: '/api/delivery-days?vendorId=1&areaId=1&at=2026-11-18T10:00:00Z' },
  'search of places': { url: '/api/geocode/search?q=Seef' },
  'own orders': { url: '/api/auth/orders?page=1&limit=10', isSignedIn: true },
  'one order': { url: '/api/orders/ABCDEFGHJKMNPQRS*', isSignedIn: true },
  cancelling: { url: '/api/orders/ABCDEFGHJKMNPQRS*/cancel', body: { reason: 'why*' }, isSignedIn: true },
  link: { url: '/api/magic-link/status/abc*' },
  'asking for a code': { url: '/api/auth/verify/phone', body: { phone: '+97333000001*', language: 'ar' } },
  'entering a code': { url: '/api/auth/verify/otp', body: { phone: '+97333000001*', code: '1234*' } },
  cart: { url: '/api/cart/add', body: { productId: 1, quantity: 1 } },
  profile: { url: '/api/auth/profile', method: 'PUT', body: { name: 'Noura*', address: 'Seef*' }, isSignedIn: true },
  'simulated phone': { url: '/api/simulator/messages?phone=%2B97333000001' },
  pages: { url: '/?vendor=1&size=500ml&lang=en' },
  session: { url: '/api/cart', cookie: `sid=g.${'a'.repeat(43)}*` },
  language: { url: '/api/vendors', cookie: 'lang=en*' },
}

function sqlmap(address, { url, method, body, cookie }) {
  const args = [
    ...['-u', address + url, '--batch', '--level', level, '--risk', '1', '--dbms', 'PostgreSQL', '--flush-session'],
    ...[
      '--threads',
      '4',
      '--time-sec',
      '2',
      '--timeout',
      '10',
      '--retries',
      '1',
      '--output-dir',
      join(folder, 'sqlmap'),
    ],
    ...['--skip-urlencode', '--disable-coloring', '--ignore-code', '401,404'],
    ...(method ? ['--method', method] : []),
    ...(body ? ['--data', JSON.stringify(body), '--headers', 'Content-Type: application/json'] : []),
    ...(cookie ? ['--cookie', cookie] : []),
  ].filter((arg) => arg !== '--skip-urlencode' || body)
  return new Promise((resolve) => {
    const child = spawn('sqlmap', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes))
    child.once('exit', () =>
      resolve({
        isFound: /identified the following injection point|Parameter: .*\n\s+Type:/.test(said),
        isTested: /do not appear to be injectable|identified the following injection point/.test(said),
        said,
      }),
    )
  })
}

/** Number of requests that reached the application, and of those that failed. */
async function answered() {
  const text = await (await fetch(`${server.address}/metrics`)).text()
  const lines = [...text.matchAll(/^qatra_http_request_duration_seconds_count\{[^}]*status="(\d+)"\} (\d+)/gm)]
  const sum = (found) => found.reduce((total, [, , count]) => total + Number(count), 0)
  const prepared = Number(/^qatra_http_prepared_answers_total (\d+)/m.exec(text)?.[1] ?? 0)
  return { all: sum(lines) + prepared, failed: sum(lines.filter(([, status]) => status >= '500')) }
}

let code = 1
try {
  await ready(server.address)
  const { cookies } = await furnish(db, 1)
  await new Promise((done) => naive.listen(port + 2, '127.0.0.1', done))
  const before = await answered()
  const begun = performance.now()
  const chosen = Object.entries(targets).filter(([name]) => name.includes(only))
  const found = []
  const untested = []
  for (const [name, target] of chosen) {
    const so = await answered()
    const cookie = target.isSignedIn ? `sid=${cookies[0]}` : target.cookie
    const { isFound, isTested, said } = await sqlmap(server.address, { ...target, cookie })
    const { all } = await answered()
    if (isFound) found.push(name)
    if (!isTested) untested.push(`${name}: ${said.trim().split('\n').slice(-6).join(' | ')}`)
    console.error(`${name}: ${all - so.all} requests${isFound ? ', INJECTABLE' : ''}`)
  }
  const { all, failed } = await answered()
  const mutant = await sqlmap(`http://127.0.0.1:${port + 2}`, { url: '/?q=Hayrat' })
  for (const line of untested) console.error(`not tested, ${line}`)
  const requests = all - before.all
  const isReached = found.length === 0 && untested.length === 0 && failed === 0 && mutant.isFound && requests > 100
  const minutes = Number(((performance.now() - begun) / 60_000).toFixed(1))
  console.log(
    JSON.stringify({
      bench: 'injection',
      level: Number(level),
      targets: chosen.length,
      requests,
      failed,
      found,
      minutes,
      naiveServerFound: mutant.isFound,
      isReached,
    }),
  )
  code = isReached ? 0 : 1
} finally {
  naive.close()
  server.child.kill('SIGTERM')
  await server.ended
  await close()
}
process.exit(code)
