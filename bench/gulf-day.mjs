import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { countKinds, readStatements, recorded } from './cross-shard.mjs'
import { createActs } from './gulf-day/acts.mjs'
import { measureActs, measureIdle } from './gulf-day/costs.mjs'
import { arrivals, dayOf, gulf, sizes } from './gulf-day/curves.mjs'
import { machinesFor } from './gulf-day/machines.mjs'
import { measureCommits, measureOrders, runPeak } from './gulf-day/peak.mjs'
import { startWorld } from './gulf-day/world.mjs'

/**
 * A day of 150,000 orders as far as this machine goes, and by arithmetic to the machines for it: the cost of each kind of
 * act alone, all of them in the proportions of the peak hour at rising rates, and what orders wait for. On Linux.
 * `node bench/gulf-day.mjs [--short]`. Its statements are left for `bench/cross-shard.mjs`.
 */
const { values: given } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const form = given.short
  ? { orders: 5_000, idle: 4, alone: 3, step: 6, placed: 100, commits: 1 }
  : { orders: 20_000, idle: 10, alone: 8, step: 10, placed: 300, commits: 3 }
/** Of the processor time that the costs of single acts predict. */
const MOST_DEVIATION = 0.35

const rounded = (value) => (typeof value !== 'number' ? value : Number(value.toPrecision(value >= 100 ? 4 : 3)))
function print(title, rows) {
  const keys = Object.keys(rows[0])
  const line = (cells) => `| ${cells.join(' | ')} |`
  const lines = rows.map((row) => line(keys.map((key) => rounded(row[key]))))
  console.log(['', title, '', line(keys), line(keys.map(() => '---')), ...lines].join('\n'))
}
const parts = ({ web, worker, database }) => [web, worker, database].map((share) => share.toFixed(2)).join(' + ')

const { acts } = dayOf(gulf)
print(
  `The day: ${gulf.orders} orders`,
  acts.map(({ name, is, daily, peak }) => ({ act: name, is, daily, 'a second at the peak': peak })),
)
print('Assumed arrivals', arrivals)

const world = await startWorld(form.orders)
try {
  const { db } = world
  const kit = await createActs(world)
  await kit.stock({ ships: 0, deliveries: 400 })
  const idle = await measureIdle(world, form.idle)
  const { costs, rows } = await measureActs(world, kit, idle, form.alone)
  print('The cost of each act: milliseconds of processor, bytes, p95 in ms', rows)
  const share = (key) => ((idle[key] * 1000) / idle.seconds).toFixed(1)
  console.log(`\nIdle, ms a second: web ${share('web')}, worker ${share('worker')}, PostgreSQL ${share('database')}.`)
  const machines = sizes.map((size) => machinesFor(size, { costs, idle }))
  print(
    'By arithmetic, at 60 % of a core',
    Object.keys(machines[0]).map((key) => ({
      '': key,
      ...Object.fromEntries(machines.map((one) => [one.size, rounded(one[key])])),
    })),
  )

  await db.query('select pg_stat_statements_reset()')
  const steps = await runPeak(world, kit, { costs, idle, seconds: form.step })
  print(
    'All acts in the proportions of the peak; cores of web + worker + PostgreSQL',
    steps.map(({ p95, measured, predicted, ...step }) => ({
      ...step,
      measured: parts(measured),
      predicted: parts(predicted),
    })),
  )
  print(
    'p95 of each act, ms',
    steps.map(({ scale, p95 }) => ({ scale, ...p95 })),
  )
  const statements = await readStatements(db)
  print('Where 32 customers wait who order at once', [await measureOrders(world, kit, form.placed)])
  print('Commits a second by 32 connections', [await measureCommits(world, form.commits)])
  print('Statements by the shards that they would touch', countKinds(statements))
  mkdirSync(new URL('.', recorded), { recursive: true })
  writeFileSync(recorded, JSON.stringify(statements))

  const { scale, orders, busy, ratio } = steps.at(-1)
  const failures = steps.reduce((sum, step) => sum + step.failures, 0)
  const isReached = failures === 0 && Math.abs(ratio - 1) <= MOST_DEVIATION
  console.log(JSON.stringify({ bench: 'gulf-day', scale, orders, busy, ratio, failures, isReached }))
  if (!isReached) process.exitCode = 1
} finally {
  await world.stop()
}
