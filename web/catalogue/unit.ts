import { inLang, nameIn } from '@qatra/contract/lib/lang'
import type { Product } from '@qatra/contract/products/products'
import { bottleTermsOf, unitName } from '@qatra/contract/products/unit-name'
import { useLanguage } from '../lib/language/i18n.tsx'

type Unit = Parameters<typeof unitName>[1]

/** "Carton of 24", "Swap for your empty"; empty if the product has no unit. */
export function useUnitText() {
  const words = useLanguage()
  return (unit: Unit) => unitName(words, unit)
}

/** "Hayrat water, carton": what the size of a card's title is a size of. The title says the terms of a large bottle. */
export function useKindText() {
  const { t, lang } = useLanguage()
  return (product: Pick<Product, 'name' | 'nameAr'> & Unit) => {
    const name = nameIn(lang, product)
    const unit = inLang(lang, product.inventoryUnit ?? null, product.inventoryUnitAr ?? null)
    if (!unit || bottleTermsOf(product)) return name
    return t('catalogue.kind', { name, unit: unit.toLowerCase() })
  }
}
