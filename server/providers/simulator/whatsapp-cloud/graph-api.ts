import { randomUUID } from 'node:crypto'
import type { ProviderHandler, ProviderReply } from '../provider-http.ts'
import { codeOf, readMark, type SentMessage, sentMessage } from './sent-message.ts'

export type Json = Record<string, unknown>

export interface NewTemplate {
  name: string
  language: string
  category: string
  status: string
  components: Json[]
  rejected_reason: string
}
/** A template as the Graph API lists it. */
export interface GraphTemplate extends NewTemplate {
  id: string
}

export interface GraphFile {
  bytes: Buffer
  mimeType: string
  /** Download address, instead of the simulator's own. */
  url?: string
}

export interface GraphFailure {
  /** Null: the call is taken and never answered. */
  status: number | null
  code?: number
  headers?: Record<string, string>
}

export interface GraphAccount {
  token: string
  /** Address of the API with its version. */
  graphUrl: () => string
  templates: readonly GraphTemplate[]
  /** Keeps a message. */
  accept: (id: string, message: SentMessage) => Promise<void>
  findFile: (mediaId: string) => Promise<GraphFile | null>
  /** Sees every call with a valid token first, and may make it fail. */
  refuse?: (path: string, body: Json, method: string) => GraphFailure | null
}

/** Phones with this ending are on no WhatsApp. */
const UNREACHABLE = '9990'
const PAGE = 25

const json = (status: number, body: object, headers: Record<string, string> = {}): ProviderReply => ({
  status,
  headers,
  body,
})
const failure = (
  status: number,
  code: number,
  title: string,
  { details = title, headers }: { details?: string; headers?: Record<string, string> | undefined } = {},
) =>
  json(
    status,
    {
      error: {
        message: `(#${code}) ${title}`,
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details },
        fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
      },
    },
    headers,
  )

/** Meta's Graph API as far as we use it: messages, read receipts, media and templates. */
export function createGraphApi(account: GraphAccount): ProviderHandler {
  return async ({ method, path, headers, body }) => {
    if (headers['authorization'] !== `Bearer ${account.token}`) return failure(401, 190, 'Access token has expired')
    const isRead = method === 'GET'
    const input = isRead ? {} : parseJson(body)
    const refusal = account.refuse?.(path, input, method)
    if (refusal?.status === null) return null
    if (refusal) return failure(refusal.status, refusal.code ?? 1, 'As configured', { headers: refusal.headers })
    if (!isRead) return takeMessage(account, input)
    const [folder = '', query = ''] = path.split('?')
    return folder.endsWith('/message_templates')
      ? listTemplates(account, new URLSearchParams(query))
      : giveFile(account, path)
  }
}

async function takeMessage(account: GraphAccount, input: Json): Promise<ProviderReply> {
  if (input['status'] !== undefined) {
    return readMark.safeParse(input).success ? json(200, { success: true }) : failure(400, 100, 'Invalid parameter')
  }
  const { success, data: message, error } = sentMessage.safeParse(input)
  if (!success) return failure(400, codeOf(error), 'Invalid message')
  const { to, recipient } = message
  if (to?.endsWith(UNREACHABLE) || recipient?.endsWith(UNREACHABLE))
    return failure(400, 131_026, 'Message undeliverable', { details: 'The recipient is not on WhatsApp' })
  const id = `wamid.sim.${randomUUID()}`
  await account.accept(id, message)
  return json(200, {
    messaging_product: 'whatsapp',
    contacts: [to === undefined ? { user_id: recipient } : { input: to, wa_id: to }],
    messages: [{ id, message_status: 'accepted' }],
  })
}

/** First the address of a file, then the file; both only with the token. */
async function giveFile(account: GraphAccount, path: string): Promise<ProviderReply> {
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
