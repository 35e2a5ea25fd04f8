import { addFils, formatAmount, fromBhd, timesFils } from '@qatra/contract/lib/money'
import type { Order } from '@qatra/contract/orders/orders'
import { usualItems } from '@qatra/contract/orders/usual-items'
import { useQuery } from '@tanstack/react-query'
import type { CartAddition } from '../../cart/CartProvider.tsx'
import { useAddAll } from '../../cart/use-add-all.ts'
import { productsQuery, useVendor } from '../../catalogue/api.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Button } from '../../ui/Button.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'
import { useItemsText } from './items-text.ts'

/** The usual items that are on sale, at today's prices. */
export function useUsual(orders: readonly Order[]): CartAddition[] {
  const { data: products = [] } = useQuery(productsQuery())
  return usualItems(orders).flatMap(({ productId, quantity }) => {
    const product = products.find(({ id }) => id === productId)
    return product ? [{ product, quantity }] : []
  })
}

/** What the customer usually orders, with a button that puts all of it into the cart. */
export function UsualOrder({ usual }: { usual: readonly CartAddition[] }) {
  const t = useT()
  const itemsText = useItemsText()
  const { hasAll, addAll } = useAddAll()
  const vendor = useVendor(usual[0]?.product.vendorId ?? null)
  const sum = addFils(...usual.map(({ product, quantity }) => timesFils(fromBhd(product.price), quantity)))
  const isAdded = hasAll(usual)
  return (
    <section aria-labelledby="usual" className="mt-3.5 flex items-center gap-3">
      <span className="flex shrink-0">
        {usual.slice(0, 2).map(({ product }, index) => (
          <span key={product.id} className={index > 0 ? '-ms-4.5 rounded-m ring-3 ring-surface' : ''}>
            <ProductThumb size={product.size} imageUrl={product.imageUrl} tint={vendor?.tint ?? null} px={48} />
          </span>
        ))}
      </span>
      <div className="min-w-0 flex-1">
        <h2 id="usual" className="text-body font-strong">
          {t('usual.title')}
        </h2>
        <p className="line-clamp-2 text-label text-ink-3">{itemsText(usual)}</p>
      </div>
      {isAdded ? (
        <p role="status" className="flex min-h-tap shrink-0 items-center gap-1.5 px-2 font-strong text-ink-2">
          <CheckIcon size={20} aria-hidden="true" />
          {t('usual.added')}
        </p>
      ) : (
        <Button
          id="usual-add"
          className="min-h-12 shrink-0"
          aria-labelledby="usual-add usual"
          onClick={() => addAll(usual)}
        >
          <bdi>{t('usual.add', { amount: formatAmount(sum) })}</bdi>
        </Button>
      )}
    </section>
  )
}
