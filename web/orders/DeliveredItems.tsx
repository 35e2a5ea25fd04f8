import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { BottleCount } from '@qatra/contract/orders/bottles'
import { mostDelivered } from '@qatra/contract/orders/cash'
import { eachText, quantityText } from '@qatra/contract/products/unit-text'
import { useState } from 'react'
import { useNameIn, useSizedName } from '../app/names.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Money, UnitOf } from '../ui/Bidi.tsx'
import { classes } from '../ui/class-names.ts'
import { Stepper } from '../ui/Stepper.tsx'
import { Quantity } from '../ui/Units.tsx'
import {
  type Deliverable,
  type DoorRules,
  deliveryOf,
  type HandedOver,
  othersOf,
  goodsOf,
  type VanProduct,
} from './delivered-items.ts'

/** Choice of what was handed over, with what follows from it. */
export function useDelivery(
  order: Deliverable,
  products: readonly VanProduct[],
  { bottles = new Map(), ...rules }: DoorRules & Pick<HandedOver, 'bottles'> = {},
) {
  const t = useT()
  const [handedOver, setHandedOver] = useState<HandedOver>({ items: new Map(), van: new Map(), bottles })
  const { isAll, isNothing, ...delivery } = deliveryOf(order, products, handedOver, rules)
  const set = (of: 'items' | 'van') => (id: number, quantity: number) =>
    setHandedOver({ ...handedOver, [of]: new Map(handedOver[of]).set(id, quantity) })
  return {
    ...delivery,
    others: othersOf(order, products),
    handedOver,
    setItem: set('items'),
    setProduct: set('van'),
    setBottles: (typeId: number, count: Partial<Omit<BottleCount, 'typeId'>>) => {
      const before = handedOver.bottles?.get(typeId)
      setHandedOver({ ...handedOver, bottles: new Map(handedOver.bottles).set(typeId, { ...before, ...count }) })
    },
    /** Why it cannot be saved. */
    reason: isNothing
      ? t('partly.nothing')
      : isAll
        ? t('partly.all')
        : delivery.short
          ? t('partly.short', { count: Math.max(0, delivery.short.left ?? 0) })
          : null,
  }
}

interface DeliveredItemsProps {
  order: Deliverable
  delivery: ReturnType<typeof useDelivery>
  /** What is summed up below the items, and the amount in BHD. */
  sum: string
  bhd: number
  /** What it was for the ordered items. */
  was: number
  className?: string
}

/** The items and the vendor's other products with steppers, and what follows. */
export function DeliveredItems({ order, delivery, sum, bhd, was, className }: DeliveredItemsProps) {
  const words = useLanguage()
  const { t, lang } = words
  const { handedOver, others, owed } = delivery
  return (
    <div className={classes('text-ink', className)}>
      <ul>
        {order.items.map((item) => (
          <Row
            key={item.id}
            product={item}
            note={t('partly.of', { count: quantityText(words, item, item.quantity) })}
            ordered={item.quantity}
            left={delivery.leftFor(item)}
            quantity={handedOver.items.get(item.id) ?? item.quantity}
            onChange={(quantity) => delivery.setItem(item.id, quantity)}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <>
          <h3 className="mt-2 border-t border-line pt-3 text-label text-ink-2">{t('partly.van')}</h3>
          <ul>
            {others.map((product) => (
              <Row
                key={product.id}
                product={product}
                left={delivery.leftFor(goodsOf(product, 0))}
                quantity={handedOver.van.get(product.id) ?? 0}
                onChange={(quantity) => delivery.setProduct(product.id, quantity)}
              />
            ))}
          </ul>
        </>
      )}
      <p className="mt-2 flex items-baseline justify-between gap-3 border-t border-line pt-3" role="status">
        <span>
          {sum}
          {bhd !== was && (
            <span className="block text-label text-ink-2">
              {t('partly.was', { total: formatMoney(fromBhd(was), lang) })}
            </span>
          )}
        </span>
        <Money bhd={bhd} className="font-strong" />
      </p>
      {owed > 0 && (
        <p className="mt-1 text-label text-clay" role="status">
          {t('partly.owed', { amount: formatMoney(fromBhd(owed), lang) })}
        </p>
      )}
    </div>
  )
}

interface RowProps {
  product: Omit<VanProduct, 'id' | 'vendorId' | 'bottle'>
  /** Instead of quantity and unit. */
  note?: string
  /** May be handed over whatever the van is said to have. */
  ordered?: number
  left: ReturnType<ReturnType<typeof useDelivery>['leftFor']>
  quantity: number
  onChange(quantity: number): void
}

function Row({ product, note, ordered = 0, left, quantity, onChange }: RowProps) {
  const words = useLanguage()
  const { t } = words
  const most = left ? Math.min(mostDelivered, Math.max(ordered, quantity + left.free)) : mostDelivered
  const nameIn = useNameIn()
  const sizedName = useSizedName()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-32">
        <p dir="auto" className="text-start leading-[1.5]">
          {nameIn(product)}
        </p>
        <p className="dots text-label text-ink-2">
          {note && <span>{note}</span>}
          {left && <span>{t('partly.left', { count: left.inVan })}</span>}
          {!note && (quantity > 0 ? <Quantity of={product} count={quantity} /> : <UnitOf product={product} />)}{' '}
          <bdi>{eachText(words, product, formatMoney(fromBhd(product.price), words.lang))}</bdi>
        </p>
      </div>
      <Stepper
        name={sizedName(product)}
        quantity={quantity}
        max={most}
        maxReason={left && most < mostDelivered ? t('partly.short', { count: left.inVan }) : undefined}
        hasBin={false}
        isQuiet
        onChange={onChange}
        className="w-42"
      />
    </li>
  )
}
