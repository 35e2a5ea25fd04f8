import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Mutation testing of the modules for prices, permissions and status transitions by the tests beside them. Each fault is
 * put into a copy of the sources, whose tests must then fail. Code that needs a database is left out: its tests take
 * minutes for each fault. `node drills/mutation.mjs [most faults of a module] [part of a module's name]`
 */
const most = Number(process.argv[2] ?? 12)
const only = process.argv[3] ?? ''
const WANTED = 0.85
/** Time limit of a test run; a fault may cause an endless loop. */
const PATIENCE_MS = 60_000
const root = join(import.meta.dirname, '..')

/** Under contract/, each with its test beside it. */
const modules = [
  'lib/money',
  'links/redirect',
  'orders/order-status',
  'orders/order-id',
  'admin',
  'lib/phone',
  'lib/csv',
]
const faults = [
  [' < ', ' <= '],
  [' <= ', ' < '],
  [' > ', ' >= '],
  [' >= ', ' > '],
  [' === ', ' !== '],
  [' !== ', ' === '],
  [' && ', ' || '],
  [' || ', ' && '],
  [' ?? ', ' && '],
  [' + ', ' - '],
  [' - ', ' + '],
  [' * ', ' / '],
  [' % ', ' * '],
  [': true', ': false'],
  ['return true', 'return false'],
  ['return false', 'return true'],
  ['(!', '('],
  [' !is', ' is'],
  ['.some(', '.every('],
  ['.every(', '.some('],
  ['.includes(', '.startsWith('],
  ['Math.max(', 'Math.min('],
  ['Math.min(', 'Math.max('],
  ['Math.floor(', 'Math.ceil('],
  ['Math.round(', 'Math.floor('],
  [', 0)', ', 1)'],
]

/** All positions of possible faults, except in comments, imports and types. */
function placesIn(text) {
  const places = []
  let at = 0
  let isComment = false
  for (const line of text.split('\n')) {
    if (line.includes('/**')) isComment = true
    const isCode = !isComment && !/^\s*(?:\/\/|import |export type |type |interface |\*)/.test(line)
    const end = line.indexOf(' // ') < 0 ? line.length : line.indexOf(' // ')
    for (const [from, to] of isCode ? faults : [])
      for (let found = line.indexOf(from); found >= 0 && found < end; found = line.indexOf(from, found + 1))
        places.push({ at: at + found, from, to, line: line.trim() })
    if (line.includes('*/')) isComment = false
    at += line.length + 1
  }
  return places
}

/** At most `count` of them, evenly distributed. */
const evenly = (list, count) =>
  list.length <= count ? list : Array.from({ length: count }, (_, n) => list[Math.floor((n * list.length) / count)])

const folder = mkdtempSync(join(tmpdir(), 'qatra-mutation-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'contract'))
cpSync(join(root, 'contract'), join(folder, 'contract'), {
  recursive: true,
  filter: (source) => !source.includes('node_modules'),
})
for (const name of ['package.json', 'tsconfig.base.json']) cpSync(join(root, name), join(folder, name))
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
writeFileSync(
  join(folder, 'vitest.config.ts'),
  `export default { test: { environment: 'node', bail: 1, testTimeout: 40_000 } }\n`,
)

/** Whether the tests of a module pass in the copy. */
function passes(name) {
  return new Promise((done) => {
    const child = spawn(
      join(root, 'node_modules/.bin/node'),
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, `contract/${name}.test.ts`],
      { cwd: folder, stdio: 'ignore', env: { ...process.env, NODE_ENV: 'test', PROPERTY_RUNS: '200' } },
    )
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    child.once('exit', (code) => {
      clearTimeout(timer)
      done(code === 0)
    })
  })
}

const result = {}
const survivors = []
let [found, tried] = [0, 0]
for (const name of modules.filter((one) => one.includes(only))) {
  const file = join(folder, 'contract', `${name}.ts`)
  const text = readFileSync(file, 'utf8')
  // Tests that fail without a fault would detect every fault.
  if (!(await passes(name))) throw new Error(`The tests of ${name} do not pass as they are`)
  const places = evenly(placesIn(text), most)
  let killed = 0
  for (const { at, from, to, line } of places) {
    writeFileSync(file, text.slice(0, at) + to + text.slice(at + from.length))
    if (await passes(name)) survivors.push(`${name}: «${from}» → «${to}» in ${line}`)
    else killed += 1
  }
  writeFileSync(file, text)
  found += killed
  tried += places.length
  result[name] = `${killed}/${places.length}`
}
for (const survivor of survivors) console.error(survivor)
const score = Math.round((found / tried) * 1000) / 1000
console.log(JSON.stringify({ bench: 'mutation', ...result, tried, found, score, isReached: score >= WANTED }))
if (!(score >= WANTED)) process.exitCode = 1
