import { parsePhone } from '@qatra/contract/phone'
import { type Env, given, type Refuse, readWebAddress } from './config-values.ts'

export interface WhatsappConfig {
  provider: 'simulator' | 'cloud' | 'web'
  token: string | null
  phoneNumberId: string | null
  /** The account that owns the number; templates are listed there. */
  businessAccountId: string | null
  /** The shop's number in E.164, for links that open a conversation with it. */
  number: string | null
  appSecret: string | null
  verifyToken: string | null
  /** With the version of the Graph interface at its end. */
  graphUrl: string
  codeTemplate: string
}

export interface SmsConfig {
  provider: 'none' | 'http' | 'twilio'
  url: string | null
  account: string | null
  token: string | null
  sender: string
}

const GRAPH = 'https://graph.facebook.com'

export function readWhatsapp(env: Env, simulator: boolean, refuse: Refuse): WhatsappConfig {
  const provider = given(env, 'WHATSAPP_PROVIDER') === 'cloud' ? 'cloud' : simulator ? 'simulator' : 'web'
  const version = given(env, 'WHATSAPP_GRAPH_VERSION') ?? 'v23.0'
  if (!/^v\d{1,3}\.\d$/.test(version)) refuse('WHATSAPP_GRAPH_VERSION is a version: v23.0')
  const settings = {
    provider,
    token: given(env, 'WHATSAPP_TOKEN'),
    phoneNumberId: given(env, 'WHATSAPP_PHONE_NUMBER_ID'),
    businessAccountId: given(env, 'WHATSAPP_BUSINESS_ACCOUNT_ID'),
    number: readNumber(env, refuse),
    appSecret: given(env, 'WHATSAPP_APP_SECRET'),
    verifyToken: given(env, 'WHATSAPP_VERIFY_TOKEN'),
    graphUrl: readWebAddress(env, 'WHATSAPP_GRAPH_URL', refuse) ?? `${GRAPH}/${version}`,
    codeTemplate: given(env, 'WHATSAPP_CODE_TEMPLATE') ?? 'login_code',
  } as const
  if (provider === 'cloud') {
    if (!settings.token) refuse('WHATSAPP_PROVIDER=cloud needs WHATSAPP_TOKEN')
    if (!settings.phoneNumberId) refuse('WHATSAPP_PROVIDER=cloud needs WHATSAPP_PHONE_NUMBER_ID')
    if (!settings.appSecret) refuse('WHATSAPP_PROVIDER=cloud needs WHATSAPP_APP_SECRET')
  }
  return settings
}

function readNumber(env: Env, refuse: Refuse): string | null {
  const text = given(env, 'WHATSAPP_NUMBER')
  if (text === null) return null
  const parsed = parsePhone(text)
  if (parsed.ok) return parsed.phone
  refuse('WHATSAPP_NUMBER is not a phone number')
  return null
}

const smsProviders = ['none', 'http', 'twilio'] as const

export function readSms(env: Env, refuse: Refuse): SmsConfig {
  const text = given(env, 'SMS_PROVIDER') ?? 'none'
  const provider = smsProviders.find((name) => name === text)
  if (!provider) refuse('SMS_PROVIDER is http or twilio, or unset')
  const url = readWebAddress(env, 'SMS_URL', refuse)
  const account = given(env, 'SMS_ACCOUNT')
  const token = given(env, 'SMS_TOKEN')
  if (provider === 'http' && url === null) refuse('SMS_PROVIDER=http needs SMS_URL')
  if (provider === 'twilio') {
    if (account === null || !/^AC[\da-f]{32}$/i.test(account))
      refuse('SMS_PROVIDER=twilio needs SMS_ACCOUNT: AC and 32 digits')
    if (token === null) refuse('SMS_PROVIDER=twilio needs SMS_TOKEN')
  }
  return { provider: provider ?? 'none', url, account, token, sender: given(env, 'SMS_SENDER') ?? 'Qatra' }
}
