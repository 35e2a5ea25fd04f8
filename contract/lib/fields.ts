import type * as z from 'zod/mini'
import type validation from '../messages/validation.ar.json'

export type ValidationKey = keyof typeof validation

/** Message of an invalid field: the key that the schema names, else the one for the kind of issue. */
export function fieldWords(issue: z.core.$ZodIssue): { key: ValidationKey; values?: Record<string, number> } {
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return { key: ownKey(issue) ?? 'validation.textTooLong', values: { maximum: Number(issue.maximum) } }
  }
  const own = ownKey(issue)
  if (own) return { key: own }
  if (issue.code === 'invalid_type' && issue.input === undefined) return { key: 'validation.required' }
  return { key: 'validation.invalid' }
}

// Schemas put the message key in the issue's message. The messages test checks that all such keys exist.
const ownKey = ({ message }: z.core.$ZodIssue) =>
  message.startsWith('validation.') ? (message as ValidationKey) : null
