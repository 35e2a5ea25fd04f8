import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { parsePhone } from '../lib/phone.ts'
import { type DatabaseConfig, readDatabase } from './database.ts'
import {
  type AlarmMailConfig,
  type ModelConfig,
  readAlarmMail,
  readModel,
  readSms,
  readTelegram,
  readWhatsapp,
  type SmsConfig,
  simulatedTelegram,
  type TelegramConfig,
  type WhatsappConfig,
} from './messaging.ts'
import type { Choice } from './settings.ts'
import {
  type Env,
  given,
  isLoopback,
  type Refuse,
  readAnalyticsId,
  readChoice,
  readWebAddress,
  splitList,
  valueOf,
  weaknessOf,
} from './values.ts'

export interface Config extends DatabaseConfig {
  environment: 'production' | 'development' | 'test'
  host: string
  port: number
  /** Origin of all links and the only origin allowed for changing requests; no trailing slash. */
  publicUrl: string
  /** `web` runs no jobs, `worker` answers no requests but those of monitoring. */
  role: Choice<'ROLE'>
  isSecure: boolean
  dataDir: string
  /** 32 random bytes from outside the database; keys for codes and for encryption at rest are derived from it. */
  secret: Buffer
  simulator: boolean
  whatsapp: WhatsappConfig
  /** Whether the bot answers incoming messages; otherwise only staff answer. */
  hasBot: boolean
  /** Written messages of a customer within this time are answered as one. */
  botGatherSeconds: number
  /** `bot` reads what the bot is not sure of, `voice` transcribes voice messages; null: there is none. */
  models: Record<'bot' | 'voice', ModelConfig | null>
  sms: SmsConfig
  telegram: TelegramConfig
  alarmMail: AlarmMailConfig
  /** The older system that receives every order; `url` is null where there is none. */
  legacy: { url: string | null; token: string | null }
  geocoderUrl: string | null
  /** Origin of a push service besides those of the browsers' makers. */
  pushServiceUrl: string | null
  /** False replaces the service workers by one that removes itself. */
  serviceWorker: boolean
  tileUrl: string | null
  analytics: { ga: string | null; meta: string | null; snap: string | null }
  rateLimits: boolean
  otpTestCode: string | null
  adminPhone: string | null
  seedDemo: boolean
  /** Proxy addresses whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  logLevel: string
  metricsToken: string | null
  /** Where traces go and the share of requests that is traced; null: nowhere. */
  traces: { endpoint: string; ratio: number } | null
  /** Seconds for which /readyz fails before new connections are refused. */
  drainSeconds: number
  /** Countries whose mobile numbers get codes by WhatsApp. */
  codeCountries: readonly string[]
}

/** All configuration errors in one exception; `main` prints them and exits with 78 (EX_CONFIG). */
export class ConfigError extends OperatorError {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n- ${problems.join('\n- ')}`)
    this.problems = problems
  }
}

/** @throws ConfigError with every invalid setting; messages never contain a secret. */
export function readConfig(env: Env): Config {
  const problems: string[] = []
  const refuse = (problem: string) => void problems.push(problem)
  const environment = env.NODE_ENV === 'development' || env.NODE_ENV === 'test' ? env.NODE_ENV : 'production'
  const host = valueOf(env, 'HOST')
  const port = readPort(env, refuse)
  const publicUrl = readOrigin(env, port, refuse)
  const database = readDatabase(env, refuse)
  const { databaseUrl } = database
  const role = readChoice(env, 'ROLE', refuse)
  // Other processes do not reach the embedded database.
  if (role !== 'all' && !databaseUrl) refuse(`ROLE=${role} needs DATABASE_URL`)

  const provider = readChoice(env, 'WHATSAPP_PROVIDER', refuse)
  const simulator = provider === 'simulator'
  if (simulator) refuseSimulator({ env, host, publicUrl, databaseUrl }, refuse)
  const whatsapp = readWhatsapp(env, provider, refuse)

  const hasBot = readChoice(env, 'WHATSAPP_BOT', refuse) === 'on'
  const botGatherSeconds = Number(valueOf(env, 'BOT_GATHER_SECONDS'))
  if (!(botGatherSeconds >= 0 && botGatherSeconds <= 10)) refuse('BOT_GATHER_SECONDS is a number from 0 to 10')
  const models = { bot: readModel(env, 'BOT_MODEL', refuse), voice: readModel(env, 'VOICE_MODEL', refuse) }
  const rateLimits = readChoice(env, 'RATE_LIMITS', refuse) === 'on'
  if (!rateLimits && !(simulator && isLoopback(host))) refuse('RATE_LIMITS=off needs the simulator on loopback')
  const otpTestCode = given(env, 'OTP_TEST_CODE')
  if (otpTestCode !== null) {
    if (environment === 'production')
      refuse('OTP_TEST_CODE is not for production (NODE_ENV decides; unset is production)')
    else if (!isLoopback(host)) refuse('OTP_TEST_CODE needs HOST on loopback')
    if (!/^\d{4,6}$/.test(otpTestCode)) refuse('OTP_TEST_CODE has 4 to 6 digits')
  }
  const adminPhone = readAdminPhone(env, refuse)
  const dataDir = resolve(valueOf(env, 'DATA_DIR'))
  const seed = given(env, 'SEED_DEMO')
  if (seed !== null && !/^(true|false|on|off|1|0)$/.test(seed)) refuse('SEED_DEMO is true or false')
  const givenSecret = readGivenSecret(env, refuse)
  const geocoderUrl = readWebAddress(env, 'GEOCODER_URL', refuse)
  const tileUrl = readWebAddress(env, 'TILE_URL', refuse)
  if (tileUrl !== null && !['{z}', '{x}', '{y}'].every((part) => tileUrl.includes(part)))
    refuse('TILE_URL has the places {z}, {x} and {y}')
  const pushServiceUrl = readWebAddress(env, 'PUSH_SERVICE_URL', refuse)
  const legacyUrl = readWebAddress(env, 'LEGACY_SYNC_URL', refuse)
  const sms = readSms(env, refuse)
  const telegram = readTelegram(env, refuse)
  const alarmMail = readAlarmMail(env, refuse)
  const analytics = {
    ga: readAnalyticsId(env, 'GA_ID', refuse),
    meta: readAnalyticsId(env, 'META_PIXEL_ID', refuse),
    snap: readAnalyticsId(env, 'SNAP_PIXEL_ID', refuse),
  }
  const logLevel = readChoice(env, 'LOG_LEVEL', refuse)
  const trustedProxies = splitList(given(env, 'TRUSTED_PROXIES') ?? '')
  if (!trustedProxies.every(isProxy))
    refuse('TRUSTED_PROXIES are addresses or networks (10.0.0.0/8), with commas between')
  const codeCountries = splitList(valueOf(env, 'CODE_COUNTRIES'))
  if (!codeCountries.every((country) => /^[A-Z]{2}$/.test(country)))
    refuse('CODE_COUNTRIES are two letters each: BH,SA')
  const metricsToken = given(env, 'METRICS_TOKEN')
  if (metricsToken !== null) refuseWeak('METRICS_TOKEN', metricsToken, 16, refuse)
  const tracesTo = readWebAddress(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', refuse)
  const traceRatio = Number(valueOf(env, 'OTEL_TRACES_SAMPLER_ARG'))
  if (!(traceRatio >= 0 && traceRatio <= 1)) refuse('OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1')
  const drainSeconds = Number(valueOf(env, 'DRAIN_SECONDS'))
  if (!(drainSeconds >= 0 && drainSeconds <= 8)) refuse('DRAIN_SECONDS is a number from 0 to 8')

  if (problems.length > 0) throw new ConfigError(problems)
  const secret = givenSecret ?? readOrCreateSecret(dataDir)
  return {
    environment,
    host,
    port,
    publicUrl,
    role,
    isSecure: publicUrl.startsWith('https:'),
    ...database,
    dataDir,
    secret,
    simulator,
    whatsapp,
    sms,
    telegram: simulator && telegram.token === null ? simulatedTelegram(secret, telegram) : telegram,
    alarmMail,
    legacy: { url: legacyUrl, token: given(env, 'LEGACY_SYNC_TOKEN') },
    geocoderUrl,
    pushServiceUrl,
    serviceWorker: readChoice(env, 'SERVICE_WORKER', refuse) === 'on',
    tileUrl,
    analytics,
    hasBot,
    botGatherSeconds,
    models,
    rateLimits,
    otpTestCode,
    adminPhone,
    seedDemo: seed === null ? databaseUrl === null : /^(true|on|1)$/.test(seed),
    trustedProxies,
    logLevel,
    metricsToken,
    traces: tracesTo === null ? null : { endpoint: tracesTo, ratio: traceRatio },
    drainSeconds,
    codeCountries,
  }
}

function isProxy(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const family = isIP(address)
  return family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
}

function readPort(env: Env, refuse: Refuse): number {
  const text = valueOf(env, 'PORT')
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  refuse('PORT is a number up to 65535')
  return 0
}

function readOrigin(env: Env, port: number, refuse: Refuse): string {
  const url = URL.parse(given(env, 'PUBLIC_URL') ?? `http://localhost:${port}`)
  if (!url) refuse('PUBLIC_URL is not an address')
  else if (!/^https?:$/.test(url.protocol)) refuse('PUBLIC_URL begins with https:// (http:// on loopback only)')
  else if (url.protocol === 'http:' && !isLoopback(url.hostname)) refuse('PUBLIC_URL must be https outside loopback')
  else if (url.pathname !== '/' || url.search || url.hash || url.username || url.password)
    refuse('PUBLIC_URL is an origin: no path, query, hash, name or password')
  else return url.origin
  return ''
}

function refuseSimulator(
  { env, host, publicUrl, databaseUrl }: { env: Env; host: string; publicUrl: string; databaseUrl: string | null },
  refuse: Refuse,
) {
  if (given(env, 'ALLOW_SIMULATOR') === 'true') return
  const advice = 'set WHATSAPP_PROVIDER to a real one, or ALLOW_SIMULATOR=true if this is no real shop'
  if (databaseUrl) refuse(`The simulator would show everybody's codes beside a DATABASE_URL: ${advice}`)
  if (!isLoopback(host)) refuse(`The simulator would show everybody's codes on HOST ${host}: ${advice}`)
  if (publicUrl && !isLoopback(new URL(publicUrl).hostname))
    refuse(`The simulator is for loopback PUBLIC_URLs: ${advice}`)
}

function readAdminPhone(env: Env, refuse: Refuse): string | null {
  const text = given(env, 'ADMIN_PHONE')
  if (text === null) return null
  const parsed = parsePhone(text)
  if (parsed.ok) return parsed.phone
  refuse('ADMIN_PHONE is not a phone number')
  return null
}

function readGivenSecret(env: Env, refuse: Refuse): Buffer | null {
  const text = given(env, 'SECRET_KEY')
  if (text === null) return null
  refuseWeak('SECRET_KEY', text, 32, refuse)
  return Buffer.from(text)
}

function refuseWeak(name: string, secret: string, fewestBytes: number, refuse: Refuse) {
  const weakness = weaknessOf(secret)
  if (weakness !== null) refuse(`${name} ${weakness}`)
  else if (Buffer.byteLength(secret) < fewestBytes) refuse(`${name} is shorter than ${fewestBytes} bytes`)
}

/** Creates the secret on first start; the file is readable by its owner only. */
function readOrCreateSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'secret.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if (!existsSync(file)) throw error
    }
  }
  chmodSync(file, 0o600)
  const secret = Buffer.from(readFileSync(file, 'utf8').trim())
  if (secret.length < 32) throw new ConfigError([`${file} holds less than 32 bytes; remove it to make a new one`])
  const weakness = weaknessOf(secret.toString())
  if (weakness !== null) throw new ConfigError([`${file} ${weakness}; remove it to make a new one`])
  return secret
}
