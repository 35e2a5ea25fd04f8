import { hasArabicLetters, isolated } from '@qatra/contract/lib/text'
import { setValueForm } from '../../lib/language/i18n.tsx'

/** An Arabic name in an English sentence would take the numbers and signs beside it into its own direction. */
export const isolateArabicValues = () =>
  setValueForm((value, lang) => (lang === 'en' && hasArabicLetters(value) ? isolated(value) : value))
