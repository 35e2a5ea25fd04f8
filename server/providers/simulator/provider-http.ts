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

export const contentOf = ({ headers, body }: ProviderReply) => {
  const isFile = Buffer.isBuffer(body)
  return {
    headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json', ...headers },
    bytes: isFile ? body : Buffer.from(JSON.stringify(body)),
  }
}

/** The part of `fetch` that our HTTP clients use. */
export type SimulatedFetch = (
  url: unknown,
  init?: { method?: string; headers?: unknown; body?: unknown },
) => Promise<Response>

/** Answers calls in this process; the handler is chosen by URL. */
export const fetchFrom =
  (handlerOf: (url: string) => ProviderHandler): SimulatedFetch =>
  async (address, { method = 'GET', headers: given, body } = {}) => {
    const { href, pathname, search } = new URL(String(address))
    const reply = await handlerOf(href)({
      method,
      path: `${pathname}${search}`,
      headers: Object.fromEntries(new Headers(given as Record<string, string> | undefined)), // from an HTTP client
      body: typeof body === 'string' ? body : '',
    })
    if (!reply) throw new Error('The simulated provider does not answer')
    const { headers, bytes } = contentOf(reply)
    return new Response(new Uint8Array(bytes), { status: reply.status, headers })
  }
