import * as z from 'zod/mini'
import type { WhatsappConfig } from '../config/messaging.ts'
import { endingOfMedia } from '../media/picture.ts'
import type { CallOptions } from '../providers/provider-http.gateway.ts'
import { ask } from '../providers/whatsapp-cloud/ask.gateway.ts'
import type { Asked } from '../providers/whatsapp-cloud/asked.ts'
import type { AccountFacts } from './account-facts.ts'

const text = z.optional(z.nullable(z.string()))
/** The access token as Meta knows it, with the app it belongs to. */
const tokenAnswer = z.object({
  data: z.object({
    app_id: z.optional(z.string()),
    is_valid: z.boolean(),
    /** Unix time; 0 for tokens that do not expire. */
    expires_at: z._default(z.number(), 0),
    scopes: z._default(z.array(z.string()), []),
  }),
})
const numberAnswer = z.object({
  display_phone_number: z._default(z.string(), ''),
  verified_name: text,
  /** CONNECTED, PENDING, FLAGGED, RESTRICTED … */
  status: text,
})
const ratingAnswer = z.object({
  /** GREEN, YELLOW, RED, UNKNOWN */
  quality_rating: text,
  /** Of the business portfolio; older accounts have that of the number. */
  whatsapp_business_manager_messaging_limit: text,
  messaging_limit_tier: text,
})
const accountAnswer = z.object({
  name: text,
  /** APPROVED, PENDING, REJECTED */
  account_review_status: text,
  /** verified, not_verified, pending … */
  business_verification_status: text,
})
const subscriptionsAnswer = z.object({
  data: z.array(
    z.object({
      object: z.string(),
      callback_url: z._default(z.string(), ''),
      active: z._default(z.boolean(), true),
      fields: z._default(z.array(z.object({ name: z.string() })), []),
    }),
  ),
})
const appsAnswer = z.object({
  data: z.array(z.object({ whatsapp_business_api_data: z.object({ id: z.string() }) })),
})
const numbersAnswer = z.object({ data: z.array(z.object({ id: z.string() })) })
const done = z.object({ success: z.literal(true) })
const session = z.object({ id: z.string().check(z.regex(/^upload:[^/\s]+$/)) })
const handle = z.object({ h: z.string().check(z.minLength(1)) })

interface SampleFile {
  bytes: Uint8Array<ArrayBuffer>
  mimeType: string
}

/** A page that shows Meta's reviewers what the header of a receipt is. */
function sampleReceipt(): SampleFile {
  const lines = ['Qatra', 'Receipt (sample)', 'Order 4F7K-2M9Q-XT31-B8WD', '3 x Hayrat 500 ml', 'Total: BHD 7.400']
  const text = `BT /F 14 Tf 40 250 Td 24 TL ${lines.map((line) => `(${line.replace(/[()]/g, '\\$&')}) Tj T*`).join(' ')} ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const starts = objects.map((object, at) => {
    const start = file.length
    file += `${at + 1} 0 obj${object}endobj\n`
    return `${String(start).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${starts.join('')}`
  const bytes = new TextEncoder().encode(
    `${file}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
  )
  return { bytes, mimeType: 'application/pdf' }
}

/** The app's own token, with which it manages its webhook. */
const appToken = (appId: string, { appSecret }: WhatsappConfig) => `${appId}|${appSecret ?? ''}`
const OBJECT = 'whatsapp_business_account'

export function managementOf(config: WhatsappConfig, options: CallOptions = {}) {
  const account = config.businessAccountId ?? ''
  const number = config.phoneNumberId ?? ''
  const get = <S extends z.ZodMiniType>(path: string, answer: S, query: Record<string, string> = {}) =>
    ask(config, { method: 'GET', path, query, answer }, options)
  const token = () => get('debug_token', tokenAnswer, { input_token: config.token ?? '' })
  return {
    token,
    number: () => get(number, numberAnswer, { fields: 'display_phone_number,verified_name,status' }),
    /** A call of its own: Meta refuses a call that names a field which it has withdrawn. */
    rating: () =>
      get(number, ratingAnswer, {
        fields: 'quality_rating,messaging_limit_tier,whatsapp_business_manager_messaging_limit',
      }),
    account: () => get(account, accountAnswer, { fields: 'name,account_review_status,business_verification_status' }),
    subscriptions: (appId: string) =>
      ask(
        config,
        {
          method: 'GET',
          path: `${appId}/subscriptions`,
          token: appToken(appId, config),
          answer: subscriptionsAnswer,
        },
        options,
      ),
    apps: () => get(`${account}/subscribed_apps`, appsAnswer),
    /** Ids of the account's numbers. */
    async numbers(): Promise<Asked<readonly string[]>> {
      const found = await get(`${account}/phone_numbers`, numbersAnswer, { fields: 'id', limit: '100' })
      return mapAnswer(found, ({ data }) => data.map(({ id }) => id))
    },
    /** Meta calls the address with its verify token before it answers. */
    setWebhook: (appId: string, { address, fields }: { address: string; fields: readonly string[] }) =>
      ask(
        config,
        {
          method: 'POST',
          path: `${appId}/subscriptions`,
          token: appToken(appId, config),
          body: {
            object: OBJECT,
            callback_url: address,
            verify_token: config.verifyToken,
            fields: fields.join(','),
            include_values: true,
          },
          answer: done,
        },
        options,
      ),
    subscribeApp: () =>
      ask(config, { method: 'POST', path: `${account}/subscribed_apps`, body: {}, answer: done }, options),
    /** Gives Meta a file; the answer is the handle by which a new template names it. */
    async uploadSample({ bytes, mimeType }: SampleFile = sampleReceipt()): Promise<Asked<string>> {
      const known = await token()
      if (known.kind !== 'answered') return known
      const { app_id: appId } = known.value.data
      if (appId === undefined) return { kind: 'silent' }
      const name = `sample.${endingOfMedia(mimeType)}`
      const query = { file_name: name, file_length: String(bytes.length), file_type: mimeType }
      const begun = await ask(config, { method: 'POST', path: `${appId}/uploads`, query, answer: session }, options)
      if (begun.kind !== 'answered') return begun
      const stored = await ask(config, { method: 'POST', path: begun.value.id, bytes, answer: handle }, options)
      return mapAnswer(stored, ({ h }) => h)
    },
  }
}
function mapAnswer<A, B>(asked: Asked<A>, change: (value: A) => B): Asked<B> {
  return asked.kind === 'answered' ? { kind: 'answered', value: change(asked.value) } : asked
}

/** Asks Meta everything that the set-up page shows; calls that do not depend on one another go at once. */
export async function readAccount(config: WhatsappConfig, options: CallOptions = {}): Promise<AccountFacts> {
  const meta = managementOf(config, options)
  const [token, number, rating, account, apps] = await Promise.all([
    meta.token(),
    meta.number(),
    meta.rating(),
    meta.account(),
    meta.apps(),
  ])
  const appId = token.kind === 'answered' ? (token.value.data.app_id ?? null) : null
  const subscriptions = appId === null ? ({ kind: 'silent' } as const) : await meta.subscriptions(appId)
  return {
    token: mapAnswer(token, ({ data }) => ({
      appId,
      isValid: data.is_valid,
      expiresAt: data.expires_at > 0 ? new Date(data.expires_at * 1000).toISOString() : null,
      scopes: data.scopes,
    })),
    number: mapAnswer(number, ({ display_phone_number: phone, verified_name: name, status }) => ({
      phone,
      name: name ?? null,
      status: status ?? null,
    })),
    rating: mapAnswer(rating, (known) => ({
      quality: known.quality_rating ?? null,
      tier: known.whatsapp_business_manager_messaging_limit ?? known.messaging_limit_tier ?? null,
    })),
    account: mapAnswer(account, ({ name, account_review_status: review, business_verification_status: business }) => ({
      name: name ?? null,
      review: review ?? null,
      business: business ?? null,
    })),
    webhook: mapAnswer(subscriptions, ({ data }) => {
      const own = data.find(({ object }) => object === OBJECT)
      if (!own) return null
      return { address: own.callback_url, isActive: own.active, fields: own.fields.map(({ name }) => name) }
    }),
    subscription: mapAnswer(apps, ({ data }) => ({
      isSubscribed: data.some(({ whatsapp_business_api_data: app }) => appId === null || app.id === appId),
    })),
  }
}
