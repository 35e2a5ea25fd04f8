import { useInLang } from '../../app/names.ts'
import { useT } from '../../lib/language/i18n.tsx'

interface InUnits {
  inventoryUnit: string | null
  inventoryUnitAr: string | null
  unitsPerInventoryUnit: number
}

/** "Carton of 24" as in the shop; empty if the product has no unit. */
export function useUnitText() {
  const t = useT()
  const inLang = useInLang()
  return ({ inventoryUnit, inventoryUnitAr, unitsPerInventoryUnit: count }: InUnits) => {
    const unit = inLang(inventoryUnit, inventoryUnitAr)
    if (!unit) return ''
    return count > 1 ? t('adminProducts.unitOf', { unit, count }) : unit
  }
}
