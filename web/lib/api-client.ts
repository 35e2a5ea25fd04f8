import type { AnyEndpoint, Input, Output } from '@qatra/contract/endpoint'
import type { DetailsOf, ErrorCode, ErrorDetails, ErrorResponse } from '@qatra/contract/errors'
import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import { noteConnection } from './connection.ts'
import { finishSignOut, isSignOutPending } from './pending-sign-out.ts'
import { noteServerTime } from './server-clock.ts'

/** OFFLINE: no answer. UNREADABLE: an answer that is not ours, for example from a proxy. */
export type CallErrorCode = ErrorCode | 'OFFLINE' | 'UNREADABLE'

export class CallError extends Error {
  override name = 'CallError'
  status: number
  code: CallErrorCode
  details: ErrorResponse['details']
  /** Seconds of `Retry-After`, if the answer had it. */
  retryAfter: number | null
  #text: string

  constructor(status: number, text: string, retryAfter: number | null = null) {
    const refusal = refusalIn(text)
    super(refusal?.message ?? (text || 'No answer'))
    this.status = status
    this.code = refusal?.code ?? (status === 0 ? 'OFFLINE' : 'UNREADABLE')
    this.details = refusal?.details ?? {}
    this.retryAfter = retryAfter
    this.#text = text
  }

  override toString() {
    return `${this.status}: ${this.#text}`
  }
}

/** The details of one code, as the contract has them; empty for an error of another code. */
export function detailsOf<C extends keyof ErrorDetails>(error: CallError, code: C): Partial<DetailsOf<C>> {
  return (error.code === code ? error.details : {}) as Partial<DetailsOf<C>> // the server's, typed by the same table
}

/** In the server process the error is no CallError, but has a status. */
export const isMissing = (error: unknown) => error instanceof Error && 'status' in error && error.status === 404

/** Where a record that is gone is no failure; network errors are rethrown. */
export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

function refusalIn(text: string): ErrorResponse | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return null
    // The server's own error body; its shape is the contract's.
    const refusal = body as ErrorResponse
    return { ...refusal, details: refusal.details ?? {} }
  } catch {
    return null
  }
}

/** Longer than any server timeout; then the result is unknown, and a retry with the same key finds out. */
export const PLACING_TIMEOUT_MS = 20_000

/** An answer that is certain: the request changed nothing. */
export const isRefusal = (error: unknown): error is CallError =>
  error instanceof CallError && error.status >= 400 && error.status < 500

export interface CallOptions {
  signal?: AbortSignal
  /** Lets the request outlive the page (quantities still to be sent when it is hidden). */
  keepalive?: boolean
  /** Sent as `Idempotency-Key`: the same key places one order at most. */
  idempotencyKey?: string
}

/** `AbortSignal.timeout`, which is newer than the oldest browsers. */
export function abortAfter(ms: number): AbortSignal {
  const ending = new AbortController()
  setTimeout(() => ending.abort(), ms)
  return ending.signal
}

interface Sent {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** The input is optional if the endpoint needs none. */
export type InputOf<E> = Record<never, never> extends Input<E> ? [input?: Input<E>] : [input: Input<E>]

/** `/api/cart/update/{itemId}` with its parameters, encoded, and its query. */
export function addressOf(path: string, { params, query }: Sent = {}): string {
  const given: Record<string, unknown> = { ...(params as object | undefined) }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])))
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries({ ...(query as object | undefined) })) {
    if (value !== undefined && value !== null) search.set(key, String(value))
  }
  return String(search) === '' ? filled : `${filled}?${search}`
}

/** Call it before a request: nothing is sent with the session of a person who has signed out. @throws CallError */
export async function requireEndedSignOut() {
  if (!(await finishSignOut())) throw new CallError(0, '')
}

async function send(endpoint: Pick<AnyEndpoint, 'method' | 'path'>, input: Sent, options: CallOptions) {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey
  try {
    return await fetch(addressOf(endpoint.path, input), {
      method: endpoint.method,
      credentials: 'same-origin',
      headers,
      body: input.body === undefined ? null : JSON.stringify(input.body),
      keepalive: options.keepalive ?? false,
      signal: options.signal ?? null,
    })
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    noteConnection(false)
    throw new CallError(0, '')
  }
}

let signedOut: (() => void) | null = null

/** Sets the handler for SIGNED_OUT answers; the admin area leaves for the sign-in page. */
export function onSignedOut(callback: () => void) {
  signedOut = callback
}

/** The error of a response; calls the handler of `onSignedOut` if the session has ended. */
export function refusedBy(status: number, text: string, retryAfter: string | null): CallError {
  const refused = new CallError(status, text, Number(retryAfter) || null)
  if (refused.code === 'SIGNED_OUT') signedOut?.()
  return refused
}

async function request(endpoint: Pick<AnyEndpoint, 'method' | 'path'>, input: Sent, options: CallOptions) {
  const response = await send(endpoint, input, options)
  noteConnection(true)
  noteServerTime(response.headers.get('date'))
  const text = await response.text().catch((cause: unknown) => {
    // The connection was lost, or the page left, before the body was complete.
    if (options.signal?.aborted) throw cause
    noteConnection(false)
    throw new CallError(0, '')
  })
  if (!response.ok) throw refusedBy(response.status, text, response.headers.get('retry-after'))
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new CallError(response.status, text)
  }
}

let personCount = 0

/** Call it when the signed-in person changes: rejects waiting calls and answers to calls in flight. */
export function refuseEarlierCalls() {
  personCount += 1
}

/** @throws CallError for every error answer, and with status 0 if there was no answer or the person changed. */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Output<E>> {
  const caller = personCount
  // A sign-in is meant to change the person.
  const requireSamePerson = () => {
    if (caller !== personCount && !endpoint.path.includes('/verify')) throw new CallError(0, '')
  }
  // Without a pending sign-out a request starts at once, also from a page that is being left. What waits for this
  // person's sign-out is not sent as the next one's.
  if (isSignOutPending()) {
    await requireEndedSignOut()
    requireSamePerson()
  }
  const answer = await request(endpoint, input as Sent, options)
  requireSamePerson()
  // Both sides are tested against the contract; the browser does not validate answers again.
  return answer as Output<E>
}

export type ReadKey = readonly [path: string, input: Sent]

/** A GET as query options; the QueryClient's own `queryFn` fetches it from the key, here or in the server's process. */
export function read<E extends AnyEndpoint>(endpoint: E, ...[input]: InputOf<E>) {
  return queryOptions<Output<E>, CallError, Output<E>, ReadKey>({
    queryKey: [endpoint.path, (input ?? {}) as Sent],
  })
}

/** How a browser answers a query key. */
export async function fetchKey({ queryKey, signal }: QueryFunctionContext) {
  // Only `read` makes keys that reach the default queryFn.
  const [path, input] = queryKey as ReadKey
  if (isSignOutPending()) await requireEndedSignOut()
  return request({ method: 'GET', path: path as `/${string}` }, input, { signal })
}
