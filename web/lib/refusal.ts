import type { CallError } from './api-client.ts'
import type { MessageKey, Translate } from './language/i18n.tsx'

/** What a text is chosen by. */
export type Refused = { code: string } & Partial<Pick<CallError, 'details' | 'retryAfter'>>
type ScopeOf<Key> = Key extends `${infer Scope}.error.other` ? Scope : never
export type RefusalScope = ScopeOf<MessageKey>

/** Details that a text can contain; names of a list are joined. */
function valuesOf({ details = {}, retryAfter }: Refused) {
  const values: Record<string, string | number> = { seconds: retryAfter ?? 60 }
  for (const [name, value] of Object.entries(details)) {
    if (typeof value === 'string' || typeof value === 'number') values[name] = value
    else if (Array.isArray(value)) values[name] = value.join(' ')
  }
  return values
}

/** Text of a refused call in the first of the scopes that has one: the message `<scope>.error.<CODE>`. */
export function ownRefusalText(t: Translate, error: Refused, ...scopes: readonly string[]): string | null {
  for (const scope of scopes) {
    const key = `${scope}.error.${error.code}`
    // The message files are the list of codes that have a text; a missing message returns its key.
    const text = t(key as MessageKey, valuesOf(error))
    if (text !== key) return text
  }
  return null
}

/** The same, and `<scope>.error.other` of the first scope for any other code. */
export function refusalText(t: Translate, error: Refused, scope: RefusalScope, ...more: readonly string[]): string {
  return ownRefusalText(t, error, scope, ...more) ?? t(`${scope}.error.other`)
}
