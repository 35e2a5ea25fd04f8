import * as z from 'zod/mini'
import type { WhatsappConfig } from '../../config/messaging.ts'
import { type Answer, type CallOptions, callProvider, type Failure } from '../provider-http.gateway.ts'

const text = z.optional(z.nullable(z.string()))
const refusal = z.object({
  error: z.object({
    code: z.number(),
    message: z._default(z.string(), ''),
    error_subcode: z.optional(z.number()),
    error_data: z.optional(z.object({ details: z.optional(z.string()) })),
    error_user_title: text,
    error_user_msg: text,
  }),
})

/** Meta's refusal of a call. */
export interface GraphError {
  code: number
  subcode: number | null
  /** For developers, with the details. */
  text: string
  /** For the account's owner; that for developers if there is none. */
  userText: string
}

export interface GraphRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below the address and version of the API. */
  path: string
  query?: Record<string, string>
  body?: object | FormData
  /** A part of a resumable upload, which has a scheme and a header of its own. */
  bytes?: Uint8Array<ArrayBuffer>
  /** Instead of the access token. */
  token?: string
}

/** `error` if Meta refused the call in its own form. */
export type GraphAnswer = Answer & { error?: GraphError }

const TIMEOUT_MS = 10_000

/** One call to Meta's Graph API. A failure is a call without a response that could be read. */
export async function callGraph(
  config: Pick<WhatsappConfig, 'graphUrl' | 'token'>,
  { method, path, query = {}, body, bytes, token = config.token ?? '' }: GraphRequest,
  { timeoutMs = TIMEOUT_MS, fetch }: CallOptions = {},
): Promise<GraphAnswer | Failure> {
  const search = new URLSearchParams(query).toString()
  const isForm = body instanceof FormData
  const answer = await callProvider(`${config.graphUrl}/${path}${search && `?${search}`}`, {
    method,
    headers: bytes
      ? { authorization: `OAuth ${token}`, file_offset: '0', 'content-type': 'application/octet-stream' }
      : { authorization: `Bearer ${token}`, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
    ...(bytes ? { body: bytes } : body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    timeoutMs,
    fetch,
  })
  if ('ok' in answer) return answer
  const refused = refusal.safeParse(answer.body)
  return refused.success ? { ...answer, error: readError(refused.data) } : answer
}

function readError({ error }: z.output<typeof refusal>): GraphError {
  const { code, message, error_subcode, error_data, error_user_title, error_user_msg } = error
  return {
    code,
    subcode: error_subcode ?? null,
    text: [message, error_data?.details].filter(Boolean).join(': '),
    userText: [error_user_title, error_user_msg].filter(Boolean).join(': ') || message,
  }
}
