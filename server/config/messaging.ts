import { parsePhone } from '../lib/phone.ts'
import { keyFor } from '../lib/secrets.ts'
import { settings } from './settings.ts'
import { type Env, given, type Refuse, readChoice, readWebAddress, valueOf, weaknessOf } from './values.ts'

/** Settings of the Cloud API that the set-up page can enter where the environment has none. */
export interface WhatsappKeys {
  token: string | null
  phoneNumberId: string | null
  /** The WhatsApp Business account of the number; templates are listed by account. */
  businessAccountId: string | null
  appSecret: string | null
  verifyToken: string | null
}

export interface WhatsappConfig extends WhatsappKeys {
  provider: 'simulator' | 'cloud' | 'web'
  /** Those of the keys that were entered on the set-up page. */
  entered?: readonly (keyof WhatsappKeys)[]
  /** The shop's number in E.164, for wa.me links. */
  number: string | null
  /** Includes the version of the Graph API. */
  graphUrl: string
  codeTemplate: string
  /** Campaigns pause between these times (Asia/Bahrain); null disables it. */
  quietHours: { from: string; to: string } | null
  /** Campaign messages per second over all processes: the provider's limit for the number. */
  campaignsPerSecond: number
}

export interface SmsConfig {
  provider: 'none' | 'http' | 'twilio'
  url: string | null
  account: string | null
  token: string | null
  sender: string
}

/** Where alarms of the shop go by e-mail; both are null, or none. */
export interface AlarmMailConfig {
  smtpUrl: string | null
  to: string | null
}

export function readAlarmMail(env: Env, refuse: Refuse): AlarmMailConfig {
  const [smtpUrl, to] = [given(env, 'SMTP_URL'), given(env, 'ALARM_EMAIL')]
  if (smtpUrl !== null && !/^smtps?:$/.test(URL.parse(smtpUrl)?.protocol ?? ''))
    refuse('SMTP_URL is smtp:// or smtps:// with name, password and host')
  if (to !== null && !/^[^\s@]+@[^\s@]+$/.test(to)) refuse('ALARM_EMAIL is an e-mail address')
  if ((smtpUrl === null) !== (to === null)) refuse('SMTP_URL and ALARM_EMAIL need each other')
  return { smtpUrl, to }
}

/** A model behind an OpenAI-compatible API. */
export interface ModelConfig {
  /** Folder of `chat/completions` and `audio/transcriptions`; no trailing slash. */
  url: string
  model: string
  key: string | null
  /** Requests a day. */
  budget: number
}

export function readModel(env: Env, name: 'BOT_MODEL' | 'VOICE_MODEL', refuse: Refuse): ModelConfig | null {
  const url = readWebAddress(env, `${name}_URL`, refuse)
  const model = given(env, name)
  const key = given(env, `${name}_KEY`)
  const budget = valueOf(env, `${name}_BUDGET`)
  if (!/^[1-9]\d{0,4}$|^100000$/.test(budget)) refuse(`${name}_BUDGET is a number from 1 to 100000`)
  if ((url === null) !== (model === null)) refuse(`${name}_URL and ${name} need each other`)
  if (url === null || model === null) return null
  return { url: url.replace(/\/$/, ''), model, key, budget: Number(budget) }
}

const GRAPH = 'https://graph.facebook.com'

export function readWhatsapp(env: Env, provider: WhatsappConfig['provider'], refuse: Refuse): WhatsappConfig {
  const version = valueOf(env, 'WHATSAPP_GRAPH_VERSION')
  if (!/^v\d{1,3}\.\d$/.test(version)) refuse('WHATSAPP_GRAPH_VERSION is a version: v23.0')
  return {
    provider,
    token: given(env, 'WHATSAPP_TOKEN'),
    phoneNumberId: given(env, 'WHATSAPP_PHONE_NUMBER_ID'),
    businessAccountId: given(env, 'WHATSAPP_BUSINESS_ACCOUNT_ID'),
    number: readNumber(env, refuse),
    appSecret: given(env, 'WHATSAPP_APP_SECRET'),
    verifyToken: given(env, 'WHATSAPP_VERIFY_TOKEN'),
    graphUrl: readWebAddress(env, 'WHATSAPP_GRAPH_URL', refuse) ?? `${GRAPH}/${version}`,
    codeTemplate: valueOf(env, 'WHATSAPP_CODE_TEMPLATE'),
    quietHours: readQuietHours(env, refuse),
    campaignsPerSecond: readCampaignRate(env, refuse),
  }
}

const clock = '([01]\\d|2[0-3]):[0-5]\\d'

function readQuietHours(env: Env, refuse: Refuse): WhatsappConfig['quietHours'] {
  // Tests switch rate limits off and must not depend on the time of day.
  const text = given(env, 'CAMPAIGN_QUIET_HOURS') ?? (given(env, 'RATE_LIMITS') === 'off' ? 'off' : '21:00-09:00')
  if (text === 'off') return null
  if (!new RegExp(`^${clock}-${clock}$`).test(text)) refuse('CAMPAIGN_QUIET_HOURS is off, or two times: 21:00-09:00')
  return { from: text.slice(0, 5), to: text.slice(6) }
}

function readCampaignRate(env: Env, refuse: Refuse): number {
  const text = valueOf(env, 'CAMPAIGN_PER_SECOND')
  const rate = Number(text)
  if (!/^\d{1,4}$/.test(text) || rate < 1 || rate > 1000) refuse('CAMPAIGN_PER_SECOND is a number from 1 to 1000')
  return rate
}

function readNumber(env: Env, refuse: Refuse): string | null {
  const text = given(env, 'WHATSAPP_NUMBER')
  if (text === null) return null
  const parsed = parsePhone(text)
  if (parsed.ok) return parsed.phone
  refuse('WHATSAPP_NUMBER is not a phone number')
  return null
}

export function readSms(env: Env, refuse: Refuse): SmsConfig {
  const provider = readChoice(env, 'SMS_PROVIDER', refuse)
  const url = readWebAddress(env, 'SMS_URL', refuse)
  const account = given(env, 'SMS_ACCOUNT')
  const token = given(env, 'SMS_TOKEN')
  if (provider === 'http' && url === null) refuse('SMS_PROVIDER=http needs SMS_URL')
  if (provider === 'twilio') {
    if (account === null || !/^AC[\da-f]{32}$/i.test(account))
      refuse('SMS_PROVIDER=twilio needs SMS_ACCOUNT: AC and 32 digits')
    if (token === null) refuse('SMS_PROVIDER=twilio needs SMS_TOKEN')
  }
  return { provider, url, account, token, sender: valueOf(env, 'SMS_SENDER') }
}

export interface TelegramConfig {
  /** Null disables the bot. */
  token: string | null
  /** The staff's group with topics, into which conversations are mirrored. */
  groupId: string | null
  /** If set, updates arrive by webhook; otherwise by long polling. */
  webhookSecret: string | null
  apiUrl: string
  /** Telegram is simulated: no request leaves this machine. */
  isSimulated: boolean
}

export function readTelegram(env: Env, refuse: Refuse): TelegramConfig {
  const token = given(env, 'TELEGRAM_BOT_TOKEN')
  if (token !== null && !/^\d{5,20}:[\w-]{20,}$/.test(token)) refuse('TELEGRAM_BOT_TOKEN is no token of a bot')
  const groupId = given(env, 'TELEGRAM_GROUP_ID')
  if (groupId !== null && !/^-\d{5,20}$/.test(groupId)) refuse('TELEGRAM_GROUP_ID is the number of a group: -100…')
  const webhookSecret = given(env, 'TELEGRAM_WEBHOOK_SECRET')
  if (webhookSecret !== null) {
    const weakness = weaknessOf(webhookSecret)
    if (!/^[\w-]{16,256}$/.test(webhookSecret)) refuse('TELEGRAM_WEBHOOK_SECRET has 16 to 256 letters, digits, _ and -')
    else if (weakness !== null) refuse(`TELEGRAM_WEBHOOK_SECRET ${weakness}`)
  }
  const apiUrl = readWebAddress(env, 'TELEGRAM_API_URL', refuse) ?? settings.TELEGRAM_API_URL.fallback
  return {
    token,
    groupId,
    webhookSecret,
    isSimulated: false,
    apiUrl: apiUrl.endsWith('/') ? apiUrl.slice(0, -1) : apiUrl,
  }
}

/**
 * A simulated bot and group. Its keys are derived from the secret of the installation, so calls of other installations
 * are rejected.
 */
export function simulatedTelegram(secret: Buffer, { apiUrl }: TelegramConfig): TelegramConfig {
  const own = (what: string) => keyFor(secret, `simulated Telegram ${what}`)
  const digits = (what: string) => String((own(what).readUInt32BE() % 900_000_000) + 100_000_000)
  return {
    token: `${digits('bot')}:${own('token').toString('base64url')}`,
    groupId: `-100${digits('group')}`,
    webhookSecret: own('webhook').toString('base64url'),
    apiUrl,
    isSimulated: true,
  }
}
