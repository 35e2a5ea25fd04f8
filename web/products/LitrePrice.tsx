import { formatMoney } from '@qatra/contract/lib/money'
import { litrePrice } from '@qatra/contract/products/litre-price'
import type { ProductLine } from '../catalogue/product-line.ts'
import { useLanguage } from '../lib/language/i18n.tsx'

/** "BHD 0.133/litre", for comparing sizes and brands. */
export function LitrePrice({ product }: { product: ProductLine }) {
  const { t, lang } = useLanguage()
  const price = litrePrice(product)
  if (price === null) return null
  return (
    <bdi className="text-label font-regular text-ink-3">
      {t('catalogue.perLitre', { amount: formatMoney(price, lang) })}
    </bdi>
  )
}
