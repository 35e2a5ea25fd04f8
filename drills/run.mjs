import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, main, node, root, say, toolEnvironment } from '../scripts/bootstrap.mjs'

/**
 * Arguments of the short and the long form. A mutant is the same drill against a deliberately faulty server; it succeeds
 * if it detects the fault. The drills without one run their faulty counterpart themselves. `needs`: programs of Debian.
 */
const drills = {
  kill: {
    short: ['5'],
    long: ['20'],
    mutants: [
      ['5', 'no-key'],
      ['5', 'early'],
    ],
  },
  'webhook-kill': { short: ['300'], long: ['1000'], mutants: [['300', 'early']] },
  'campaign-kill': { short: ['--people', '1000'], long: [] },
  'embedded-dies': { short: ['5'], long: ['25'], mutants: [['5', 'forgetful']] },
  'database-dies': { short: ['2'], long: ['5'], mutants: [['2', 'forgetful']] },
  'disk-full': { short: [], long: [], needs: ['mount'] },
  'instance-lost': { short: [], long: [], needs: ['haproxy'] },
  'rolling-restart': { short: ['2'], long: ['6'], mutants: [['2', 'at-once']], needs: ['haproxy'] },
  migration: { short: ['20000'], long: ['200000'], mutants: [['20000', 'careless']] },
  'hanging-providers': { short: ['300'], long: ['1200'] },
  'behind-proxy': { short: [], long: [], needs: ['haproxy'] },
  'slow-clients': { short: ['200'], long: ['1000'], needs: ['slowhttptest'] },
  'upload-bombs': { short: ['5'], long: ['10'] },
  'skewed-clock': { short: [], long: [], needs: ['faketime'] },
  enumeration: { short: ['200'], long: ['500'] },
  'sql-injection': { short: ['1'], long: ['3'], needs: ['sqlmap'] },
  spreadsheet: { short: [], long: [], needs: ['soffice'] },
  mutation: { short: ['2'], long: ['12'] },
  soak: { short: ['1'], long: ['240'], mutants: [['1', 'leak']] },
}

const isProgram = (name) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))

/** A drill of the short form that takes longer hangs. */
const LONGEST_MS = 600_000

/** npm run drills [-- --long] [name …]: all drills, or those named. Output of each: test-results/drills/. */
await main(async () => {
  const words = process.argv.slice(2)
  const named = words.filter((word) => !word.startsWith('--'))
  const form = words.includes('--long') ? 'long' : 'short'
  const unknown = named.filter((name) => !(name in drills) && name !== 'providers')
  if (unknown.length > 0) {
    say(`No such drill: ${unknown.join(', ')}. There are ${Object.keys(drills).join(', ')} and providers.`)
    return 1
  }
  await ensureInstalled()
  await ensureBuilt()
  const folder = join(root, 'test-results/drills')
  mkdirSync(folder, { recursive: true })
  const isWanted = (name) => named.length === 0 || named.includes(name)
  const steps = Object.entries(drills)
    .filter(([name]) => isWanted(name))
    .flatMap(([name, { short, long, mutants = [], needs = [] }]) => {
      const script = join(root, `drills/${name}.mjs`)
      const missing = needs.filter((program) => !isProgram(program))
      return [
        { name, missing, args: [script, ...(form === 'long' ? long : short)] },
        ...mutants.map((args) => ({ name: `${name} (mutant ${args.at(-1)})`, missing, args: [script, ...args] })),
      ]
    })
  // The table of failing providers and pages runs in the browser.
  const journeys = [join(root, 'scripts/test.mjs'), '--browser', '--project=ar-phone', '-g', '@drill']
  if (isWanted('providers')) steps.push({ name: 'providers', missing: [], args: journeys })

  const rows = []
  for (const { name, missing, args } of steps) {
    const begun = performance.now()
    const { code, output } =
      missing.length > 0
        ? { code: null, output: `needs ${missing.join(', ')}` }
        : await capture(args, form === 'short' ? LONGEST_MS : null)
    writeFileSync(join(folder, `${name.replace(/\W+/g, '-')}.log`), output)
    const result = code === null ? 'not run' : code === 0 ? 'ok' : 'FAILED'
    rows.push(result)
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    say(`${result.padEnd(8)} ${name.padEnd(32)} ${seconds.padStart(5)} s  ${output.trimEnd().split('\n').at(-1)}`)
  }
  return rows.every((result) => result === 'ok') ? 0 : 1
})

/** Runs a script in a process group of its own, and ends whatever the script leaves behind. */
function capture(args, limitMs) {
  return new Promise((done) => {
    const env = toolEnvironment({ DRILLS: 'on', NO_COLOR: '1' })
    const child = spawn(node, args, { cwd: root, env, detached: true })
    let output = ''
    function endGroup() {
      try {
        process.kill(-Number(child.pid), 'SIGKILL')
      } catch (error) {
        if (error.code !== 'ESRCH') throw error // nothing is left
      }
    }
    function interrupt() {
      endGroup()
      process.exit(1)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.once(signal, interrupt)
    const timer =
      limitMs &&
      setTimeout(() => {
        output += `\nstill running after ${limitMs / 1000} s`
        endGroup()
      }, limitMs)
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('exit', () => {
      clearTimeout(timer)
      for (const signal of signals) process.off(signal, interrupt)
      endGroup()
    })
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}
