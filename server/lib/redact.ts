/** Field names, by whole words, whose values are hidden in every history. */
const secret =
  /(?:^|[^a-z])(?:code|otp|token|secret|password|passphrase|pin|cookie|session(?:id)?|apikey|hash|signature|authorization|credential)s?(?:$|[^a-z])/
const blot = '•••'
const inWords = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()

/** Replaces secret values at any depth. */
export function redact(name: string, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (secret.test(inWords(name))) return blot
  if (Array.isArray(value)) return value.map((item) => redact('', item))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redact(key, inner)]))
}
