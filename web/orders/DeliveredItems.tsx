import { quantityText } from '@qatra/contract/products/unit-text'
import { useState } from 'react'
import { useNameIn, useSizedName } from '../app/names.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { classes } from '../ui/class-names.ts'
import { Stepper } from '../ui/Stepper.tsx'
import { type Deliverable, partOf, type Quantities } from './delivered-items.ts'

/** Choice of the handed over quantities, with what follows from it. */
export function usePartialDelivery(order: Deliverable) {
  const t = useT()
  const [quantities, setQuantities] = useState<Quantities>(new Map())
  const { isAll, isNothing, ...part } = partOf(order, quantities)
  return {
    ...part,
    quantities,
    setQuantity: (itemId: number, quantity: number) => setQuantities(new Map(quantities).set(itemId, quantity)),
    /** Why it cannot be saved. */
    reason: isNothing ? t('partly.nothing') : isAll ? t('partly.all') : null,
  }
}

interface DeliveredItemsProps {
  order: Deliverable
  part: ReturnType<typeof usePartialDelivery>
  /** What is summed up below the items, and the amount in BHD. */
  sum: string
  bhd: number
  className?: string
}

/** The items with steppers up to the ordered quantity, and what follows. */
export function DeliveredItems({ order, part, sum, bhd, className }: DeliveredItemsProps) {
  const words = useLanguage()
  const { t } = words
  const nameIn = useNameIn()
  const sizedName = useSizedName()
  return (
    <div className={classes('text-ink', className)}>
      <ul>
        {order.items.map((item) => (
          <li key={item.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <div className="min-w-0 flex-1 basis-32">
              <p dir="auto" className="text-start leading-[1.5]">
                {nameIn(item)}
              </p>
              <p className="text-label text-ink-2">
                {t('partly.of', { count: quantityText(words, item, item.quantity) })}
              </p>
            </div>
            <Stepper
              name={sizedName(item)}
              quantity={part.quantities.get(item.id) ?? item.quantity}
              max={item.quantity}
              hasBin={false}
              onChange={(quantity) => part.setQuantity(item.id, quantity)}
              className="w-48"
            />
          </li>
        ))}
      </ul>
      <p className="mt-2 flex justify-between gap-3 border-t border-line pt-3" role="status">
        <span>{sum}</span>
        <Money bhd={bhd} className="font-strong" />
      </p>
    </div>
  )
}
