import type { SimulatedFetch } from '../../server/lib/http-client.ts'

/** One call to a simulated provider. */
export interface ProviderRequest {
  method: string
  /** As it travels: with the query, not normalized. */
  path: string
  /** Names are in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  body: string
  /** The body as it travels, for providers that take binary ones. */
  bytes?: Buffer
  /** Aborts when the connection is closed. */
  closed?: AbortSignal
}

export interface ProviderReply {
  status: number
  headers?: Readonly<Record<string, string>>
  /** Bytes are sent as they are, everything else as JSON. */
  body: unknown
  delayMs?: number
  /** Called when the connection is closed; `wasSent`: whether the whole reply was sent before. */
  onClose?: (wasSent: boolean) => void
}

/** A simulated provider. Null: it takes the call and never answers. */
export type ProviderHandler = (request: ProviderRequest) => Promise<ProviderReply | null>

/** The form in a call, as `multipart/form-data`; null if it has none. */
export async function formOf({ headers, bytes }: ProviderRequest): Promise<FormData | null> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data') || !bytes) return null
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData().catch(() => null)
}

export const contentOf = ({ headers, body }: ProviderReply) => {
  const isFile = Buffer.isBuffer(body)
  return {
    headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json', ...headers },
    bytes: isFile ? body : Buffer.from(JSON.stringify(body)),
  }
}

/** Answers calls in this process; the handler is chosen by URL. */
export const fetchFrom =
  (handlerOf: (url: string) => ProviderHandler): SimulatedFetch =>
  async (address, { method = 'GET', headers: given, body } = {}) => {
    const { href, pathname, search } = new URL(String(address))
    const isEmpty = body === undefined || body === null
    const outgoing = { method: 'POST', headers: given, ...(isEmpty ? {} : { body, duplex: 'half' }) } as RequestInit // from an HTTP client
    const request = new Request(href, outgoing)
    const sent = Buffer.from(await request.arrayBuffer())
    const reply = await handlerOf(href)({
      method,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(request.headers),
      body: sent.toString(),
      bytes: sent,
    })
    if (!reply) throw new Error('The simulated provider does not answer')
    const { headers, bytes } = contentOf(reply)
    return new Response(new Uint8Array(bytes), { status: reply.status, headers })
  }
