import type { AnyEndpoint, Schema } from '@qatra/contract/endpoint'
import type { ErrorResponse } from '@qatra/contract/errors'
import { fieldWords } from '@qatra/contract/fields'
import type { Lang } from '@qatra/contract/lang'
import { AppError } from '../lib/errors.ts'
import '../lib/phone.ts'
import { translatorFor } from '../lib/translate.ts'

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
export function parseInput(
  endpoint: AnyEndpoint,
  sent: { params: unknown; query: unknown; body: unknown },
  lang: Lang,
): { params: unknown; query: unknown; body: unknown } {
  return {
    params: parsed(endpoint.params, sent.params, () => new AppError('NOT_FOUND'), lang),
    query: parsed(endpoint.query, sent.query, (fields) => new AppError('INVALID_QUERY', { fields }), lang),
    body: parsed(endpoint.body, sent.body ?? (sent.body === null ? null : {}), invalidBody, lang),
  }
}
const invalidBody = (fields: Fields) => new AppError('INVALID_BODY', { fields })
