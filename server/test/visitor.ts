import type { Readable } from 'node:stream'
import type { AnyEndpoint, Input, Output } from '@qatra/contract/endpoint'
import type { ErrorResponse } from '@qatra/contract/errors'
import type { Shop } from '../app.ts'
import { newSessionCookie } from '../http/session-cookie.ts'
import { sha256 } from '../lib/secrets.ts'

export interface Answer<T> {
  status: number
  /** The parsed body, typed as the endpoint's response; `refusal` for errors. */
  body: T
  refusal: ErrorResponse
  headers: Record<string, string | string[] | number | undefined>
}

export interface Visitor {
  call: <E extends AnyEndpoint>(
    endpoint: E,
    input?: Input<E>,
    headers?: Record<string, string>,
  ) => Promise<Answer<Output<E>>>
  /** Any request, for invalid input. */
  send: (
    method: string,
    url: string,
    options?: { body?: unknown; raw?: string | Buffer; headers?: Record<string, string> },
  ) => Promise<Answer<unknown>>
  cookies: Map<string, string>
  /** A signed-in session without the code, for tests of other things. */
  signInAs: (phone: string) => Promise<Visitor>
}

const isStream = ({ app }: Pick<Shop, 'app'>, method: string, url: string) =>
  app.served.get(`${method} ${url.split('?')[0]}`)?.endpoint.isStream === true

/** The start of a stream, or a complete error response. */
async function beginningOf({ statusCode, stream }: { statusCode: number; stream: () => Readable }) {
  const chunks: Buffer[] = []
  for await (const chunk of stream()) {
    chunks.push(chunk as Buffer) // without an encoding these are buffers
    if (statusCode === 200) break
  }
  return Buffer.concat(chunks).toString()
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A visitor of the shop over HTTP (injected into the real server), with cookies kept between calls. */
export function visit(shop: Pick<Shop, 'app'>): Visitor {
  const cookies = new Map<string, string>()

  const send: Visitor['send'] = async (method, url, { body, raw, headers = {} } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await shop.app.http.inject({
      method: method as Method, // some tests send invalid methods
      url,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(cookie ? { cookie } : {}),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
      // For streams, only the start is read.
      payloadAsStream: isStream(shop, method, url),
    })
    const text = isStream(shop, method, url) ? await beginningOf(response) : response.body
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const isJson = String(response.headers['content-type'] ?? '').includes('json')
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : text
    return { status: response.statusCode, body: parsed, refusal: parsed as ErrorResponse, headers: response.headers }
  }

  const visitor: Visitor = {
    cookies,
    send,
    call: async (endpoint, input, headers = {}) => {
      const { params, query, body } = { ...(input as { params?: object; query?: object; body?: unknown } | undefined) }
      const values: Record<string, unknown> = { ...params }
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
      const search = new URLSearchParams(
        Object.entries({ ...query }).map(([key, value]): [string, string] => [key, String(value)]),
      )
      const answer = await send(endpoint.method, search.size > 0 ? `${path}?${search}` : path, { body, headers })
      return answer as Answer<never> // the contract names the shape; tests check the values
    },
    async signInAs(phone) {
      const cookie = newSessionCookie('user')
      const { rowCount } = await shop.app.pool.query(
        `insert into sessions (id, user_id, expires_at) select $1, id, now() + interval '1 day' from users where phone = $2`,
        [sha256(cookie), phone],
      )
      if (rowCount !== 1) throw new Error(`Nobody has the phone ${phone}`)
      cookies.set(shop.app.cookies.session, cookie)
      return visitor
    },
  }
  return visitor
}
