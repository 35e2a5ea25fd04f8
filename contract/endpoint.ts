import * as z from 'zod/mini'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './users/permissions.ts'
import type { Allow } from './users/roles.ts'

export type Schema = z.ZodMiniType
type Maybe = Schema | undefined

export interface Endpoint<
  P extends Maybe = Maybe,
  Q extends Maybe = Maybe,
  B extends Maybe = Maybe,
  R extends Schema = Schema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `{name}` parameters. */
  path: `/${string}`
  allow: Allow
  /** Permissions that the caller needs in addition to `allow`, all of them. */
  permissions?: readonly Permission[]
  /** Error code for unauthorized callers. Default: FORBIDDEN. */
  deniedAs?: ErrorCode
  /** Rejected during impersonation. */
  forbidWhileImpersonating?: boolean
  /** An API key may call it. Without it every key is refused. */
  byKey?: true
  summary: string
  params?: P
  query?: Q
  body?: B
  /** Schema of the 200 response. */
  returns: R
  /** MIME type of a response that is not JSON; `returns` is then its text or bytes. */
  produces?: string
  /** The rows of a table, as `tableFile` declares it: `.csv`, and `.xlsx` of `workbookOf`. */
  isTable?: boolean
  /** The response is an endless event stream. */
  isStream?: boolean
  /** Accepted content types. Default: JSON only. */
  accepts?: readonly string[]
  /** 204 if the response has no body. */
  status?: 200 | 204
  /** Error codes beyond the ones that every endpoint has. */
  errors?: readonly ErrorCode[]
}

/** Declares an endpoint. The route, the typed client, the OpenAPI document and the tests use this declaration. */
export function endpoint<
  R extends Schema,
  P extends Maybe = undefined,
  Q extends Maybe = undefined,
  B extends Maybe = undefined,
>(declaration: Endpoint<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return declaration
}

export type AnyEndpoint = Endpoint<Maybe, Maybe, Maybe, Schema>

/** What endpoints of tables share. Their path ends in `.csv`. */
export const tableFile = {
  method: 'GET',
  forbidWhileImpersonating: true,
  produces: 'text/csv; charset=utf-8',
  isTable: true,
  returns: z.unknown(),
} as const

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const workbookPath = (csv: string) => csv.replace(/\.csv$/, '.xlsx')

/** The same table as a workbook, at `….xlsx`. */
export const workbookOf = <E extends AnyEndpoint>(table: E): E => ({
  ...table,
  path: workbookPath(table.path),
  summary: table.summary.replace('a CSV file', 'an Excel workbook'),
  produces: WORKBOOK,
})

type Sent<K extends string, S> = S extends Schema
  ? Record<never, never> extends z.input<S>
    ? { [key in K]?: z.input<S> }
    : { [key in K]: z.input<S> }
  : { [key in K]?: undefined }
type Read<K extends string, S> = S extends Schema ? { [key in K]: z.output<S> } : { [key in K]?: undefined }

/** Request as the caller sends it. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema> ? Sent<'params', P> & Sent<'query', Q> & Sent<'body', B> : never
/** Parsed request as the handler receives it. */
export type Parsed<E> =
  E extends Endpoint<infer P, infer Q, infer B, Schema> ? Read<'params', P> & Read<'query', Q> & Read<'body', B> : never
/** Response of the endpoint. */
export type Output<E> = E extends Endpoint<Maybe, Maybe, Maybe, infer R> ? z.output<R> : never
