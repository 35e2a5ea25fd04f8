import type { Schema } from '@qatra/contract/endpoint'
import { fieldWords } from '@qatra/contract/lib/fields'
import type { Translate } from '../../lib/language/i18n.tsx'

export type FieldErrors<F extends string> = Partial<Record<F, string>>
/** The field that shows an error of this path; null if none does. */
export type FieldAt<F extends string> = (path: readonly PropertyKey[]) => F | null

/** Validates with the schema of the server. Of several errors of a field, the first counts. */
export function schemaErrors<F extends string>(
  schema: Schema | undefined,
  body: unknown,
  fieldAt: FieldAt<F>,
  t: Translate,
): FieldErrors<F> {
  const errors: FieldErrors<F> = {}
  for (const issue of schema?.safeParse(body).error?.issues ?? []) {
    const { key, values } = fieldWords(issue)
    const field = fieldAt(issue.path)
    if (field !== null) errors[field] ??= t(key, values)
  }
  return errors
}

/** `details.fields` of a rejected request, which names parts by path: `mapCoordinates.lat`. */
export function serverErrors<F extends string>(
  fields: Readonly<Record<string, string>> | undefined,
  fieldAt: FieldAt<F>,
): FieldErrors<F> {
  const errors: FieldErrors<F> = {}
  for (const [path, words] of Object.entries(fields ?? {})) {
    const field = fieldAt(path.split('.'))
    if (field !== null) errors[field] ??= words
  }
  return errors
}
