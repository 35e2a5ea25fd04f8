import { unitName } from '@qatra/contract/products/unit-text'
import { useLanguage } from '../lib/language/i18n.tsx'

type Unit = Parameters<typeof unitName>[1]

/** "Carton of 24", "Swap for your empty"; empty if the product has no unit. */
export function useUnitText() {
  const words = useLanguage()
  return (unit: Unit) => unitName(words, unit)
}
