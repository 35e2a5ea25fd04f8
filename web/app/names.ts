import { inLang, nameIn } from '@qatra/contract/lib/lang'
import { formatSize } from '@qatra/contract/products/sizes'
import { useLang } from '../lib/language/i18n.tsx'

/** Arabic name in Arabic where there is one, and the other way round. */
export function useNameIn() {
  const lang = useLang()
  return (named: { name: string; nameAr?: string | null }) => nameIn(lang, named)
}

/** Product name with its size, as an accessible name. */
export function useSizedName() {
  const lang = useLang()
  return (product: { name: string; nameAr?: string | null; size: string }) =>
    `${nameIn(lang, product)} ${formatSize(product.size, lang)}`
}

export function useInLang() {
  const lang = useLang()
  return (en: string | null, ar: string | null) => inLang(lang, en, ar)
}
