import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from './lib/postgres.mjs'

/**
 * Catalogue and home page beside a bare node server that sends the same bytes; alternating, one server at a time,
 * in the same run. `node bench/catalogue.mjs [rounds] [seconds of a round]`
 */
const rounds = Number(process.argv[2] ?? 7)
const seconds = Number(process.argv[3] ?? 2)
const connections = 16
const ports = { postgres: 4192, shop: 4190, bare: 4191 }
const root = join(import.meta.dirname, '..')
const node = join(root, 'node_modules/.bin/node')
const built = join(root, 'build/server/main.js')
const entry = process.env.SERVER_ENTRY ?? (existsSync(built) ? built : join(root, 'server/main.ts'))

const has = (tool) => spawnSync('which', [tool]).status === 0
// Pins server and load to one core each if `taskset` is available.
const onCore = (core) => (has('taskset') ? ['taskset', '-c', String(core)] : [])
if (!has('wrk')) throw new Error('This needs wrk: apt-get install wrk')

const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-'))
const database = await startPostgres(ports.postgres)
const children = new Set()

function start(env, file) {
  const [command, ...args] = [...onCore(0), node, file]
  const stdio = ['ignore', 'ignore', 'inherit']
  const child = spawn(command, args, {
    cwd: folder,
    stdio,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
  })
  children.add(child)
  return child
}

async function end(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  children.delete(child)
}

/** One request by node's client, which does not decompress the body. */
const fetchBytes = (port, path, headers) =>
  new Promise((resolve, reject) => {
    const sent = request({ port, path, headers, host: '127.0.0.1', agent: false }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject).end()
  })

async function answering(port, path, headers = {}) {
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetchBytes(port, path, headers).catch(() => null)
    if (answer?.status === 200) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`Nothing good answers on port ${port} to ${path}`)
}

/** Requests per second; throws on any status but 200. */
function drive(port, path, headers, duration) {
  const url = `http://127.0.0.1:${port}${path}`
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const [command, ...args] = [...onCore(1), 'wrk', '-t1', `-c${connections}`, `-d${duration}s`, ...given, url]
  const text = execFileSync(command, args).toString()
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)[1])
}

/** CPU time of a server so far, in ticks; null if the system does not report it. */
function ticksOf(child) {
  if (!existsSync(`/proc/${child.pid}/stat`)) return null
  // The name in brackets may hold spaces; user and system time are the 12th and 13th field behind it.
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** A vendor with thirty products, the number of the published figure. */
async function furnish() {
  const db = new pg.Client({ connectionString: database.url })
  await db.connect()
  const { rows } = await db.query(`insert into vendors (name, name_ar) values ('Bench', 'قياس') returning id`)
  await db.query(
    `insert into products (vendor_id, name, name_ar, description, description_ar, price, size, vat_percentage, inventory_unit,
       inventory_unit_ar, units_per_inventory_unit, duplicate_key)
     select $1, 'Bench water ' || n, 'مياه القياس ' || n, 'Balanced still drinking water. For work and the way.',
       'مياه شرب متوازنة. للدوام والطريق.', 1000 + n, '500ml', 10, 'Carton', 'كرتون', 24, 'bench ' || n
     from generate_series(1, 30) n`,
    [rows[0].id],
  )
  await db.end()
  return rows[0].id
}

async function measure(shop, { what, path, headers, goal }) {
  await answering(ports.shop, path, headers)
  // The compressed response is created after the first ones.
  await new Promise((resolve) => setTimeout(resolve, 500))
  const answer = await answering(ports.shop, path, headers)
  const wantsCompressed = 'accept-encoding' in headers
  if (wantsCompressed !== 'content-encoding' in answer.headers) throw new Error(`${what}: not the encoding asked for`)
  const bodyFile = join(folder, 'body')
  writeFileSync(bodyFile, answer.body)
  const kept = ['content-type', 'content-length', 'content-encoding'].filter((name) => name in answer.headers)
  const sentHeaders = Object.fromEntries(kept.map((name) => [name, answer.headers[name]]))
  const bare = start(
    { PORT: String(ports.bare), BODY: bodyFile, ANSWER: JSON.stringify({ headers: sentHeaders }) },
    join(import.meta.dirname, 'bare-bytes.mjs'),
  )
  await answering(ports.bare, path)

  const children = { shop, bare }
  const perSecond = { shop: [], bare: [] }
  const ticks = { shop: 0, bare: 0 }
  const requests = { shop: 0, bare: 0 }
  for (const kind of ['shop', 'bare']) drive(ports[kind], path, headers, 1)
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 ? ['shop', 'bare'] : ['bare', 'shop']) {
      const before = ticksOf(children[kind])
      const rate = drive(ports[kind], path, headers, seconds)
      perSecond[kind].push(rate)
      requests[kind] += rate * seconds
      ticks[kind] += ticksOf(children[kind]) - before
    }
  }
  await end(bare)
  const ratios = perSecond.shop.map((rate, i) => rate / perSecond.bare[i])
  const cost = (kind) => ticks[kind] / requests[kind]
  return {
    what,
    bytes: answer.body.length,
    'shop/s': Math.round(median(perSecond.shop)),
    'bare/s': Math.round(median(perSecond.bare)),
    ratio: Number(median(ratios).toFixed(3)),
    // Also by CPU time per request, which other load on the machine does not affect.
    'ratio by cpu': ticks.shop > 0 ? Number((cost('bare') / cost('shop')).toFixed(3)) : null,
    goal,
    ratios: ratios.map((one) => Number(one.toFixed(2))),
  }
}

try {
  const shop = start(
    {
      PORT: String(ports.shop),
      DATABASE_URL: database.url,
      DATA_DIR: folder,
      ALLOW_SIMULATOR: 'true',
      SEED_DEMO: 'true',
      LOG_LEVEL: 'error',
    },
    entry,
  )
  await answering(ports.shop, '/api/vendors')
  const thirty = `/api/products?vendorId=${await furnish()}`
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const br = { 'accept-encoding': 'gzip, br' }
  const results = []
  for (const one of [
    { what: 'catalogue, 30 products', path: thirty, headers: {}, goal: 0.7 },
    { what: 'catalogue, 30 products, br', path: thirty, headers: br, goal: 0.7 },
    { what: 'catalogue, everything', path: '/api/products', headers: {}, goal: 0.7 },
    { what: 'catalogue, everything, br', path: '/api/products', headers: br, goal: 0.7 },
    { what: 'home page, ar, br', path: '/', headers: br, goal: 0.5 },
    { what: 'home page, en, br', path: '/', headers: { ...br, cookie: 'lang=en' }, goal: 0.5 },
    { what: 'home page of an area, ar, br', path: '/', headers: { ...br, cookie: 'lang=ar; area=1' }, goal: 0.5 },
  ])
    results.push(await measure(shop, one))
  console.table(results.map(({ ratios: _, ...row }) => row))
  console.log(JSON.stringify({ bench: 'catalogue', connections, rounds, seconds, postgres: database.version, results }))
} finally {
  for (const child of children) await end(child)
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
