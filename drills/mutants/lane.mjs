import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node, toolEnvironment } from '../../scripts/bootstrap.mjs'

/** Limit of one test run; a fault may cause an endless loop or a wait. */
const LIMIT_MS = 600_000
/** What the tests read besides the workspaces. */
const files = ['package.json', 'tsconfig.base.json', 'vitest.config.ts']
const folders = ['contract', 'server', 'web', 'demo', 'scripts', 'deploy', 'docs', 'linked-device']
/** The zones of other places run a few files again. */
const projects = ['server', 'contract', 'web', 'web-outside-vm']

/** Paths, from the root, that differ from a commit, those of files not committed included. */
export function changedSince(root, commit) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
  return new Set([...git('diff', '--name-only', commit), ...git('ls-files', '--others', '--exclude-standard')])
}

/** A copy of the sources with a process that runs its tests. */
export async function openLane(root, folder) {
  const copy = join(folder, 'sources')
  mkdirSync(copy, { recursive: true })
  for (const name of files) cpSync(join(root, name), join(copy, name))
  for (const name of folders)
    if (existsSync(join(root, name)))
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
  linkModules(root, copy)
  const runner = startRunner(copy)
  const run = async ({ file, tests }) => {
    const begun = performance.now()
    const answer = await runner.run({ projects, changed: join(copy, file), tests })
    return { ...answer, seconds: Math.round((performance.now() - begun) / 1000) }
  }
  return {
    close: () => runner.end(),
    async try(mutant) {
      const path = join(copy, mutant.file)
      const text = readFileSync(path, 'utf8')
      const at = mutant.at ?? text.indexOf(mutant.find)
      writeFileSync(path, text.slice(0, at) + mutant.replace + text.slice(at + mutant.find.length))
      try {
        return await run(mutant)
      } finally {
        writeFileSync(path, text)
      }
    },
    /** The same tests without the fault: they pass, or the kills of this lane prove nothing. */
    control: run,
  }
}

/** The process that runs tests; it is started again after one that hung. */
function startRunner(copy) {
  let child = null
  const end = () => {
    if (!child) return
    const { pid } = child
    child = null
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      if (error.code !== 'ESRCH') throw error // it has ended
    }
  }
  process.once('exit', end)
  const start = () => {
    const { FULL: _, ...environment } = toolEnvironment({ NODE_ENV: 'test' })
    const output = process.env.MUTANTS_OUTPUT ? 'inherit' : 'ignore'
    return spawn(node, [join(import.meta.dirname, 'runner.mjs')], {
      cwd: copy,
      env: environment,
      stdio: ['ignore', output, output, 'ipc'],
      detached: true,
    })
  }
  return {
    async end() {
      if (!child) return
      const ended = new Promise((done) => child.once('exit', done))
      child.disconnect()
      await ended
      child = null
    },
    run(message) {
      child ??= start()
      return new Promise((done) => {
        const timer = setTimeout(() => {
          end()
          done({ outcome: 'killed', by: 'hangs' })
        }, LIMIT_MS)
        const answer = (outcome) => {
          clearTimeout(timer)
          child?.off('message', answer)
          child?.off('exit', exit)
          done(outcome)
        }
        const exit = () => {
          child = null
          answer({ outcome: 'broken', by: 'the test process ended' })
        }
        child.once('message', answer)
        child.once('exit', exit)
        child.send(message)
      })
    },
  }
}

/** Links to the installed packages; the workspaces are those of the copy. */
function linkModules(root, copy) {
  const installed = join(root, 'node_modules')
  const workspaces = new Map(
    [['contract'], ['server'], ['web'], ['demo']].map(([name]) => [`@qatra/${name}`, join(copy, name)]),
  )
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
