import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startShop } from './lib/shop-process.mjs'

/**
 * Time from the command to the first answer of /readyz, installed and built: the first start creates database and demo
 * data, later ones find them. `node bench/start.mjs [rounds]`
 */
const rounds = Number(process.argv[2] ?? 3)
const port = 4251
const first = []
const later = []
for (let n = 0; n < rounds; n += 1) {
  const dataDir = mkdtempSync(join(tmpdir(), 'qatra-start-'))
  for (const times of [first, later]) {
    const shop = await startShop({ port, dataDir })
    times.push(shop.readyMs)
    await shop.stop()
  }
  rmSync(dataDir, { recursive: true, force: true })
}
const median = (times) => Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)])
console.log(
  JSON.stringify({
    bench: 'start',
    rounds,
    firstMs: median(first),
    laterMs: median(later),
    isReached: median(first) <= 12_000 && median(later) <= 5_000,
  }),
)
