import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, main, node, root, say, toolEnvironment } from './bootstrap.mjs'
import * as codeChecks from './code-checks.mjs'
import { isProgram } from './packages.mjs'
import { slowPatterns } from './regex-checks.mjs'
import * as supplyChecks from './supply-checks.mjs'

/** Fewer modules than this means that the import checker is blind, not that everything is right. */
const fewestModules = 100

/** npm run check [-- name …]: all checks, or those named. */
await main(async () => {
  await ensureInstalled({ tools: true })
  const wanted = process.argv.slice(2)
  const sources = codeChecks.readSources(root)
  const steps = Object.entries({
    types: () => tool('typescript/bin/tsc', '-b'),
    lint: () => tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
    format: () => tool('@biomejs/biome/bin/biome', 'format'),
    imports,
    'dead-code': () => tool('knip/bin/knip.js', '--no-progress', '--no-config-hints'),
    'file-length': () => listed(codeChecks.longFiles(sources)),
    colours: () => listed(codeChecks.rawColours(sources)),
    sides: () => listed(codeChecks.physicalSides(sources)),
    'type-size': () => listed(codeChecks.fixedType(sources)),
    formats: () => listed([...codeChecks.strayFormats(sources), ...codeChecks.strayRounding(sources)]),
    'site-data': () => listed(codeChecks.straySiteData(sources)),
    sessions: () => listed(codeChecks.straySessions(sources)),
    sql: () => listed(codeChecks.builtSql(sources)),
    writes: () => listed([...codeChecks.foreignWrites(sources), ...codeChecks.triggersUpwards(sources)]),
    words: () => listed([...codeChecks.strayWords(sources), ...codeChecks.unevenMessages(sources)]),
    patterns: async () => {
      const { findings, count } = await slowPatterns(sources)
      return listed(findings, `${count} patterns`)
    },
    alerts,
    mutants,
    supply,
    audit,
  }).filter(([name]) => wanted.length === 0 || wanted.includes(name))

  let failed = 0
  const queue = [...steps]
  const work = async () => {
    for (let step = queue.shift(); step; step = queue.shift()) {
      const [name, check] = step
      const begun = performance.now()
      const { isGood, output = '', note = '' } = await check()
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      say(`${isGood ? 'ok' : 'NO'}  ${name.padEnd(12)} ${seconds.padStart(5)} s  ${note}`)
      if (!isGood) {
        failed++
        say(output.trimEnd().replace(/^/gm, '      '))
      }
    }
  }
  await Promise.all([work(), work()])
  say(`${steps.length - failed} checks passed, ${failed} failed`)
  return failed === 0 && steps.length > 0 ? 0 : 1
})

function listed(findings, note) {
  return { isGood: findings.length === 0, output: findings.join('\n'), note }
}

async function tool(path, ...args) {
  const { code, output } = await capture(node, [join(root, 'node_modules', path), ...args])
  return { isGood: code === 0, output }
}

async function imports() {
  const { code, output } = await capture(node, [
    join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
    ...['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'contract', 'server', 'web', 'demo'],
  ])
  const modules = Number(/(\d+) modules/.exec(output)?.[1] ?? 0)
  if (modules >= fewestModules) return { isGood: code === 0, output, note: `${modules} modules` }
  return { isGood: false, output: `${output}\nOnly ${modules} modules were seen: the parser does not work.` }
}

/** The alerts are right to Prometheus, and fire in their tests. */
async function alerts() {
  if (!isProgram('promtool')) return { isGood: true, note: 'SKIPPED: promtool is missing (apt-get install prometheus)' }
  const folder = join(root, 'deploy/monitoring')
  const checks = [
    ['check', 'config', '--syntax-only', join(folder, 'prometheus.yml')],
    ['check', 'rules', join(folder, 'rules.yml')],
    ['test', 'rules', join(folder, 'rules.test.yml')],
    ['test', 'rules', join(folder, 'rules.days.test.yml')],
  ]
  const results = await Promise.all(checks.map((args) => capture('promtool', args)))
  return { isGood: results.every(({ code }) => code === 0), output: results.map(({ output }) => output).join('') }
}

/** Each named fault can still be put into the sources. */
async function mutants() {
  const { code, output } = await capture(node, [join(root, 'drills/mutants.mjs'), '--check'])
  return { isGood: code === 0, output }
}

function supply() {
  const [lock, { allowScripts }] = ['package-lock.json', 'package.json'].map((name) =>
    JSON.parse(readFileSync(join(root, name), 'utf8')),
  )
  return listed([
    ...supplyChecks.incompleteLock(lock),
    ...supplyChecks.unnamedScripts(lock, allowScripts),
    ...supplyChecks.closedLicences(lock),
    ...supplyChecks.unnamedRelease(lock, readFileSync(join(root, 'CHANGELOG.md'), 'utf8')),
  ])
}

async function audit() {
  const args = ['audit', '--omit=dev', '--json']
  const npm = process.env.npm_execpath
  const { output } = await (npm ? capture(process.execPath, [npm, ...args]) : capture('npm', args))
  const found = parsed(output)?.metadata?.vulnerabilities
  if (!found) return { isGood: true, note: 'SKIPPED: the registry gives no audit' }
  return { isGood: found.high + found.critical === 0, output: '`npm audit --omit=dev` says more', note: summary(found) }
}

function summary({ critical, high, moderate, low }) {
  return `${critical} critical, ${high} high, ${moderate} moderate, ${low} low`
}

function parsed(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return null
  }
}

function capture(command, args) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, env: toolEnvironment({ NO_COLOR: '1' }) })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code, output }))
  })
}
