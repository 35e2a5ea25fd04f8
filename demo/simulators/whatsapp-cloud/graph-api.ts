import { randomUUID } from 'node:crypto'
import { formOf, type ProviderHandler, type ProviderReply } from '../provider-http.ts'
import type { GraphAccount, Json } from './graph-account.ts'
import { failure, json } from './graph-reply.ts'
import { manage } from './management.ts'
import { codeOf, mediaIdIn, readMark, sentMessage } from './sent-message.ts'
import { mismatchOf } from './template-rules.ts'

/** Phones with this ending are on no WhatsApp. */
const UNREACHABLE = '9990'
const PAGE = 25

/** Meta's Graph API as far as we use it: messages, read receipts, media and templates. */
export function createGraphApi(account: GraphAccount): ProviderHandler {
  return async (request) => {
    const { method, path, headers, body, bytes = Buffer.from(body) } = request
    const { app } = account
    const isManaging = path.includes(`/${app.id}/subscriptions`)
    // The second call of an upload has Meta's older name of the scheme.
    const scheme = path.includes('/upload:') ? 'OAuth ' : 'Bearer '
    const { authorization = '' }: { authorization?: string | undefined } = headers
    const given = authorization.startsWith(scheme) ? authorization.slice(scheme.length) : ''
    const own = `${app.id}|`
    const isKnown = isManaging ? given.startsWith(own) && app.isSecret(given.slice(own.length)) : account.isToken(given)
    if (!isKnown) return failure(401, 190, 'Access token has expired')
    const isRead = method === 'GET'
    const form = isRead ? null : await formOf(request)
    const input = isRead ? {} : form ? fieldsOf(form) : parseJson(body)
    const refusal = account.refuse?.(path, input, method)
    if (refusal?.status === null) return null
    if (refusal) return failure(refusal.status, refusal.code ?? 1, 'As configured', { headers: refusal.headers })
    const managed = manage(account, { method, isRead, path, input, bytes })
    if (managed) return managed
    if (form && path.endsWith('/media')) return handleUpload(account, form)
    if (!isRead) return handleMessage(account, input)
    const [folder = '', query = ''] = path.split('?')
    return folder.endsWith('/message_templates')
      ? listTemplates(account, new URLSearchParams(query))
      : handleDownload(account, path)
  }
}

async function handleMessage(account: GraphAccount, input: Json): Promise<ProviderReply> {
  if (input['status'] !== undefined) {
    return readMark.safeParse(input).success ? json(200, { success: true }) : failure(400, 100, 'Invalid parameter')
  }
  const { success, data: message, error } = sentMessage.safeParse(input)
  if (!success) return failure(400, codeOf(error), 'Invalid message')
  const { to, recipient } = message
  const mediaId = mediaIdIn(message)
  if (mediaId !== null && !(await account.findFile(mediaId))) return failure(400, 131_009, 'Media id is not valid')
  if (to?.endsWith(UNREACHABLE) || recipient?.endsWith(UNREACHABLE))
    return failure(400, 131_026, 'Message undeliverable', { details: 'The recipient is not on WhatsApp' })
  const mismatch = message.type === 'template' ? mismatchOf(message.template, account.templates) : null
  if (mismatch !== null) return failure(400, mismatch, 'Parameters do not match the template')
  const id = `wamid.sim.${randomUUID()}`
  await account.accept(id, message)
  return json(200, {
    messaging_product: 'whatsapp',
    contacts: [to === undefined ? { user_id: recipient } : { input: to, wa_id: to }],
    messages: [{ id, message_status: 'accepted' }],
  })
}

const fieldsOf = (form: FormData): Json =>
  Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.type]))

/** Meta's types of media with their limits. */
const MB = 1024 * 1024
const mediaLimits: Readonly<Record<string, number>> = {
  'image/jpeg': 5 * MB,
  'image/png': 5 * MB,
  'audio/ogg': 16 * MB,
  'audio/mpeg': 16 * MB,
  'audio/aac': 16 * MB,
  'audio/mp4': 16 * MB,
  'video/mp4': 16 * MB,
  'video/3gpp': 16 * MB,
  'application/pdf': 100 * MB,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 100 * MB,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 100 * MB,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 100 * MB,
}

async function handleUpload(account: GraphAccount, form: FormData): Promise<ProviderReply> {
  const file = form.get('file')
  const mimeType = String(form.get('type') ?? '')
  const limit = Object.hasOwn(mediaLimits, mimeType) ? mediaLimits[mimeType] : undefined
  if (form.get('messaging_product') !== 'whatsapp' || !(file instanceof Blob))
    return failure(400, 100, 'Invalid parameter')
  if (limit === undefined || file.type !== mimeType)
    return failure(400, 100, 'Param file must be a file with a supported type')
  if (file.size > limit) return failure(400, 131_053, 'Media upload error')
  const id = `upload.${randomUUID()}`
  await account.storeFile(id, { bytes: Buffer.from(await file.arrayBuffer()), mimeType })
  return json(200, { id })
}

/** First the address of a file, then the file; both only with the token. */
async function handleDownload(account: GraphAccount, path: string): Promise<ProviderReply> {
  const id = path.split('/').at(-1) ?? ''
  const file = await account.findFile(id)
  if (!file) return failure(400, 100, 'Unsupported get request')
  const { bytes, mimeType, url = `${account.graphUrl()}/files/${id}` } = file
  if (path.includes('/files/')) return { status: 200, headers: { 'content-type': mimeType }, body: bytes }
  return json(200, { messaging_product: 'whatsapp', url, mime_type: mimeType, file_size: bytes.length, id })
}

function listTemplates({ graphUrl, templates }: GraphAccount, query: URLSearchParams): ProviderReply {
  const from = Number(query.get('after') ?? 0)
  const end = from + Number(query.get('limit') ?? PAGE)
  const next = end < templates.length ? { next: `${graphUrl()}/message_templates?after=${end}` } : {}
  return json(200, { data: templates.slice(from, end), paging: { cursors: { after: String(end) }, ...next } })
}

function parseJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Json) : {}
  } catch {
    return {}
  }
}
