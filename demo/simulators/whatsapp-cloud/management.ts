import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { simulatedAccount as ids } from '../../../server/providers/settings.ts'
import type { ProviderReply } from '../provider-http.ts'
import type { GraphAccount, GraphTemplate, Json } from './graph-account.ts'
import { failure, json } from './graph-reply.ts'
import { breachOf, handleOf } from './template-rules.ts'

interface Call {
  method: string
  isRead: boolean
  path: string
  input: Json
  bytes: Buffer
}

/** The Graph API besides messages, files and the list of templates; null for those. */
export function manage(account: GraphAccount, { method, isRead, path, input, bytes }: Call): ProviderReply | null {
  const [folder = '', query = ''] = path.split('?')
  const end = folder.split('/').at(-1)
  if (end === 'debug_token') return debugToken(account, new URLSearchParams(query).get('input_token'))
  if (end === 'subscriptions') return isRead ? subscriptions(account) : setWebhook(account, input)
  if (end === 'subscribed_apps') return isRead ? subscribedApps(account) : subscribe(account)
  if (end === 'uploads' && !isRead) return startUpload(account, folder, new URLSearchParams(query))
  if (end?.startsWith(UPLOAD) && !isRead) return finishUpload(end, bytes)
  if (end === 'message_templates' && method === 'DELETE') return deleteTemplate(account, new URLSearchParams(query))
  if (end === 'message_templates' && !isRead) return createTemplate(account, input)
  const known = isRead ? undefined : account.templates.find(({ id }) => id === end)
  if (known) return editTemplate(account, known, input)
  if (!isRead || !query.startsWith('fields=')) return null
  if (end === 'phone_numbers' && folder.includes(`/${ids.businessId}/`))
    return json(200, { data: [{ id: ids.phoneNumberId }] })
  const { businessVerification: business_verification_status, numberStatus: status } = account.app
  if (end === ids.phoneNumberId && query.includes('quality_rating'))
    return json(200, { id: end, quality_rating: 'GREEN', messaging_limit_tier: 'TIER_1K' })
  if (end === ids.phoneNumberId)
    return json(200, { id: end, display_phone_number: '+973 1700 0000', verified_name: 'Qatra', status })
  if (end === ids.businessId)
    return json(200, { id: end, name: 'Qatra', account_review_status: 'APPROVED', business_verification_status })
  return null
}

function debugToken({ app, isToken }: GraphAccount, asked: string | null): ProviderReply {
  const { id: app_id, scopes, expiresAt: expires_at } = app
  return json(200, {
    data: { app_id, type: 'SYSTEM_USER', is_valid: asked !== null && isToken(asked), expires_at, scopes },
  })
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

const editedTemplate = z.object({
  category: z.optional(z.enum(['MARKETING', 'UTILITY'])),
  components: z.array(component).check(z.minLength(1)),
})

const UPLOAD = 'upload:'
const sampleTypes = ['application/pdf', 'image/jpeg', 'image/png', 'video/mp4']

/** The first of the two calls of a resumable upload, which names the file; the session has its length. */
function startUpload({ app }: GraphAccount, folder: string, query: URLSearchParams): ProviderReply {
  const length = Number(query.get('file_length'))
  const isKnown = folder.endsWith(`/${app.id}/uploads`) && sampleTypes.includes(query.get('file_type') ?? '')
  const type = Buffer.from(query.get('file_type') ?? '').toString('base64url')
  return isKnown && length > 0 && query.get('file_name')
    ? json(200, { id: `${UPLOAD}${length}.${type}?sig=simulated` })
    : failure(400, 100, 'Invalid parameter')
}

function finishUpload(session: string, bytes: Buffer): ProviderReply {
  const [length, type = ''] = session.slice(UPLOAD.length).split('.')
  if (bytes.length !== Number(length)) return failure(400, 100, 'Invalid parameter')
  const mimeType = Buffer.from(type, 'base64url').toString()
  return json(200, { h: handleOf(mimeType, createHash('sha256').update(bytes).digest('hex')) })
}

/** As Meta words a refusal for the account's owner. */
const refuse = (error_subcode: number, title: string, message: string) =>
  failure(400, 100, 'Invalid parameter', {
    error: { error_subcode, is_transient: false, error_user_title: title, error_user_msg: message },
  })

const DAY_MS = 86_400_000
/** Edits of approved templates and deletions of names, which Meta counts. */
const edits = new WeakMap<GraphTemplate, number[]>()
const deleted = new WeakMap<GraphTemplate[], Map<string, number>>()

/** Only approved, rejected and paused ones; approved ones once a day and ten times in 30 days, in the same category. */
function editTemplate(account: GraphAccount, template: GraphTemplate, input: Json): ProviderReply {
  const { success, data } = editedTemplate.safeParse(input)
  if (!success) return failure(400, 100, 'Invalid parameter')
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status))
    return refuse(2_388_003, 'Template cannot be edited', 'Only approved, rejected or paused templates can be edited.')
  const isApproved = template.status === 'APPROVED'
  if (isApproved && data.category !== undefined && data.category !== template.category)
    return refuse(2_388_025, 'Category cannot be changed', 'The category of an approved template stays.')
  const now = Date.now()
  const before = edits.get(template) ?? []
  const within = (days: number) => before.filter((at) => at > now - days * DAY_MS).length
  if (isApproved && (within(1) >= 1 || within(30) >= 10))
    return refuse(2_388_039, 'Too many edits', 'An approved template can be edited once a day, ten times in 30 days.')
  const broken = breachOf(data.components, data.category ?? template.category)
  if (broken) return refuse(broken.subcode, broken.title, 'The template breaks a rule.')
  if (isApproved) edits.set(template, [...before, now])
  Object.assign(template, { ...data, status: 'PENDING', rejected_reason: 'NONE' })
  account.onSubmitted?.(template)
  return json(200, { success: true })
}

function deleteTemplate({ templates }: GraphAccount, query: URLSearchParams): ProviderReply {
  const [name, id] = [query.get('name'), query.get('hsm_id')]
  const gone = templates.filter((one) => one.name === name && (id === null || one.id === id))
  if (gone.length === 0) return refuse(2_593_002, 'Message template not found', `There is no template ${name}.`)
  if (gone.some(({ status }) => status === 'DISABLED'))
    return refuse(2_388_094, 'Template cannot be deleted', 'A disabled template cannot be deleted.')
  const names = deleted.get(templates) ?? new Map<string, number>()
  deleted.set(templates, names)
  for (const one of gone) {
    if (one.status === 'APPROVED') names.set(`${one.name} ${one.language}`, Date.now())
    templates.splice(templates.indexOf(one), 1)
  }
  return json(200, { success: true })
}

let submitted = 0

/** Refuses what Meta documents: a name twice in a language, and what breaks the rules of texts and samples. */
function createTemplate(account: GraphAccount, input: Json): ProviderReply {
  const { success, data } = newTemplate.safeParse(input)
  if (!success) return failure(400, 100, 'Invalid parameter')
  const { name, language, category, components } = data
  if (account.templates.some((one) => one.name === name && one.language === language && one.status !== 'DELETED'))
    return refuse(2_388_024, 'Content in this language already exists', `There is already content for ${name}.`)
  const goneAt = deleted.get(account.templates)?.get(`${name} ${language}`) ?? 0
  if (goneAt > Date.now() - 30 * DAY_MS)
    return refuse(2_388_023, 'Language is being deleted', 'The name of a deleted template is free after 30 days.')
  const broken = breachOf(components, category)
  if (broken) return refuse(broken.subcode, broken.title, 'The template breaks a rule.')
  const template: GraphTemplate = {
    id: String(700_000_000_000_000 + (submitted += 1)),
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
