import type { Lang } from '@qatra/contract/lib/lang'
import { translatorFor } from '../lib/translate.ts'

const HIDDEN = '••••'

/**
 * The code, and in an SMS as its last line the domain-bound format that lets a browser fill it in. Contains no other
 * four-digit number.
 *
 * @param origin of the shop, for SMS alone
 */
export function codeText(lang: Lang, code: string, origin: string | null): string {
  const words = translatorFor(lang)
  const bound = origin === null ? [] : ['', `@${hostOf(origin)} #${code}`]
  return [words('message.code.line', { code }), words('message.code.advice'), ...bound].join('\n')
}

/** The same message as stored, with the code masked. */
export const keptCodeText = (lang: Lang, origin: string | null) => codeText(lang, HIDDEN, origin)

const hostOf = (origin: string) => new URL(origin).hostname
