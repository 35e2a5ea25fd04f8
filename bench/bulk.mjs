import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from './lib/admin-people.mjs'
import { ready, startServer } from './lib/server-process.mjs'

/**
 * Import of a file of 1 000 products: checked, written, and rejected as a whole the second time. `node bench/bulk.mjs
 * [rounds]`
 */
const rounds = Number(process.argv[2] ?? 10)
const dataDir = mkdtempSync(join(tmpdir(), 'qatra-bulk-'))
const server = startServer({ port: 3174, dataDir, settings: { SEED_DEMO: 'true' } })
process.once('exit', () => server.child.kill('SIGKILL'))
await ready(server.address)
const cookie = await signIn(server.address, '+97336000002')

const heading =
  'vendorId,name,nameAr,description,descriptionAr,price,size,imageUrl,vatPercentage,inventoryUnit,unitsPerInventoryUnit'
const lines = (round) =>
  Array.from(
    { length: 1000 },
    (_, n) =>
      `1,Bench water ${round}.${n},مياه القياس ${round}.${n},Still drinking water of round ${round},مياه شرب ساكنة,1.500,${200 + n}ml,https://shop.example/${n}.jpg,0,Carton,24`,
  )
async function send(round, query = '') {
  const form = new FormData()
  form.set('file', new Blob([[heading, ...lines(round)].join('\r\n')], { type: 'text/csv' }), 'products.csv')
  const started = performance.now()
  const answer = await fetch(`${server.address}/api/admin/products/bulk${query}`, {
    method: 'POST',
    headers: { cookie },
    body: form,
  })
  const body = await answer.json()
  return { ms: performance.now() - started, status: answer.status, body }
}
const figures = { tried: [], written: [], refused: [] }
for (let round = 0; round < rounds; round += 1) {
  const [tried, written, refused] = [await send(round, '?dryRun=true'), await send(round), await send(round)]
  if (tried.body.failed?.length !== 0 || written.body.created !== 1000 || refused.body.details?.failed.length !== 1000)
    throw new Error(`Round ${round}: ${JSON.stringify([tried, written, refused]).slice(0, 500)}`)
  figures.tried.push(tried.ms)
  figures.written.push(written.ms)
  figures.refused.push(refused.ms)
}
server.child.kill('SIGTERM')
await server.ended
rmSync(dataDir, { recursive: true, force: true })
const worst = (all) => Math.round(Math.max(...all))
const median = (all) => Math.round(all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)])
console.log(
  JSON.stringify({
    bench: 'bulk',
    rows: 1000,
    rounds,
    ...Object.fromEntries(
      Object.entries(figures).map(([name, all]) => [name, { medianMs: median(all), worstMs: worst(all) }]),
    ),
    isReached: worst(figures.written) <= 2000,
  }),
)
