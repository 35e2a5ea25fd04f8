import { useInLang } from '../app/names.ts'
import { useT } from '../lib/language/i18n.tsx'
import type { ProductLine } from './product-line.ts'

/** "Carton of 24", "Swap for your empty"; empty if the product has no unit. */
export function useUnitText() {
  const t = useT()
  const inLang = useInLang()
  return ({ inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit }: ProductLine) => {
    const unit = inLang(inventoryUnit, inventoryUnitAr)
    if (!unit) return ''
    return unitsPerInventoryUnit > 1 ? t('catalogue.unitOf', { unit, count: unitsPerInventoryUnit }) : unit
  }
}
