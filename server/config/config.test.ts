import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { weaknessOf } from './values.ts'

const secret = 'hunter2-canary'
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
