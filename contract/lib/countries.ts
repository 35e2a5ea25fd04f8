import type { Lang } from './lang.ts'

/** Name of a country by its ISO 3166 code of two letters. */
export const countryName = (code: string, lang: Lang): string =>
  new Intl.DisplayNames([lang === 'ar' ? 'ar-BH' : 'en'], { type: 'region' }).of(code) ?? code
