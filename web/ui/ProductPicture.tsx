import { silhouetteOf } from '@qatra/contract/products/sizes'
import { Bottle } from './Bottle.tsx'
import { classes } from './class-names.ts'
import { Photo, type PictureProps } from './ProductWell.tsx'

/** One bottle in a small square, for cart and order lines. */
export function ProductThumb({ size, imageUrl, tint, px = 56 }: PictureProps & { px?: 36 | 48 | 56 }) {
  return (
    <span
      className={classes(
        'grid shrink-0 place-items-end justify-center overflow-hidden rounded-m bg-well pb-0.75',
        { 36: 'size-9', 48: 'size-12', 56: 'size-14' }[px],
      )}
    >
      <Photo src={imageUrl} className="size-full object-contain p-1">
        <Bottle shape={silhouetteOf(size)} tint={tint} height={px - 8} />
      </Photo>
    </span>
  )
}

interface ThumbsProps {
  items: readonly Omit<PictureProps, 'tint'>[]
  tint: string | null
  className?: string
}

/** The first two bottles of an order, the second over the first. */
export function TwoThumbs({ items, tint, className }: ThumbsProps) {
  return (
    <span className={classes('flex', className ?? 'shrink-0')}>
      {items.slice(0, 2).map((item, index) => (
        <span key={`${item.size} ${item.imageUrl}`} className={index > 0 ? '-ms-6 rounded-m ring-3 ring-surface' : ''}>
          <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={tint} px={48} />
        </span>
      ))}
    </span>
  )
}
