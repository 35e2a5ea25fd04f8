import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { bottleTermsOf, sizeTitle } from '@qatra/contract/products/unit-name'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useSizedName } from '../app/names.ts'
import { QuantityStepper } from '../cart/QuantityStepper.tsx'
import type { ProductLine } from '../catalogue/product-line.ts'
import { useKindText } from '../catalogue/unit.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { ProductWell } from '../ui/ProductWell.tsx'
import type { CardFact } from './card-facts.ts'
import { LitrePrice } from './LitrePrice.tsx'

interface ProductCardProps {
  product: ProductLine
  tint: string | null
  /** The vendor does not deliver to the chosen area. */
  isOutside: boolean
  fact: CardFact | undefined
  /** BHD; what the next bottle costs once the customer has this one. */
  nextPrice: number | undefined
  onQuantity: (product: ProductLine, quantity: number) => void
}

export const ProductCard = memo(function ProductCard({
  product,
  tint,
  isOutside,
  fact,
  nextPrice,
  onQuantity,
}: ProductCardProps) {
  const words = useLanguage()
  const { t, lang } = words
  const kindText = useKindText()
  const sizedName = useSizedName()(product)
  const terms = bottleTermsOf(product)
  return (
    <article className="flex min-w-0 flex-col">
      <Link
        to="/products/$id"
        params={{ id: String(product.id) }}
        className="mb-2 block rounded-l"
        aria-label={sizedName}
        preload="intent"
      >
        <ProductWell size={product.size} imageUrl={product.imageUrl} tint={tint} terms={terms}>
          {terms === 'withBottle' && (
            <span
              aria-hidden="true"
              className="absolute start-2 bottom-2 z-2 flex items-center gap-1 rounded-full bg-surface px-2.5 text-label leading-7 text-gulf"
            >
              <PlusIcon size={16} />
              {t('catalogue.withBottle')}
            </span>
          )}
        </ProductWell>
      </Link>
      <h3 className="text-heading leading-[1.4]">
        <bdi>{sizeTitle(words, product)}</bdi>
      </h3>
      <p className="dots text-label leading-[1.5] text-ink-3">
        <bdi dir="auto">{kindText(product)}</bdi>
        {fact === 'mostOrdered' && <b className="text-aqua-ink">{t('catalogue.mostOrdered')}</b>}
      </p>
      <p className="text-heading leading-[1.4]">
        <bdi>{formatMoney(fromBhd(product.price), lang)}</bdi>
      </p>
      <p className="dots mb-1.5 min-h-[1.5em] text-label leading-[1.5] text-ink-3">
        {product.bottle?.terms === 'exchange' ? (
          <span>
            {t('totals.deposit')} <bdi>{formatMoney(fromBhd(product.bottle.deposit), lang)}</bdi>
          </span>
        ) : nextPrice === undefined ? (
          <LitrePrice product={product} />
        ) : (
          <span>{t('catalogue.thenExchange', { amount: formatMoney(fromBhd(nextPrice), lang) })}</span>
        )}{' '}
        {fact === 'bestPrice' && <b className="text-aqua-ink">{t('catalogue.bestPrice')}</b>}
      </p>
      <QuantityStepper
        productId={product.id}
        name={sizedName}
        isQuiet={isOutside}
        onChange={(next) => onQuantity(product, next)}
        className="mt-auto"
      />
    </article>
  )
})
