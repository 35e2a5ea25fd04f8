import { fromBhd, timesFils, toBhd } from '@qatra/contract/lib/money'
import type { Order } from '@qatra/contract/orders/orders'
import { useNameIn } from '../app/names.ts'
import { Money } from '../ui/Bidi.tsx'
import { ProductThumb } from '../ui/ProductPicture.tsx'
import { ItemQuantity } from './ItemQuantity.tsx'

/** The ordered items, after a delivery with the delivered quantities, with the names and prices at the time of the order. */
export function OrderLines({ order }: { order: Order }) {
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
              <ItemQuantity item={item} />
            </p>
          </div>
          <Money bhd={toBhd(timesFils(fromBhd(item.price), item.quantity))} className="font-strong" />
        </li>
      ))}
    </ul>
  )
}
