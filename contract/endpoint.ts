import type * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'
import type { Allow } from './roles.ts'

export type Schema = z.ZodMiniType
type Maybe = Schema | undefined

export interface Endpoint<
  P extends Maybe = Maybe,
  Q extends Maybe = Maybe,
  B extends Maybe = Maybe,
  R extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `{name}` parameters, as SPEC writes them. */
  path: `/${string}`
  allow: Allow
  /** Permissions that the person must hold besides, all of them. */
  permissions?: readonly Permission[]
  /** How whoever may not is refused, where it is not FORBIDDEN. */
  deniedAs?: ErrorCode
  /** Refused to whoever acts as somebody else. */
  forbidWhileImpersonating?: boolean
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Shape of the 200 answer. */
  returns: R
  /** Kind of file that is answered instead of JSON; `returns` is then its text or bytes. */
  produces?: string
  /** The answer has no end: events as they come. */
  isStream?: boolean
  /** Kinds of body, where it is not JSON alone. */
  accepts?: readonly string[]
  /** 204 where the answer has no body. */
  status?: 200 | 204
  /** Refusals beyond the ones every endpoint has. */
  errors?: readonly ErrorCode[]
}

/** One declaration serves the route, the typed client, the OpenAPI document and the tests. */
export function endpoint<
  R extends Schema,
  P extends Maybe = undefined,
  Q extends Maybe = undefined,
  B extends Maybe = undefined,
>(declaration: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return declaration
}

export type AnyEndpoint = Endpoint<Maybe, Maybe, Maybe, Schema>

type Sent<K extends string, S> = S extends Schema
  ? Record<never, never> extends z.input<S>
    ? { [key in K]?: z.input<S> }
    : { [key in K]: z.input<S> }
  : { [key in K]?: undefined }
type Read<K extends string, S> = S extends Schema ? { [key in K]: z.output<S> } : { [key in K]?: undefined }

/** What a caller sends. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema> ? Sent<'params', P> & Sent<'query', Q> & Sent<'body', B> : never
/** What a handler receives, parsed. */
export type Parsed<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema> ? Read<'params', P> & Read<'query', Q> & Read<'body', B> : never
/** What the endpoint answers. */
export type Output<E> = E extends Endpoint<Maybe, Maybe, Maybe, infer R> ? z.output<R> : never
