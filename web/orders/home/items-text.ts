import type { SoldUnit } from '@qatra/contract/products/unit-name'
import { itemText } from '@qatra/contract/products/unit-text'
import { useSizedName } from '../../app/names.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { tiedDots } from '../../ui/Bidi.tsx'

interface Line {
  product: SoldUnit & { name: string; nameAr: string | null }
  quantity: number
}

/** `3 cartons of 24 · Hayrat water 500 ml, 2 gallons (exchange) · …` */
export function useItemsText() {
  const words = useLanguage()
  const sizedName = useSizedName()
  return (lines: readonly Line[]): string =>
    lines
      .map(({ product, quantity }) => tiedDots(itemText(words, product, { count: quantity, name: sizedName(product) })))
      .reduce((before, next) => (before ? words.t('usual.join', { before, next }) : next), '')
}
