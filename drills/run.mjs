import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, main, node, root, say, toolEnvironment } from '../scripts/bootstrap.mjs'
import { installPackages, isProgram } from '../scripts/packages.mjs'

/**
 * Arguments of the short and the long form. A mutant is the same drill against a deliberately faulty server; it succeeds
 * if it detects the fault. The drills without one run their faulty counterpart themselves. `needs`: programs with their
 * Debian packages.
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
  'disk-full': { short: [], long: [], needs: { mount: 'mount' } },
  'instance-lost': { short: [], long: [], needs: { haproxy: 'haproxy' } },
  'rolling-restart': { short: ['2'], long: ['6'], mutants: [['2', 'at-once']], needs: { haproxy: 'haproxy' } },
  failover: {
    short: ['1'],
    long: ['5'],
    mutants: [['1', 'asynchronous']],
    needs: {
      patroni: 'patroni',
      etcd: 'etcd-server',
      haproxy: 'haproxy',
      ip: 'iproute2',
      curl: 'curl',
      pg_createcluster: 'postgresql',
    },
  },
  'several-hosts': { short: [], long: [], mutants: [['apart']], needs: { haproxy: 'haproxy', pgbouncer: 'pgbouncer' } },
  migration: { short: ['20000'], long: ['200000'], mutants: [['20000', 'careless']] },
  'hanging-providers': { short: ['300'], long: ['1200'] },
  'behind-proxy': { short: [], long: [], needs: { haproxy: 'haproxy' } },
  'slow-clients': { short: ['200'], long: ['1000'], needs: { slowhttptest: 'slowhttptest' } },
  'upload-bombs': { short: ['5'], long: ['10'] },
  'skewed-clock': { short: [], long: [], needs: { faketime: 'faketime' } },
  enumeration: { short: ['200'], long: ['500'] },
  'sql-injection': { short: ['1'], long: ['3'], needs: { sqlmap: 'sqlmap' } },
  spreadsheet: { short: [], long: [], needs: { soffice: 'libreoffice-calc' } },
  alerts: { short: [], long: [], needs: { promtool: 'prometheus' } },
  alarms: { short: [], long: [], mutants: [['no-bot']], needs: { openssl: 'openssl', mount: 'mount' } },
  'lost-machine': {
    short: [],
    long: [],
    mutants: [['off']],
    needs: { pgbackrest: 'pgbackrest', pg_createcluster: 'postgresql' },
  },
  mutants: { short: ['operators', '--faults', '2'], long: ['--faults', '12', '--lanes', '2'] },
  soak: { short: ['1'], long: ['240'], mutants: [['1', 'leak']] },
}

/** A drill of the short form that takes longer hangs. */
const LONGEST_MS = 600_000

/**
 * npm run drills [-- --long] [name …]: all drills, or those named. Prints a line of JSON for each as it ends, a table, and
 * `drills N/M`: those that passed of those that ran or should have. Output of each: test-results/drills/.
 */
await main(async () => {
  const words = process.argv.slice(2)
  const named = words.filter((word) => !word.startsWith('--'))
  const form = words.includes('--long') ? 'long' : 'short'
  const unknown = named.filter((name) => !(name in drills) && name !== 'providers')
  if (unknown.length > 0) {
    say(`No such drill: ${unknown.join(', ')}. There are ${Object.keys(drills).join(', ')} and providers.`)
    return 1
  }
  await ensureInstalled({ tools: true })
  await ensureBuilt()
  const folder = join(root, 'test-results/drills')
  mkdirSync(folder, { recursive: true })
  const isWanted = (name) => named.length === 0 || named.includes(name)
  const steps = Object.entries(drills)
    .filter(([name]) => isWanted(name))
    .flatMap(([name, { short, long, mutants = [], needs = {} }]) => {
      const script = join(root, `drills/${name}.mjs`)
      const missing = missingOf(needs)
      if (missing.length > 0 && installPackages(missing.map((program) => needs[program]))) missing.length = 0
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
    const seconds = Math.round((performance.now() - begun) / 1000)
    const row = { drill: name, result, seconds, said: output.trimEnd().split('\n').at(-1) ?? '' }
    rows.push(row)
    say(JSON.stringify(row))
  }
  for (const { drill, result, seconds, said } of rows)
    say(`${result.padEnd(8)} ${drill.padEnd(32)} ${String(seconds).padStart(5)} s  ${said}`)
  const passed = rows.filter(({ result }) => result === 'ok').length
  say(`drills ${passed}/${rows.length}`)
  return passed === rows.length ? 0 : 1
})

function missingOf(needs) {
  return Object.keys(needs).filter((program) => !isProgram(program))
}

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
