import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useNameIn, useSizedName } from '../app/names.ts'
import type { ProductLine } from '../catalogue/product-line.ts'
import { useUnitText } from '../catalogue/unit.ts'
import { Money, Size } from '../ui/Bidi.tsx'
import { ProductWell, WellBadge } from '../ui/ProductPicture.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { LitrePrice } from './LitrePrice.tsx'

interface ProductCardProps {
  product: ProductLine
  tint: string | null
  quantity: number
  /** The vendor does not deliver to the chosen area. */
  isOutside: boolean
  onQuantity: (product: ProductLine, quantity: number) => void
}

export const ProductCard = memo(function ProductCard({
  product,
  tint,
  quantity,
  isOutside,
  onQuantity,
}: ProductCardProps) {
  const nameIn = useNameIn()
  const unitText = useUnitText()
  const sizedName = useSizedName()(product)
  return (
    <article className="flex min-w-0 flex-col">
      <Link
        to="/products/$id"
        params={{ id: String(product.id) }}
        className="mb-2.5 block rounded-l"
        aria-label={sizedName}
        preload="intent"
      >
        <ProductWell size={product.size} imageUrl={product.imageUrl} tint={tint}>
          <WellBadge>
            <Size size={product.size} />
          </WellBadge>
        </ProductWell>
      </Link>
      <h3 dir="auto" className="text-start text-body leading-normal font-strong">
        {nameIn(product)}
      </h3>
      <p className="text-label text-ink-3">{unitText(product)}</p>
      <p className="mt-0.5 mb-2 flex flex-wrap items-baseline gap-x-2 text-heading">
        <Money bhd={product.price} />
        <LitrePrice product={product} />
      </p>
      <Stepper
        name={sizedName}
        quantity={quantity}
        isQuiet={isOutside}
        onChange={(next) => onQuantity(product, next)}
        className="mt-auto"
      />
    </article>
  )
})
