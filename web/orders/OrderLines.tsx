import { fromBhd, timesFils, toBhd } from '@qatra/contract/lib/money'
import type { Order } from '@qatra/contract/orders/orders'
import { quantityText } from '@qatra/contract/products/unit-text'
import { useNameIn } from '../app/names.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money, Quantity } from '../ui/Bidi.tsx'
import { ProductThumb } from '../ui/ProductPicture.tsx'

/** The ordered items, after a partial delivery with the delivered quantities, with the names and prices at the time of the order. */
export function OrderLines({ order }: { order: Order }) {
  const words = useLanguage()
  const { t } = words
  const nameIn = useNameIn()
  return (
    <ul>
      {order.items.map((item) => (
        <li key={item.id} className="grid grid-cols-[56px_minmax(0,1fr)_auto] items-center gap-x-3 py-2">
          <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={order.vendorTint} />
          <div className="min-w-0">
            <p dir="auto" className="text-start leading-[1.5]">
              {nameIn(item)}
            </p>
            <p className="text-label text-ink-3">
              {item.orderedQuantity === null ? (
                <Quantity of={item} count={item.quantity} />
              ) : (
                t('order.quantityOf', {
                  quantity: item.quantity,
                  ordered: quantityText(words, item, item.orderedQuantity),
                })
              )}
            </p>
          </div>
          <Money bhd={toBhd(timesFils(fromBhd(item.price), item.quantity))} className="font-strong" />
        </li>
      ))}
    </ul>
  )
}
