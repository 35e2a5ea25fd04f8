import { compareSlots, slotOf } from '@qatra/contract/calendar/slot'
import { litrePrice } from '@qatra/contract/products/litre-price'
import type { Product } from '@qatra/contract/products/products'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type Sort, sorts } from '../app/routes/search.ts'
import type { Section } from '../catalogue/api.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Size } from '../ui/Bidi.tsx'
import { Choice, type FilterBoxProps } from './Filters.tsx'

const litreOf = (product: Product) => litrePrice(product) ?? Number.MAX_SAFE_INTEGER
const byLitre = (a: Product, b: Product) => litreOf(a) - litreOf(b) || a.id - b.id

/** The first product of a section has its lowest price per litre. */
const orders: Record<Sort, (a: Section, b: Section) => number> = {
  litre: ({ products: [a] }, { products: [b] }) => (a && b ? byLitre(a, b) : 0),
  day: ({ vendor: a }, { vendor: b }) => compareSlots(slotOf(a), slotOf(b)),
  fee: ({ vendor: a }, { vendor: b }) => a.deliveryFee - b.deliveryFee,
}

/** Vendors and, by the price of a litre, the products of each; products without a price per litre are last. */
export const sorted = (sections: readonly Section[], sort: Sort, delivers: (vendorId: number) => boolean): Section[] =>
  sections
    .map(({ vendor, products }) => ({ vendor, products: sort === 'litre' ? [...products].sort(byLitre) : products }))
    .sort((a, b) => Number(delivers(b.vendor.id)) - Number(delivers(a.vendor.id)) || orders[sort](a, b))

/** Size and order of the products, below its button. Escape, a choice and leaving it close it. */
export function FilterBox({ sizes, size, isSize, sort, close }: FilterBoxProps) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const leave = useEffectEvent((event: Event) => {
    const { target } = event
    const opener = box.current?.previousElementSibling
    if (event instanceof KeyboardEvent) {
      if (event.key !== 'Escape') return
      if (opener instanceof HTMLElement) opener.focus()
    } else if (target instanceof Node && (box.current?.contains(target) || opener?.contains(target))) return
    close()
  })
  useEffect(() => {
    const events = ['keydown', 'pointerdown', 'focusin'] as const
    for (const event of events) document.addEventListener(event, leave)
    return () => {
      for (const event of events) document.removeEventListener(event, leave)
    }
  }, [])
  return (
    <div
      ref={box}
      className="appear absolute inset-x-4 top-full z-30 mt-1 grid max-w-90 gap-3 rounded-l border border-line bg-surface p-3.5 shadow-float md:start-0 md:end-auto md:w-90"
    >
      <nav aria-label={t('catalogue.sizes')} className="flex flex-wrap gap-2">
        <Choice search={{ size: undefined }} isOn={size === undefined} onChoose={close}>
          {t('catalogue.allSizes')}
        </Choice>
        {sizes.map((one) => (
          <Choice key={one} search={{ size: one }} isOn={isSize(one)} onChoose={close}>
            <Size size={one} />
          </Choice>
        ))}
      </nav>
      <nav aria-label={t('search.sort')} className="flex flex-wrap gap-2 border-t border-line pt-3">
        {[undefined, ...sorts].map((one) => (
          <Choice key={one ?? ''} search={{ sort: one }} isOn={sort === one} onChoose={close}>
            {t(`search.sort.${one ?? 'none'}`)}
          </Choice>
        ))}
      </nav>
    </div>
  )
}
