import { formatSize } from '@qatra/contract/sizes'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { useLang } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import type { ProductLine } from '../cart/view.ts'
import { Money, Size } from '../ui/Bidi.tsx'
import { ProductWell, WellBadge } from '../ui/ProductPicture.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { useUnitText } from './unit.ts'

interface ProductCardProps {
  product: ProductLine
  tint: string | null
  quantity: number
  onQuantity: (product: ProductLine, quantity: number) => void
}

export const ProductCard = memo(function ProductCard({ product, tint, quantity, onQuantity }: ProductCardProps) {
  const nameIn = useNameIn()
  const unitText = useUnitText()
  const lang = useLang()
  const name = nameIn(product)
  return (
    <article className="flex min-w-0 flex-col">
      <Link
        to="/products/$id"
        params={{ id: String(product.id) }}
        className="mb-2.5 block rounded-l"
        aria-label={`${name} ${formatSize(product.size, lang)}`}
        preload="intent"
      >
        <ProductWell size={product.size} imageUrl={product.imageUrl} tint={tint}>
          <WellBadge>
            <Size size={product.size} />
          </WellBadge>
        </ProductWell>
      </Link>
      <h3 dir="auto" className="text-start text-body leading-normal font-strong">
        {name}
      </h3>
      <p className="text-label text-ink-3">{unitText(product)}</p>
      <p className="mt-0.5 mb-2 text-heading">
        <Money bhd={product.price} />
      </p>
      <Stepper name={name} quantity={quantity} onChange={(next) => onQuantity(product, next)} className="mt-auto" />
    </article>
  )
})
