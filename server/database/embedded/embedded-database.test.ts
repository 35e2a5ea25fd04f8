import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { assertReachable, chooseAccount, grantTraversal, mayUseNamespace } from './postgres-account.ts'

const isRoot = process.geteuid?.() === 0
const passwords = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : ''
const uidOf = (name: string) => Number(new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(passwords)?.[1] ?? Number.NaN)

let dataDir = ''
let children: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'qatra-db-'))
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  const postmaster = postmasterPid()
  if (postmaster !== null && isAlive(postmaster)) {
    process.kill(postmaster, 'SIGQUIT')
    await until(() => !isAlive(postmaster))
  }
  rmSync(dataDir, { recursive: true, force: true })
})

describe('the embedded database', () => {
  it('starts empty, keeps its data over a restart and is unreachable after a stop', async () => {
    const first = await start()
    await query(first.url, 'CREATE TABLE waters (name text); ')
    await query(first.url, "INSERT INTO waters VALUES ('مياه')")
    const pid = postmasterPid() ?? 0
    expect(isAlive(pid)).toBe(true)
    await first.stop()
    expect(isAlive(pid)).toBe(false)

    const second = await start()
    expect(await query(second.url, 'SELECT name FROM waters')).toEqual([{ name: 'مياه' }])
    await second.stop()
  })

  it('uses UTF-8, durable writes, code point order and Arabic trigrams, and opens no port', async () => {
    const database = await start()
    const [settings] = await query(
      database.url,
      `SELECT current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync, 'Z' < 'a' AS ordered,
              current_setting('listen_addresses') AS addresses, lower('É') AS lower, current_setting('TimeZone') AS zone`,
    )
    expect(settings).toEqual({ encoding: 'UTF8', fsync: 'on', ordered: true, addresses: '', lower: 'é', zone: 'UTC' })
    await query(database.url, 'CREATE EXTENSION pg_trgm')
    expect(await query(database.url, "SELECT similarity('مياه الحد', 'مياه') > 0.3 AS similar")).toEqual([
      { similar: true },
    ])
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
    await database.stop()
  })

  it('works under a path longer than a socket address may be', async () => {
    const top = dataDir
    dataDir = join(top, 'a-rather-long-name-for-a-folder'.repeat(2), 'and-another-one-within'.repeat(3))
    const database = await start()
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await database.stop()
    rmSync(top, { recursive: true, force: true })
  })

  it('runs initdb again after the first start was killed half way', async () => {
    mkdirSync(join(dataDir, 'postgres.new'))
    const database = await start()
    expect(await query(database.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await database.stop()
  })
})

describe('the folder lock', () => {
  it('refuses a second process and names the first', async () => {
    const first = await startInProcess()
    await expect(start()).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      pid: first.pid,
      message: expect.stringContaining(`process ${first.pid}`),
    })
    expect(await query(first.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('admits one of two simultaneous first starts', async () => {
    const outcomes = await Promise.allSettled([startInProcess(), startInProcess()])
    expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('after a kill', () => {
  it('ends the server of a killed app and loses no data', async () => {
    for (let round = 0; round < 3; round++) {
      const app = await startInProcess()
      await query(app.url, 'CREATE TABLE IF NOT EXISTS kept (n int)')
      await query(app.url, 'INSERT INTO kept VALUES (1)')
      const orphan = postmasterPid() ?? 0
      app.child.kill('SIGKILL')
      await once(app.child, 'exit')
      expect(isAlive(orphan)).toBe(true)

      const next = await start()
      expect(isAlive(orphan)).toBe(false)
      expect(await query(next.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: round + 1 }])
      await next.stop()
    }
  })

  it('restarts at the same address when only the server is killed', async () => {
    const database = await start()
    await query(database.url, 'CREATE TABLE kept (n int)')
    const killed = postmasterPid() ?? 0
    process.kill(killed, 'SIGKILL')
    await until(() => postmasterPid() !== killed && postmasterPid() !== null)
    await until(async () => (await query(database.url, 'SELECT 1 FROM kept').catch(() => null)) !== null)
    await database.stop()
    expect(postmasterPid()).toBeNull()
  })

  it('recovers when app and server were killed together, and from a pid file of an unrelated process', async () => {
    const app = await startInProcess()
    await query(app.url, 'CREATE TABLE kept (n int)')
    const orphan = postmasterPid() ?? 0
    app.child.kill('SIGKILL')
    process.kill(orphan, 'SIGKILL')
    await until(() => !isAlive(orphan))
    const pidFile = join(dataDir, 'postgres/postmaster.pid')
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(String(orphan), String(process.pid)))

    const next = await start()
    expect(await query(next.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 0 }])
    await next.stop()
  })

  it('shuts down when the app exits without stopping it', async () => {
    const app = await startInProcess('setTimeout(() => process.exit(0), 300)')
    const pid = postmasterPid() ?? 0
    await once(app.child, 'exit')
    await until(() => !isAlive(pid))
  })
})

describe('the account of the database server', () => {
  it.runIf(isRoot && mayUseNamespace(uidOf('nobody')))(
    'is nobody in a user namespace for root, below a closed folder',
    async () => {
      const database = await start()
      expect(statSync(dataDir).mode & 0o777).toBe(0o700)
      expect(statSync(`/proc/${postmasterPid()}`).uid).toBe(0)
      await database.stop()
    },
  )

  it.runIf(isRoot && uidOf('postgres') > 0 && isOpenTo())(
    'is postgres where root may not create namespaces',
    async () => {
      chmodSync(dataDir, 0o755)
      const app = await startInProcess('', { PATH: '/nowhere' })
      expect(statSync(`/proc/${postmasterPid()}`).uid).toBe(uidOf('postgres'))
      app.child.kill('SIGKILL')
      await once(app.child, 'exit')
      // With namespaces available again, the folder's owner keeps running it.
      const again = await start()
      expect(statSync(`/proc/${postmasterPid()}`).uid).toBe(uidOf('postgres'))
      await again.stop()
    },
  )

  it.runIf(isRoot && isOpenTo())('is the own user for an ordinary user', async () => {
    const uid = uidOf('nobody')
    chownSync(dataDir, uid, uid)
    const app = await startInProcess('', {}, uid)
    expect(statSync(`/proc/${postmasterPid()}`).uid).toBe(uid)
    expect(await query(app.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it.runIf(isRoot && isOpenTo())("is refused with the folder's owner for another ordinary user", async () => {
    const database = await start()
    await database.stop()
    chmodSync(dataDir, 0o777)
    rmSync(join(dataDir, 'lock'))
    await expect(startInProcess('', {}, uidOf('nobody'))).rejects.toThrow(/belongs to root/)
  })

  it('is refused with the name of the closed folder and how to open it', () => {
    const closed = join(dataDir, 'closed')
    const account = { prefix: [], uid: 4242, gid: 4242, name: 'postgres' }
    chmodSync(dataDir, 0o755)
    mkdirSync(closed, { mode: 0o700 })
    expect(() => assertReachable(account, [join(closed, 'deeper')])).toThrow(`chmod o+x ${closed}`)
    chmodSync(closed, 0o711)
    expect(() => assertReachable(account, [closed])).not.toThrow()
    expect(() => assertReachable(chooseAccount(join(dataDir, 'none')), [closed])).not.toThrow()
  })

  it.runIf(isRoot)('reaches a data folder that is closed to all other users', () => {
    const account = { prefix: [], uid: 4242, gid: 4242, name: 'postgres' }
    chmodSync(dataDir, 0o700)
    expect(() => assertReachable(account, [dataDir])).toThrow('is closed to it')
    grantTraversal({ prefix: [], name: 'root' }, dataDir)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    grantTraversal(account, dataDir)
    expect([statSync(dataDir).mode & 0o777, statSync(dataDir).gid]).toEqual([0o710, 4242])
    expect(() => assertReachable(account, [dataDir])).not.toThrow()
  })
})

async function start() {
  return await startEmbeddedDatabase({ dataDir, log: () => undefined })
}

/** Starts the database in a separate process, as an app would. */
async function startInProcess(
  afterwards = '',
  env: Record<string, string> = {},
  uid?: number,
): Promise<{ child: ChildProcess; url: string; pid: number | undefined }> {
  const code = `
    const { startEmbeddedDatabase } = await import(${JSON.stringify(new URL('./embedded-database.ts', import.meta.url).href)})
    try {
      const { url } = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log: () => {} })
      console.log(url)
      setInterval(() => {}, 1000)
      ${afterwards}
    } catch (error) { console.log('refused: ' + error.message); process.exit(1) }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
    uid,
    gid: uid,
    cwd: '/',
  })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('refused: ')) throw new Error(line)
    return { child, url: line, pid: child.pid }
  }
  throw new Error('the process ended without a word')
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function postmasterPid(): number | null {
  try {
    return Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 15_000
  while (!(await isTrue())) {
    if (Date.now() > giveUpAt) throw new Error('timed out')
    await sleep(20)
  }
}

/** Whether other users can reach this checkout and Node. */
function isOpenTo(): boolean {
  try {
    assertReachable({ prefix: [], uid: 65534, gid: 65534, name: 'nobody' }, [
      import.meta.dirname,
      dirname(process.execPath),
    ])
    return true
  } catch {
    return false
  }
}
