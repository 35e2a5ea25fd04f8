import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, furnish, orderBody } from '../bench/lib/ordering.mjs'
import { ready, startServer } from '../bench/lib/server-process.mjs'
import { startMeta } from '../server/test/simulators/whatsapp-cloud.ts'
import { cloudSettings, openSandbox } from './sandbox.mjs'

/**
 * Two processes of a shop in the states that the alerts are for: WhatsApp away, a queue without workers, orders from
 * areas without delivery, a process killed, a database that hangs. What their `/metrics` said, every ten seconds, is
 * given to the rules of deploy/monitoring by promtool, in real time. Each of the alerts fires, and none of them before;
 * with a threshold a thousand times as high, the same check must fail. `node drills/alerts.mjs`
 */
const SCRAPE_MS = 10_000
const ports = { postgres: 3251, a: 3252, b: 3253 }
const rules = readFileSync(join(import.meta.dirname, '../deploy/monitoring/rules.yml'), 'utf8')
const usedNames = new Set(rules.match(/\b(?:qatra|nodejs)_\w+/g))

const meta = await startMeta()
const { database, folder, db, close } = await openSandbox('alerts', ports.postgres)
const settings = {
  DATABASE_URL: database.url,
  SECRET_KEY: randomBytes(32).toString('base64'),
  ...cloudSettings(meta),
}
const shops = {}
for (const name of ['a', 'b']) shops[name] = startServer({ port: ports[name], dataDir: folder, settings })

/** Samples by series, at their scrape's place. */
const recorded = new Map()
let scrapes = 0
const note = (series, place, value) => {
  const samples = recorded.get(series) ?? []
  samples[place] = value
  recorded.set(series, samples)
}

async function scrape(name, place) {
  const { address } = shops[name]
  const answer = await fetch(`${address}/metrics`, { signal: AbortSignal.timeout(SCRAPE_MS) }).catch(() => null)
  const text = answer?.ok ? await answer.text().catch(() => null) : null
  note(`up{job="qatra",instance="${name}"}`, place, text === null ? 0 : 1)
  for (const line of text?.split('\n') ?? []) {
    const [, metric, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (usedNames.has(metric) && !Number.isNaN(Number(value)))
      note(`${metric}{job="qatra",instance="${name}"${labels && `,${labels}`}}`, place, Number(value))
  }
}

const scraping = []
function startScraping() {
  const begin = () => {
    const place = scrapes++
    for (const name of Object.keys(shops)) scraping.push(scrape(name, place))
  }
  begin()
  const timer = setInterval(begin, SCRAPE_MS)
  return async () => {
    clearInterval(timer)
    await Promise.all(scraping)
  }
}

/** A missing sample after a present one ends the series, as Prometheus does. */
const valuesOf = (samples) =>
  Array.from({ length: scrapes }, (_, i) => samples[i] ?? (i > 0 && samples[i - 1] !== undefined ? 'stale' : '_')).join(
    ' ',
  )

/** Whether these alerts fire at these scrapes, and at no scrape of `quietAt`. */
function evaluate(ruleText, { fired, quietAt }) {
  const isFiring = (alert) => `(count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0) or vector(0)`
  const expectation = (alert, place, value) =>
    `      - { expr: '${isFiring(alert)}', eval_time: ${(place * SCRAPE_MS) / 1000}s, exp_samples: [{ labels: '{}', value: ${value} }] }`
  const lines = [
    ...['rule_files: [rules.yml]', `evaluation_interval: ${SCRAPE_MS / 1000}s`, 'tests:'],
    ...[`  - interval: ${SCRAPE_MS / 1000}s`, '    input_series:'],
    ...[...recorded].map(([series, samples]) => `      - { series: '${series}', values: '${valuesOf(samples)}' }`),
    '    promql_expr_test:',
    ...[...fired].flatMap(([alert, place]) => [expectation(alert, quietAt, 0), expectation(alert, place, 1)]),
  ]
  writeFileSync(join(folder, 'rules.yml'), ruleText)
  writeFileSync(join(folder, 'recorded.yml'), `${lines.join('\n')}\n`)
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'recorded.yml'], { cwd: folder })
  return { isGood: status === 0, output: `${stdout}${stderr}` }
}

const withHighThreshold = (alert) =>
  rules.replace(
    new RegExp(`(- alert: ${alert}\\n[^]*?[<>=] )(\\d+)`),
    (_, before, number) => before + String(Number(number) * 1000 || 1_000_000),
  )

try {
  await Promise.all(Object.values(shops).map(({ address }) => ready(address)))
  const { productId, cookies } = await furnish(db, 60)
  await db.query('update users set is_verified = true')
  const order = async (n, more = {}) => {
    const cookie = cookies[n % cookies.length]
    await call(shops.a.address, 'POST', '/api/cart/add', cookie, { productId, quantity: 3 })
    return call(shops.a.address, 'POST', '/api/orders', cookie, { ...orderBody, ...more })
  }
  const stopScraping = startScraping()
  /** Each alert with the scrape at which it must fire. */
  const fired = new Map()
  const fires = (...alerts) => {
    for (const alert of alerts) fired.set(alert, scrapes - 1)
  }
  for (let n = 0; n < 5; n += 1) await order(n)
  await sleep(3 * SCRAPE_MS)
  const quietAt = scrapes - 1

  await meta.be('fails')
  for (let n = 5; n < 15; n += 1) await order(n)
  await sleep(SCRAPE_MS)
  await meta.be('refuses')
  for (let n = 15; n < 40; n += 1) await order(n)
  for (let n = 0; n < 25; n += 1) await order(40 + (n % 20), { mapCoordinates: { lat: 10, lng: 10 } })
  await db.query(`select pgboss.create_queue('unworked', '{"policy": "standard"}')`)
  await db.query(`insert into pgboss.job (name, start_after) values ('unworked', now() - interval '280 seconds')`)
  await sleep(11 * SCRAPE_MS)
  fires('ProviderAway', 'SendsUnknown', 'CoverageMissed', 'QueueLate')

  shops.b.child.kill('SIGKILL')
  database.signalAll('SIGSTOP')
  const until = performance.now() + 25 * SCRAPE_MS
  for (let n = 0; performance.now() < until; n += 1) {
    await call(shops.a.address, 'POST', '/api/orders', cookies[n % cookies.length], orderBody)
    await sleep(1_000)
  }
  fires('ServerDown', 'DatabaseAway', 'SnapshotStale', 'OrdersFail', 'EndpointFails')
  database.signalAll('SIGCONT')
  await stopScraping()

  const seen = evaluate(rules, { fired, quietAt })
  if (!seen.isGood) process.stderr.write(`${seen.output}\n`)
  const unseen = [...fired.keys()].filter((alert) => evaluate(withHighThreshold(alert), { fired, quietAt }).isGood)
  const isReached = seen.isGood && unseen.length === 0
  const figures = {
    drill: 'alerts',
    scrapes,
    series: recorded.size,
    fired: [...fired.keys()],
    unseenMutants: unseen,
    isReached,
  }
  console.log(JSON.stringify(figures))
  if (!isReached) process.exitCode = 1
} finally {
  for (const { child } of Object.values(shops)) child.kill('SIGKILL')
  await Promise.all(Object.values(shops).map(({ ended }) => ended))
  await meta.stop()
  await close()
}
