import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { simulatedAccount as ids } from '../../../server/providers/settings.ts'
import type { ProviderReply } from '../provider-http.ts'
import type { GraphAccount, GraphTemplate, Json } from './graph-account.ts'
import { failure, json } from './graph-reply.ts'
import { breachOf, handleOf } from './template-rules.ts'

interface Call {
  isRead: boolean
  path: string
  input: Json
  bytes: Buffer
}

/** The Graph API besides messages, files and the list of templates; null for those. */
export function manage(account: GraphAccount, { isRead, path, input, bytes }: Call): ProviderReply | null {
  const [folder = '', query = ''] = path.split('?')
  const end = folder.split('/').at(-1)
  if (end === 'debug_token') return debugToken(account, new URLSearchParams(query).get('input_token'))
  if (end === 'subscriptions') return isRead ? subscriptions(account) : setWebhook(account, input)
  if (end === 'subscribed_apps') return isRead ? subscribedApps(account) : subscribe(account)
  if (end === 'uploads' && !isRead) return startUpload(account, folder, new URLSearchParams(query))
  if (end?.startsWith(UPLOAD) && !isRead) return finishUpload(end, bytes)
  if (end === 'message_templates' && !isRead) return createTemplate(account, input)
  if (!isRead || !query.startsWith('fields=')) return null
  const { businessVerification: business_verification_status, numberStatus: status } = account.app
  if (end === ids.phoneNumberId && query.includes('quality_rating'))
    return json(200, { id: end, quality_rating: 'GREEN', messaging_limit_tier: 'TIER_1K' })
  if (end === ids.phoneNumberId)
    return json(200, { id: end, display_phone_number: '+973 1700 0000', verified_name: 'Qatra', status })
  if (end === ids.businessId)
    return json(200, { id: end, name: 'Qatra', account_review_status: 'APPROVED', business_verification_status })
  return null
}

function debugToken({ app, token }: GraphAccount, asked: string | null): ProviderReply {
  const { id: app_id, scopes, expiresAt: expires_at } = app
  return json(200, { data: { app_id, type: 'SYSTEM_USER', is_valid: asked === token, expires_at, scopes } })
}

const subscriptions = ({ app: { webhook } }: GraphAccount): ProviderReply =>
  json(200, {
    data: webhook
      ? [
          {
            object: 'whatsapp_business_account',
            callback_url: webhook.callbackUrl,
            active: true,
            fields: webhook.fields.map((name) => ({ name, version: 'v23.0' })),
          },
        ]
      : [],
  })

const webhookInput = z.object({
  object: z.literal('whatsapp_business_account'),
  callback_url: z.string().check(z.minLength(1)),
  verify_token: z.string().check(z.minLength(1)),
  fields: z.string(),
})

function setWebhook({ app }: GraphAccount, input: Json): ProviderReply {
  const { success, data } = webhookInput.safeParse(input)
  if (!success) return failure(400, 100, 'Invalid parameter')
  app.webhook = { callbackUrl: data.callback_url, fields: data.fields.split(',') }
  return json(200, { success: true })
}

const subscribedApps = ({ app: { id, isSubscribed } }: GraphAccount): ProviderReply =>
  json(200, { data: isSubscribed ? [{ whatsapp_business_api_data: { id, name: 'Qatra' } }] : [] })

function subscribe({ app }: GraphAccount): ProviderReply {
  app.isSubscribed = true
  return json(200, { success: true })
}

const component = z.looseObject({ type: z.string(), text: z.optional(z.string()), example: z.optional(z.unknown()) })
const newTemplate = z.object({
  name: z.string().check(z.regex(/^[a-z0-9_]{1,512}$/)),
  language: z.string().check(z.minLength(2)),
  category: z.enum(['MARKETING', 'UTILITY', 'AUTHENTICATION']),
  components: z.array(component).check(z.minLength(1)),
})

const UPLOAD = 'upload:'
const sampleTypes = ['application/pdf', 'image/jpeg', 'image/png', 'video/mp4']

/** The first of the two calls of a resumable upload, which names the file; the session has its length. */
function startUpload({ app }: GraphAccount, folder: string, query: URLSearchParams): ProviderReply {
  const length = Number(query.get('file_length'))
  const isKnown = folder.endsWith(`/${app.id}/uploads`) && sampleTypes.includes(query.get('file_type') ?? '')
  return isKnown && length > 0 && query.get('file_name')
    ? json(200, { id: `${UPLOAD}${length}?sig=simulated` })
    : failure(400, 100, 'Invalid parameter')
}

function finishUpload(session: string, bytes: Buffer): ProviderReply {
  if (bytes.length !== Number(session.slice(UPLOAD.length))) return failure(400, 100, 'Invalid parameter')
  return json(200, { h: handleOf(createHash('sha256').update(bytes).digest('hex')) })
}

/** Refuses what Meta documents: a name twice in a language, and what breaks the rules of texts and samples. */
function createTemplate(account: GraphAccount, input: Json): ProviderReply {
  const { success, data } = newTemplate.safeParse(input)
  if (!success) return failure(400, 100, 'Invalid parameter')
  const { name, language, category, components } = data
  const refuse = (error_subcode: number, title: string, message: string) =>
    failure(400, 100, 'Invalid parameter', {
      error: { error_subcode, is_transient: false, error_user_title: title, error_user_msg: message },
    })
  if (account.templates.some((one) => one.name === name && one.language === language && one.status !== 'DELETED'))
    return refuse(2_388_024, 'Content in this language already exists', `There is already content for ${name}.`)
  const broken = breachOf(components)
  if (broken) return refuse(broken.subcode, broken.title, 'The template breaks a rule.')
  const template: GraphTemplate = {
    id: String(700_000_000_000_000 + account.templates.length),
    name,
    language,
    category,
    status: 'PENDING',
    components,
    rejected_reason: 'NONE',
  }
  account.templates.push(template)
  account.onSubmitted?.(template)
  return json(200, { id: template.id, status: template.status, category })
}
