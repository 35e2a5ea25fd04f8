import type { Lang } from '@qatra/contract/lib/lang'
import { translatorFor } from '../lib/translate.ts'

const HIDDEN = '••••'

/**
 * The code, and as the last line the domain-bound format that lets a browser fill it in. Contains no other four-digit
 * number.
 */
export function codeText(lang: Lang, code: string, origin: string): string {
  const words = translatorFor(lang)
  return [words('message.code.line', { code }), words('message.code.advice'), '', `@${hostOf(origin)} #${code}`].join(
    '\n',
  )
}

/** The same message as stored, with the code masked. */
export const keptCodeText = (lang: Lang, origin: string) => codeText(lang, HIDDEN, origin)

const hostOf = (origin: string) => new URL(origin).hostname
