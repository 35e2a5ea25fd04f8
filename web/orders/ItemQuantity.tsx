import type { OrderItem } from '@qatra/contract/orders/orders'
import { quantityText } from '@qatra/contract/products/unit-text'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Quantity } from '../ui/Units.tsx'

/** The quantity of an item; of a delivered one that differs from the order, with what was ordered. */
export function ItemQuantity({ item }: { item: OrderItem }) {
  const words = useLanguage()
  const { quantity, orderedQuantity } = item
  if (orderedQuantity === null) return <Quantity of={item} count={quantity} />
  if (orderedQuantity === 0) return words.t('unit.addedAtDoor', { quantity: quantityText(words, item, quantity) })
  return words.t('unit.deliveredOf', { quantity, ordered: quantityText(words, item, orderedQuantity) })
}
