import type { Lang } from '@qatra/contract/lang'
import { translatorFor } from '../lib/translate.ts'

const HIDDEN = '••••'

/**
 * The code on a line of its own words, and last the line that lets a browser of this host fill it in. No other number
 * of four digits stands in it.
 */
export function codeText(lang: Lang, code: string, origin: string): string {
  const words = translatorFor(lang)
  return [words('message.code.line', { code }), words('message.code.advice'), '', `@${hostOf(origin)} #${code}`].join(
    '\n',
  )
}

/** The same message as it is kept. */
export const keptCodeText = (lang: Lang, origin: string) => codeText(lang, HIDDEN, origin)

const hostOf = (origin: string) => new URL(origin).hostname
