import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node, toolEnvironment } from '../../scripts/bootstrap.mjs'
import { startEmbeddedDatabase } from '../../server/database/embedded/embedded-database.ts'

/** Limit of one test run; a fault may cause an endless loop or a wait. */
const LIMIT_MS = 600_000
/** What the tests read besides the workspaces. */
const files = ['package.json', 'tsconfig.base.json', 'vitest.config.ts']
const folders = ['contract', 'server', 'web', 'scripts', 'deploy', 'docs', 'linked-device']
/** The zones of other places run a few files again. */
const projects = ['server', 'contract', 'web', 'web-outside-vm'].flatMap((name) => ['--project', name])
/** Of tests without an application: no database is prepared for them. */
const plain = 'vitest.plain.config.ts'
const plainConfig = `export default { test: { environment: 'node', testTimeout: 60_000 } }\n`
const throwaway = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** Paths, from the root, that differ from a commit, those of files not committed included. */
export function changedSince(root, commit) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  return new Set([...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')])
}

/**
 * A copy of the sources, with a PostgreSQL server of its own for tests that start an application: the teardown of a test run
 * drops the databases of all runs of its server.
 */
export async function openLane(root, folder) {
  const copy = join(folder, 'sources')
  mkdirSync(copy, { recursive: true })
  for (const name of files) cpSync(join(root, name), join(copy, name))
  for (const name of folders)
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
  linkModules(root, copy)
  writeFileSync(join(copy, plain), plainConfig)
  const dataDir = join(folder, 'data')
  let database = null
  const startsApplication = (test) => /startShop|testConfig/.test(readFileSync(join(copy, test), 'utf8'))
  return {
    close: () => database?.stop(),
    async try(mutant) {
      const path = join(copy, mutant.file)
      const text = readFileSync(path, 'utf8')
      const at = mutant.at ?? text.indexOf(mutant.find)
      writeFileSync(path, text.slice(0, at) + mutant.replace + text.slice(at + mutant.find.length))
      const begun = performance.now()
      try {
        const report = join(folder, 'report.json')
        const needsDatabase = mutant.tests.some(startsApplication)
        if (needsDatabase) database ??= await startEmbeddedDatabase({ dataDir, log: () => {}, settings: throwaway })
        const config = needsDatabase ? projects : ['--config', plain]
        const code = await runTests(copy, [...config, ...mutant.tests], { report, databaseUrl: database?.url ?? '' })
        return { ...outcomeOf(code, report), seconds: Math.round((performance.now() - begun) / 1000) }
      } finally {
        writeFileSync(path, text)
      }
    },
  }
}

/** Links to the installed packages; the workspaces are those of the copy. */
function linkModules(root, copy) {
  const installed = join(root, 'node_modules')
  const workspaces = new Map([['contract'], ['server'], ['web']].map(([name]) => [`@qatra/${name}`, join(copy, name)]))
  for (const name of readdirSync(installed)) {
    if (!name.startsWith('@')) link(join(installed, name), join(copy, 'node_modules', name))
    else
      for (const inner of readdirSync(join(installed, name))) {
        const path = join(name, inner)
        link(workspaces.get(path) ?? join(installed, path), join(copy, 'node_modules', path))
      }
  }
  for (const name of workspaces.keys()) {
    const own = join(root, name.replace('@qatra/', ''), 'node_modules')
    if (existsSync(own)) link(own, join(copy, name.replace('@qatra/', ''), 'node_modules'))
  }
}

function link(target, path) {
  mkdirSync(join(path, '..'), { recursive: true })
  symlinkSync(target, path)
}

function runTests(copy, words, { databaseUrl, report }) {
  rmSync(report, { force: true })
  const args = ['--root', copy, '--bail', '1', '--maxWorkers', '2', '--reporter=json', `--outputFile=${report}`]
  const { FULL: _, ...environment } = toolEnvironment({ NODE_ENV: 'test', TEST_DATABASE_URL: databaseUrl })
  return new Promise((done) => {
    const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
    const child = spawn(node, [vitest, 'run', ...args, ...words], {
      cwd: copy,
      env: environment,
      stdio: process.env.MUTANTS_OUTPUT ? 'inherit' : 'ignore',
      detached: true,
    })
    const end = () => {
      try {
        process.kill(-Number(child.pid), 'SIGKILL')
      } catch (error) {
        if (error.code !== 'ESRCH') throw error // nothing is left
      }
    }
    const interrupt = () => {
      end()
      process.exit(1)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.once(signal, interrupt)
    const timer = setTimeout(end, LIMIT_MS)
    child.once('exit', (code) => {
      clearTimeout(timer)
      for (const signal of signals) process.off(signal, interrupt)
      done(code)
    })
  })
}

/** A run that ends without a report is not a proof, but one that hangs is: `null` is a run that was ended. */
function outcomeOf(code, report) {
  if (code === 0) return { outcome: 'survived' }
  if (code === null) return { outcome: 'killed', by: 'hangs' }
  if (!existsSync(report)) return { outcome: 'broken', by: 'no test ran' }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed')
  if (failed) return { outcome: 'killed', by: failed.title }
  const message = testResults.find(({ status }) => status === 'failed')?.message ?? 'no test failed'
  return { outcome: 'broken', by: message.split('\n', 1)[0] }
}
