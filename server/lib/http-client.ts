/** Far more than any provider's honest answer. */
const MOST_BYTES = 1024 * 1024

interface Call {
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** For all of it: connection, head and body. */
  signal: AbortSignal
  mostBytes?: number
}

export interface HttpAnswer {
  status: number
  headers: Headers
  /** Null where it was longer than it may be; the rest is not read. */
  bytes: Buffer | null
}

/**
 * The one way out to addresses that the operator configured. An answer that points elsewhere is an answer, and is not
 * followed: it could point into our own network, with the credentials in hand. Addresses that anybody else may set are
 * never called.
 */
export async function fetchBounded(
  url: string | URL,
  { mostBytes = MOST_BYTES, ...request }: Call,
): Promise<HttpAnswer> {
  const response = await fetch(url, { ...request, redirect: 'manual' })
  return { status: response.status, headers: response.headers, bytes: await bytesOf(response, mostBytes) }
}

/** Counted as it was unpacked: a small answer may be packed out of a very large one. */
async function bytesOf({ body }: Response, most: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop ends the connection.
    if (length > most) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
