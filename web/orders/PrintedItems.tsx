import type { SoldUnit } from '@qatra/contract/products/unit-name'
import { countText } from '@qatra/contract/products/unit-text'
import { useNameIn } from '../app/names.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Size } from '../ui/Bidi.tsx'

type Item = SoldUnit & { id: number; name: string; nameAr: string | null; quantity: number }

/** On paper: one product a line. */
export function PrintedItems({ items }: { items: readonly Item[] }) {
  const words = useLanguage()
  const nameIn = useNameIn()
  return (
    <ul className="grid gap-0.5 text-[0.75rem] leading-snug">
      {items
        .filter(({ quantity }) => quantity > 0)
        .map((item) => (
          <li key={item.id} className="wrap-anywhere">
            <bdi className="font-strong">{countText(words, item, item.quantity)}</bdi> · <bdi>{nameIn(item)}</bdi>{' '}
            <Size size={item.size} />
          </li>
        ))}
    </ul>
  )
}
