import { inLang, nameIn } from '@qatra/contract/lang'
import { formatSize } from '@qatra/contract/sizes'
import { useLang } from './i18n.tsx'

/** Arabic name in Arabic where there is one, and the other way round. */
export function useNameIn() {
  const lang = useLang()
  return (named: { name: string; nameAr?: string | null }) => nameIn(lang, named)
}

/** What tells a product from the same one in another size, for who hears the page. */
export function useSizedName() {
  const lang = useLang()
  return (product: { name: string; nameAr?: string | null; size: string }) =>
    `${nameIn(lang, product)} ${formatSize(product.size, lang)}`
}

export function useInLang() {
  const lang = useLang()
  return (en: string | null, ar: string | null) => inLang(lang, en, ar)
}
