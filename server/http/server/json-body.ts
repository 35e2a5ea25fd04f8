import { isUtf8 } from 'node:buffer'
import type { Lang } from '@qatra/contract/lib/lang'
import { AppError } from '../../lib/errors.ts'
import { translatorFor } from '../../lib/translate.ts'

const MAX_DEPTH = 20

const named = (path: readonly (string | number)[]) => path.join('.') || 'body'

/** A lone surrogate cannot be stored; the error names its field. */
function refuseText(text: string, path: readonly (string | number)[], lang: Lang) {
  if (text.includes('\u0000')) throw new AppError('BAD_REQUEST')
  if (text.isWellFormed()) return
  throw new AppError('INVALID_BODY', {
    fields: { [named(path).toWellFormed()]: translatorFor(lang)('validation.invalid') },
  })
}

/**
 * Checks the parsed body before any schema: depth, text that cannot be stored, prototype keys. Shares one `path` array:
 * a 4 MB file has a million values, and an array for each would be slow.
 */
function clean(value: unknown, path: (string | number)[], lang: Lang): void {
  if (typeof value === 'string') return refuseText(value, path, lang)
  if (typeof value !== 'object' || value === null) return
  if (path.length >= MAX_DEPTH) throw new AppError('BAD_REQUEST')
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const one: unknown = value[index]
      if (typeof one === 'number') continue
      path.push(index)
      clean(one, path, lang)
      path.pop()
    }
    return
  }
  // JSON.parse makes `__proto__` an own property.
  const object = value as Record<string, unknown>
  for (const key of Object.keys(object)) {
    if (key === '__proto__') {
      delete object[key]
      continue
    }
    refuseText(key, path, lang)
    path.push(key)
    clean(object[key], path, lang)
    path.pop()
  }
}

/** @throws AppError BAD_REQUEST for invalid JSON, INVALID_BODY naming a field with text that cannot be stored */
export function readJson(bytes: Buffer, lang: Lang): unknown {
  if (!isUtf8(bytes)) throw new AppError('BAD_REQUEST')
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    throw new AppError('BAD_REQUEST')
  }
  clean(value, [], lang)
  return value
}
