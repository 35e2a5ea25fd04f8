import type { ErrorCode } from '@qatra/contract/errors'
import type { ValidationKey } from '@qatra/contract/lib/fields'
import type { Actor } from '@qatra/contract/users/actor'
import { AppError } from './errors.ts'
import { translatorFor } from './translate.ts'

/** Rejects fields of a request, each with its message in the language of the request. */
export function invalidFields(
  { actor }: { actor: Pick<Actor, 'lang'> },
  keys: Record<string, ValidationKey>,
  code: ErrorCode = 'INVALID_BODY',
): AppError {
  const translate = translatorFor(actor.lang)
  return new AppError(code, {
    fields: Object.fromEntries(Object.entries(keys).map(([field, key]) => [field, translate(key)])),
  })
}
