import type { FailedJob } from '@qatra/contract/queues'
import { maskText } from '../lib/logger.ts'
import { redact } from '../lib/redact.ts'

const BLOT = '•••'
const MAX_REASON_LENGTH = 300
const MAX_VALUES = 12

const textIn = (value: unknown) => (typeof value === 'string' ? value : null)

/** Errors are stored without values; those of pg-boss are masked here. */
export function reasonOf(output: unknown): FailedJob['reason'] {
  const whole = typeof output === 'object' && output !== null ? output : {}
  const { type, code, message, value } = whole as Record<string, unknown> // any JSON value
  const inner = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const text = textIn(message) ?? textIn(inner['message']) ?? textIn(value) ?? ''
  return {
    type: textIn(type)?.slice(0, 60) ?? null,
    code:
      textIn(code)
        ?.replace(/[^\w.-]/g, '')
        .slice(0, 40) || null,
    message: maskText(text).slice(0, MAX_REASON_LENGTH),
  }
}

/** An id or technical name: no free text and no secret. */
const isPlain = (text: string) => /^[A-Za-z0-9][\w.:-]{0,39}$/.test(text) && maskText(text) === text

function shown(name: string, value: unknown): string {
  if (redact(name, value) !== value || name === 'sealed') return BLOT
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value === 'number') return maskText(String(value))
  return typeof value === 'string' && isPlain(value) ? value : BLOT
}

export function payloadOf(data: unknown): FailedJob['payload'] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return []
  return Object.entries(data)
    .slice(0, MAX_VALUES)
    .map(([name, value]) => ({ name: isPlain(name) ? name : BLOT, value: shown(name, value) }))
}
