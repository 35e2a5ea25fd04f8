import { inLang, nameIn } from '@qatra/contract/lang'
import { useLang } from './i18n.tsx'

/** Arabic name in Arabic where there is one, and the other way round. */
export function useNameIn() {
  const lang = useLang()
  return (named: { name: string; nameAr?: string | null }) => nameIn(lang, named)
}

export function useInLang() {
  const lang = useLang()
  return (en: string | null, ar: string | null) => inLang(lang, en, ar)
}
