import type * as z from 'zod/mini'
import type validation from './messages/validation.ar.json'

export type ValidationKey = keyof typeof validation

/** The message of a refused field: the schema's own key where it names one, else the words for the kind of problem. */
export function fieldWords(issue: z.core.$ZodIssue): { key: ValidationKey; values?: Record<string, number> } {
  if (issue.code === 'too_big' && issue.origin === 'string') {
    return { key: ownKey(issue) ?? 'validation.textTooLong', values: { maximum: Number(issue.maximum) } }
  }
  const own = ownKey(issue)
  if (own) return { key: own }
  if (issue.code === 'invalid_type' && issue.input === undefined) return { key: 'validation.required' }
  return { key: 'validation.invalid' }
}

// Schemas name their words as the issue's message; the messages test holds every such key against the file.
const ownKey = ({ message }: z.core.$ZodIssue) =>
  message.startsWith('validation.') ? (message as ValidationKey) : null
