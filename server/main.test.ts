import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config/config.ts'
import { weaknessOf } from './config/values.ts'
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

function start(file: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    env: {
      PATH: process.env['PATH'] ?? '',
      TMPDIR: tmpdir(),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'qatra-main-')),
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
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
const cloud = {
  WHATSAPP_PROVIDER: 'cloud',
  WHATSAPP_TOKEN: secret,
  WHATSAPP_PHONE_NUMBER_ID: '1',
  WHATSAPP_APP_SECRET: secret,
}
const database = `postgres://qatra:${secret}@db.example/qatra`

/** Case name, environment, and the setting that the message must name. */
const bad: [name: string, env: Record<string, string>, setting: string][] = [
  ['a test code in production', { OTP_TEST_CODE: '7391' }, 'OTP_TEST_CODE'],
  ['a test code in “prod”', { OTP_TEST_CODE: '7391', NODE_ENV: 'prod' }, 'OTP_TEST_CODE'],
  [
    'a test code beyond loopback',
    { OTP_TEST_CODE: '7391', NODE_ENV: 'test', HOST: '0.0.0.0', ...simulator },
    'OTP_TEST_CODE',
  ],
  ['a test code that is none', { OTP_TEST_CODE: secret, NODE_ENV: 'test' }, 'OTP_TEST_CODE'],
  ['a short secret', { SECRET_KEY: secret }, 'SECRET_KEY'],
  ['a placeholder for a secret', { SECRET_KEY: 'changeme' }, 'SECRET_KEY'],
  ['one letter for a secret', { SECRET_KEY: 'a'.repeat(32) }, 'SECRET_KEY'],
  ['one word, again and again', { SECRET_KEY: 'waterdrops'.repeat(4) }, 'SECRET_KEY'],
  ['a placeholder that is long enough', { SECRET_KEY: 'Change-Me_please.Change-Me_please' }, 'SECRET_KEY'],
  ['a row of digits', { SECRET_KEY: '0123456789abcdef0123456789abcdefX' }, 'SECRET_KEY'],
  ['the simulator beside a real database', { DATABASE_URL: database }, 'DATABASE_URL'],
  ['the simulator on every address', { HOST: '0.0.0.0' }, 'HOST'],
  ['the simulator on a public name', { PUBLIC_URL: 'https://qatra.example' }, 'PUBLIC_URL'],
  ['plain http in public', { ...cloud, PUBLIC_URL: 'http://qatra.example' }, 'PUBLIC_URL'],
  ['an address with a path', { PUBLIC_URL: 'http://localhost:3000/shop' }, 'PUBLIC_URL'],
  ['no limits with a real provider', { ...cloud, RATE_LIMITS: 'off' }, 'RATE_LIMITS'],
  ['limits that are neither', { RATE_LIMITS: 'false' }, 'RATE_LIMITS'],
  ['a provider nobody knows', { WHATSAPP_PROVIDER: 'pigeon' }, 'WHATSAPP_PROVIDER'],
  ['a port that is none', { PORT: 'abc' }, 'PORT'],
  ['a port too high', { PORT: '70000' }, 'PORT'],
  ['an owner without a phone', { ADMIN_PHONE: 'nobody' }, 'ADMIN_PHONE'],
  ['a database of another kind', { ...simulator, DATABASE_URL: `mysql://root:${secret}@x/y` }, 'DATABASE_URL'],
  ['a database without an address', { ...simulator, DATABASE_URL: `postgres://u:${secret}@[x/y` }, 'DATABASE_URL'],
  [
    'a direct address that is none',
    { ...simulator, DATABASE_URL: database, DATABASE_DIRECT_URL: `mysql://root:${secret}@x/y` },
    'DATABASE_DIRECT_URL',
  ],
  ['a direct address alone', { DATABASE_DIRECT_URL: database }, 'DATABASE_DIRECT_URL'],
  ['a public address of another kind', { PUBLIC_URL: 'ftp://localhost' }, 'PUBLIC_URL'],
  ['a public address with a password', { PUBLIC_URL: `http://me:${secret}@localhost:3000` }, 'PUBLIC_URL'],
  ['a geocoder without https', { GEOCODER_URL: 'http://geocoder.example' }, 'GEOCODER_URL'],
  ['a geocoder that is no address', { GEOCODER_URL: secret }, 'GEOCODER_URL'],
  ['a geocoder with a password', { GEOCODER_URL: `https://me:${secret}@geocoder.example` }, 'GEOCODER_URL'],
  ['tiles that run', { TILE_URL: `javascript:alert('${secret}')//{z}{x}{y}` }, 'TILE_URL'],
  ['tiles without places', { TILE_URL: 'https://tiles.example/map.png' }, 'TILE_URL'],
  ['an older shop without https', { LEGACY_SYNC_URL: 'http://legacy.example' }, 'LEGACY_SYNC_URL'],
  ['messages without https', { SMS_PROVIDER: 'http', SMS_URL: 'http://sms.example' }, 'SMS_URL'],
  ['messages to nowhere', { SMS_PROVIDER: 'http' }, 'SMS_URL'],
  ['WhatsApp without https', { ...cloud, WHATSAPP_GRAPH_URL: 'http://graph.example' }, 'WHATSAPP_GRAPH_URL'],
  ['analytics that are a script', { GA_ID: `G-1"></script>${secret}` }, 'GA_ID'],
  ['a pixel that is no number', { META_PIXEL_ID: 'pixel' }, 'META_PIXEL_ID'],
  ['a pixel that is no UUID', { SNAP_PIXEL_ID: '../x' }, 'SNAP_PIXEL_ID'],
  ['a proxy that is no address', { TRUSTED_PROXIES: 'everyone' }, 'TRUSTED_PROXIES'],
  ['a token anybody guesses', { METRICS_TOKEN: 'secret' }, 'METRICS_TOKEN'],
  ['a log that is too chatty to exist', { LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ['a pool of one connection', { DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE'],
  ['a role nobody knows', { ...simulator, DATABASE_URL: database, ROLE: 'both' }, 'ROLE'],
  ['a worker of an embedded database', { ROLE: 'worker' }, 'ROLE'],
  ['demo data, perhaps', { SEED_DEMO: 'maybe' }, 'SEED_DEMO'],
]

/** What `main.ts` prints for these settings. */
function refusalOf(env: Record<string, string>): string {
  try {
    readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'qatra-main-')), ...env })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('The configuration was accepted')
}

describe('an invalid configuration', () => {
  it.each(bad)('%s is refused with one clear line and no secret', (_, env, setting) => {
    const output = refusalOf(env)
    expect(output).toContain(setting)
    expect(output.trim().split('\n')).toHaveLength(2)
    expect(output).not.toContain(secret)
    expect(output).not.toContain('7391')
  })

  it('is printed by the process, alone, which exits with 78', async () => {
    const env = { OTP_TEST_CODE: '7391', SECRET_KEY: secret, DATABASE_DIRECT_URL: database }
    const { code, output } = await start('main.ts', env).ended
    expect({ code, output }).toEqual({ code: 78, output: `${refusalOf(env)}\n` })
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

describe('the secret', () => {
  it('is created at the first start, readable by its owner only, and kept', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'qatra-secret-'))
    const first = readConfig({ DATA_DIR: dataDir }).secret
    const file = join(dataDir, 'secret.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8').length).toBeGreaterThanOrEqual(32)
    expect(readConfig({ DATA_DIR: dataDir }).secret).toEqual(first)
    writeFileSync(file, 'short')
    expect(() => readConfig({ DATA_DIR: dataDir })).toThrow('less than 32 bytes')
    writeFileSync(file, 'x'.repeat(64))
    expect(() => readConfig({ DATA_DIR: dataDir })).toThrow('secret.key')
  })

  it('is in a folder that is closed to other users', () => {
    const before = process.umask(0)
    const dataDir = join(mkdtempSync(join(tmpdir(), 'qatra-secret-')), 'deep', 'data')
    readConfig({ DATA_DIR: dataDir })
    process.umask(before)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })
})

describe('a valid configuration', () => {
  it('is read as written', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'qatra-right-'))
    const right = {
      DATA_DIR: dataDir,
      GEOCODER_URL: 'http://127.0.0.1:8080/nominatim',
      TILE_URL: 'https://{s}.tiles.example/{z}/{x}/{y}.png?key=abc',
      LEGACY_SYNC_URL: 'https://legacy.example/api',
      GA_ID: 'G-AB12CD34EF',
      META_PIXEL_ID: '123456789012345',
      SNAP_PIXEL_ID: '0f8fad5b-d9cb-469f-a165-70867728950e',
      PUBLIC_URL: 'http://[::1]:3000',
    }
    expect(readConfig(right)).toMatchObject({
      geocoderUrl: right.GEOCODER_URL,
      tileUrl: right.TILE_URL,
      publicUrl: right.PUBLIC_URL,
    })
  })

  it('accepts a secret of any random kind', () => {
    for (let n = 0; n < 2_000; n += 1) {
      const bytes = randomBytes(32)
      for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('hex').slice(0, 32)])
        expect([text, weaknessOf(text)]).toEqual([text, null])
    }
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

  async function serving(env: Record<string, string> = {}) {
    const { port, close } = await portInUse()
    await close()
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

  it('prints that its port is in use', async () => {
    const { port, close } = await portInUse()
    const { code, output } = await start('test/processes/standalone.ts', {
      PORT: port,
      DATABASE_URL: shop.databaseUrl,
      ...simulator,
    }).ended
    expect(code).toBe(1)
    expect(output).toContain(`Port ${port} of 127.0.0.1 is taken`)
    expect(output).not.toContain('at listen')
    await close()
  })

  it('prints that the database refused it, without the password', async () => {
    const { code, output } = await start('test/processes/standalone.ts', {
      ...simulator,
      DATABASE_URL: `postgres://qatra:${secret}@127.0.0.1:9/qatra`,
    }).ended
    expect(code).toBe(1)
    expect(output).toContain('The database of DATABASE_URL does not let us in (ECONNREFUSED)')
    expect(output).not.toContain(secret)
  })
})
