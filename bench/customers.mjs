import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from './lib/admin-people.mjs'
import { ready, startServer } from './lib/server-process.mjs'

/**
 * Import of 10,000 customers from CSV: checked, written, repeated, undone. A tenth of the phones is in the file twice.
 * `node bench/customers.mjs [rounds]`
 */
const rounds = Number(process.argv[2] ?? 3)
const LIMIT_MS = 20_000
const dataDir = mkdtempSync(join(tmpdir(), 'qatra-customers-'))
const server = startServer({ port: 3177, dataDir, settings: { SEED_DEMO: 'true' } })
process.once('exit', () => server.child.kill('SIGKILL'))
await ready(server.address)
const cookie = await signIn(server.address, '+97336000001')
const url = `${server.address}/api/admin/customers/import`

const heading = 'الهاتف,الاسم,المنطقة,المجمع,الطريق,المبنى,الوسوم,الملاحظات,وافق على العروض,مصدر الموافقة'
const letters = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'
const nameOf = (n) => `${[n % 28, (n >> 3) % 28, (n >> 6) % 28, 5].map((at) => letters[at]).join('')} علي`
const line = (round, n) => {
  const phone = 33_000_000 + round * 10_000 + (n >= 9_000 ? n - 9_000 : n)
  return `${phone},${nameOf(n >= 9_000 ? n - 9_000 : n)},السيف,428,${n},12,شهري؛ مكتب,الباب ${n % 9_000},نعم,نموذج ورقي`
}
async function timed(method, address, body) {
  const started = performance.now()
  const answer = await fetch(address, { method, headers: { cookie }, ...(body && { body }) })
  return { ms: performance.now() - started, status: answer.status, body: await answer.json() }
}
function send(round, query = '') {
  const lines = Array.from({ length: 10_000 }, (_, n) => line(round, n))
  const form = new FormData()
  form.set('file', new Blob([[heading, ...lines].join('\r\n')], { type: 'text/csv' }), 'customers.csv')
  return timed('POST', url + query, form)
}
const figures = { tried: [], written: [], repeated: [], undone: [] }
for (let round = 0; round < rounds; round += 1) {
  const tried = await send(round, '?dryRun=true')
  const written = await send(round)
  const repeated = await send(round)
  const undone = await timed('DELETE', `${url}/${written.body.importId}`)
  const made = [tried.body.created, written.body.created, repeated.body.created, undone.body.removed]
  if (made.join() !== '9000,9000,0,9000')
    throw new Error(`Round ${round}: ${made} ${JSON.stringify(written.body).slice(0, 500)}`)
  for (const [name, { ms }] of Object.entries({ tried, written, repeated, undone })) figures[name].push(ms)
}
server.child.kill('SIGTERM')
await server.ended
rmSync(dataDir, { recursive: true, force: true })
const worst = (all) => Math.round(Math.max(...all))
const median = (all) => Math.round(all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)])
console.log(
  JSON.stringify({
    bench: 'customers',
    rows: 10_000,
    rounds,
    ...Object.fromEntries(
      Object.entries(figures).map(([name, all]) => [name, { medianMs: median(all), worstMs: worst(all) }]),
    ),
    isReached: worst(figures.written) <= LIMIT_MS,
  }),
)
