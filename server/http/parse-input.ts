import type { AnyEndpoint, Parsed, Schema } from '@qatra/contract/endpoint'
import type { ErrorResponse } from '@qatra/contract/errors'
import { fieldWords } from '@qatra/contract/lib/fields'
import type { Lang } from '@qatra/contract/lib/lang'
import { AppError } from '../lib/errors.ts'
import '../lib/phone.ts'
import { translatorFor } from '../lib/translate.ts'

/** A request before parsing. */
export interface Sent {
  params: unknown
  query: unknown
  body: unknown
}

type Fields = NonNullable<ErrorResponse['details']['fields']>

function parsed(schema: Schema | undefined, value: unknown, refuse: (fields: Fields) => AppError, lang: Lang): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields: Fields = {}
  for (const issue of result.error.issues) {
    const name = issue.path.map(String).join('.') || 'body'
    const { key, values } = fieldWords(issue)
    fields[name] ??= translatorFor(lang)(key, values)
  }
  throw refuse(fields)
}

/** @throws NOT_FOUND for a bad id in the path, INVALID_QUERY for a query value, INVALID_BODY for any body field */
export function parseInput<E extends AnyEndpoint>(endpoint: E, { params, query, body }: Sent, lang: Lang): Parsed<E> {
  return {
    params: parsed(endpoint.params, params, () => new AppError('NOT_FOUND'), lang),
    query: parsed(endpoint.query, query, (fields) => new AppError('INVALID_QUERY', { fields }), lang),
    body: parsed(endpoint.body, body ?? (body === null ? null : {}), invalidBody, lang),
  } as Parsed<E> // the endpoint's schemas made them
}
const invalidBody = (fields: Fields) => new AppError('INVALID_BODY', { fields })
