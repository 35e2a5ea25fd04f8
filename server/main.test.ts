import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { lockFolder } from './database/embedded/folder-lock.ts'
import { startShop } from './test/app.ts'
import { rawConnection } from './test/raw-socket.ts'
import { freePort } from './test/simulators/server.ts'

const secret = 'hunter2-canary'
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Compiled modules, so that each process need not compile the sources again. */
const compiled = mkdtempSync(join(tmpdir(), 'qatra-compiled-'))

interface Ended {
  code: number | null
  output: string
}

function start(file: string, env: Record<string, string>, account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: tmpdir(),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'qatra-main-')),
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...account,
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += String(bytes)))
  const ended = new Promise<Ended>((done) => {
    child.once('close', (code) => {
      children.delete(child)
      done({ code, output })
    })
  })
  return { child, ended, output: () => output }
}

const simulator = { ALLOW_SIMULATOR: 'true' }
describe('an invalid configuration', () => {
  it('is printed by the process, alone, which exits with 78', async () => {
    const env = {
      OTP_TEST_CODE: '7391',
      SECRET_KEY: secret,
      DATABASE_DIRECT_URL: `postgres://qatra:${secret}@db.example/qatra`,
    }
    const { code, output } = await start('main.ts', env).ended
    expect([code, output.trim().split('\n').length]).toEqual([78, 4])
    for (const setting of Object.keys(env)) expect(output).toContain(setting)
    for (const value of [secret, '7391']) expect(output).not.toContain(value)
  })

  it('is refused before the modules of the shop are loaded', async () => {
    const measure = 'process.on("exit",()=>console.log("CPU",process.cpuUsage().user/1e6))'
    const env = { PORT: 'abc', NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(measure)}` }
    const { code, output } = await start('main.ts', env).ended
    expect([code, /^CPU /m.test(output)]).toEqual([78, true])
    // Loading them takes more than a second.
    expect(Number(/^CPU (.*)$/m.exec(output)?.[1])).toBeLessThan(1)
  })

  it('of several settings names them all', async () => {
    const { code, output } = await start('main.ts', { PORT: 'x', SEED_DEMO: 'x', ADMIN_PHONE: 'x' }).ended
    expect(code).toBe(78)
    for (const setting of ['PORT', 'SEED_DEMO', 'ADMIN_PHONE']) expect(output).toContain(setting)
  })
})

describe('the server process', async () => {
  const shop = await startShop()

  async function portInUse() {
    const server = createServer()
    const port = await freePort((free) => {
      server.listen(free, '127.0.0.1')
      return once(server, 'listening')
    })
    return { port: String(port), close: () => new Promise((done) => server.close(done)) }
  }

  async function unusedPort() {
    const { port, close } = await portInUse()
    await close()
    return port
  }

  async function serving(env: Record<string, string> = {}) {
    const port = await unusedPort()
    const running = start('test/processes/standalone.ts', {
      PORT: port,
      DATABASE_URL: shop.databaseUrl,
      ...simulator,
      ...env,
    })
    const address = `http://127.0.0.1:${port}`
    const status = (path: string) =>
      fetch(`${address}${path}`).then(
        (answer) => answer.status,
        () => 0,
      )
    // Loading the sources takes 3 s, and several times that on a busy machine.
    await expect
      .poll(async () => ((await status('/readyz')) === 200 ? 'ready' : running.output()), {
        interval: 100,
      })
      .toBe('ready')
    return { ...running, address, port, status }
  }

  /** A changing request that the server is reading, with half of its body sent. */
  async function halfSent(address: string) {
    const connection = rawConnection(address)
    connection.socket.write(
      `POST /api/cart/add HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n{}`,
    )
    await expect.poll(connection.text).toContain('HTTP/1.1 100 Continue')
    return connection
  }

  it('is not ready after SIGTERM, finishes open requests and exits with 0', async () => {
    const { child, ended, address, status } = await serving({ DRAIN_SECONDS: '4' })
    const request = await halfSent(address)
    child.kill('SIGTERM')
    await expect.poll(() => status('/readyz'), { interval: 50 }).toBe(503)
    expect(await status('/api/vendors')).toBe(200)
    await expect.poll(() => status('/readyz'), { interval: 50 }).toBe(0)
    request.socket.write('  ')
    await request.closed
    expect(request.text()).toMatch(/^HTTP\/1\.1 422 [\s\S]*connection: close/im)
    const { code, output } = await ended
    expect(code).toBe(0)
    expect(output).not.toMatch(/"level":"(error|fatal)"/)
  })

  it('exits even if a request never finishes', async () => {
    const { child, ended, address } = await serving()
    await halfSent(address)
    const begun = performance.now()
    child.kill('SIGTERM')
    expect((await ended).code).toBe(0)
    expect(performance.now() - begun).toBeGreaterThan(5_000)
  })

  it('exits at once on a second signal', async () => {
    const { child, ended, address } = await serving()
    await halfSent(address)
    child.kill('SIGTERM')
    await sleep(3_000)
    child.kill('SIGTERM')
    expect((await ended).code).toBe(1)
  })

  it('prints who may sign in and where the simulator is', async () => {
    const { child, ended, output, port } = await serving({ SEED_DEMO: 'true' })
    await expect.poll(output).toContain('+97336000001   super_admin')
    expect(output()).toContain(`http://localhost:${port}/simulator`)
    child.kill('SIGINT')
    expect((await ended).code).toBe(0)
  })

  const withoutPages = { QATRA_PAGES: 'elsewhere' }
  /** Runs as nobody where the tests run as root, who may write everywhere. */
  const nobody = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const closedFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'qatra-closed-'))
    chmodSync(folder, 0o555)
    return folder
  }
  const inDatabase = (change: (url: URL) => void) => {
    const url = new URL(shop.databaseUrl)
    change(url)
    return { ...simulator, DATABASE_URL: url.href }
  }
  /** A database that `text` has changed, in the place of the shop's. */
  async function otherDatabase(text: string) {
    const name = `others_${randomBytes(6).toString('hex')}`
    await shop.query(`create database ${name}`)
    const env = inDatabase((url) => void (url.pathname = `/${name}`))
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query(text)
    await client.end()
    return env
  }

  const failures: [kind: string, code: number, words: RegExp, env: () => Promise<Record<string, string>>][] = [
    [
      'a folder that it may not write',
      78,
      /qatra-closed-\w+\S* cannot be .* by this user; chown it, or set another DATA_DIR/,
      async () => ({ DATA_DIR: closedFolder() }),
    ],
    [
      'a folder below a closed one',
      78,
      /cannot be .* by this user; chown it/,
      async () => ({ DATA_DIR: join(closedFolder(), 'data') }),
    ],
    [
      'a folder below a file',
      78,
      /is below a file; set another DATA_DIR/,
      async () => ({ DATA_DIR: '/dev/null/data' }),
    ],
    [
      'an address of another machine',
      78,
      /HOST 192\.0\.2\.1 is no address of this machine/,
      async () => ({ HOST: '192.0.2.1', ...simulator }),
    ],
    [
      'no database at the address',
      75,
      /is not reached \(ECONNREFUSED\); is it running/,
      async () => ({ ...simulator, DATABASE_URL: `postgres://qatra:${secret}@127.0.0.1:9/qatra` }),
    ],
    [
      'no database of that name',
      78,
      /no database of that name; create it/,
      async () => inDatabase((url) => void (url.pathname = '/none')),
    ],
    [
      'an unknown user',
      78,
      /refuses the user of DATABASE_URL/,
      async () => inDatabase((url) => void (url.username = 'nobody-known')),
    ],
    [
      'tables of another program',
      78,
      /tables of another program; name an empty one/,
      () => otherDatabase('create table users (id text)'),
    ],
  ]

  it.each(failures)('that finds %s exits with %i and one sentence', async (_, code, words, env) => {
    const given = await env()
    const ended = await start(
      'main.ts',
      { PORT: await unusedPort(), ...withoutPages, ...given },
      given['DATA_DIR'] ? nobody : {},
    ).ended
    expect(ended.output).toMatch(words)
    expect({ code: ended.code, lines: ended.output.trim().split('\n').length }).toEqual({ code, lines: 1 })
    expect(ended.output).not.toContain(secret)
  })

  it('exits with 78 before it changes a database, if its port is in use', async () => {
    const { port, close } = await portInUse()
    const env = await otherDatabase('create table users (id text)')
    const { code, output } = await start('main.ts', { PORT: port, ...withoutPages, ...env }).ended
    await close()
    const words = `Port ${port} of 127.0.0.1 is taken by another program; stop that one, or choose another: PORT=3001`
    expect([code, output.trim()]).toEqual([78, words])
  })

  it('exits with 78 if another process has the data folder, which it names', async () => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'qatra-held-'))
    const { release } = lockFolder(DATA_DIR)
    const { code, output } = await start('main.ts', { PORT: await unusedPort(), ...withoutPages, DATA_DIR }).ended
    release()
    expect([code, output.trim().split('\n').length]).toEqual([78, 1])
    expect(output).toContain(`in use by process ${process.pid}. Stop that one first`)
  })

  it('answers a request that came while it started', async () => {
    const port = await unusedPort()
    const running = start('test/processes/standalone.ts', { PORT: port, DATABASE_URL: shop.databaseUrl, ...simulator })
    let connection = rawConnection(`http://127.0.0.1:${port}`)
    await expect
      .poll(async () => {
        if (connection.socket.destroyed) connection = rawConnection(`http://127.0.0.1:${port}`)
        await Promise.race([once(connection.socket, 'connect'), connection.closed])
        return connection.socket.readyState
      })
      .toBe('open')
    expect(running.output()).toBe('')
    connection.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(connection.text).toContain('HTTP/1.1 200 OK')
  })
})
