export const langs = ['ar', 'en'] as const
export type Lang = (typeof langs)[number]

export const isLang = (x: unknown): x is Lang => x === 'ar' || x === 'en'
export const dirOf = (lang: Lang): 'rtl' | 'ltr' => (lang === 'ar' ? 'rtl' : 'ltr')

type Text = string | null | undefined

/** The text of the language; if that is blank, the text of the other language. */
export function inLang(lang: Lang, en: Text, ar: Text): string {
  const [wanted, other] = lang === 'ar' ? [ar, en] : [en, ar]
  return (isBlank(wanted) ? other : wanted) ?? wanted ?? ''
}

export const nameIn = (lang: Lang, named: { name: Text; nameAr?: Text }): string =>
  inLang(lang, named.name, named.nameAr)

/** `A, B, and C` */
export const listIn = (lang: Lang, items: readonly string[]): string =>
  new Intl.ListFormat(lang, { type: 'conjunction' }).format(items)

/** A text of only spaces and format characters (zero-width spaces, bidi marks) is invisible. */
const isBlank = (text: Text) => !text || !/[^\s\p{Cf}]/u.test(text)

/** Name of a country by its ISO 3166 code of two letters. */
export const countryName = (code: string, lang: Lang): string =>
  new Intl.DisplayNames([lang === 'ar' ? 'ar-BH' : 'en'], { type: 'region' }).of(code) ?? code
