import { shownPicture } from '@qatra/contract/media'
import { silhouetteOf } from '@qatra/contract/products/sizes'
import type { BottleTerms } from '@qatra/contract/products/unit-name'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Bottle, Bottles } from './Bottle.tsx'
import { classes } from './class-names.ts'
import { SwapIcon } from './icons.tsx'

interface PhotoProps {
  src: string | null
  className: string
  children: ReactNode
}

/** The photo if it loads, else the drawing. Decorative: the name is beside it. */
export function Photo({ src: given, className, children }: PhotoProps) {
  // The admin area previews typed addresses: an external picture is not loaded.
  const src = shownPicture(given)
  const [isBroken, setBroken] = useState(false)
  const image = useRef<HTMLImageElement>(null)
  // A server-rendered image may have failed before hydration.
  useEffect(() => {
    if (image.current?.complete && image.current.naturalWidth === 0) setBroken(true)
  }, [])
  if (src === null || isBroken) return children
  return (
    <img ref={image} src={src} alt="" loading="lazy" className={className} onError={() => setBroken(true)} key={src} />
  )
}

export interface PictureProps {
  size: string
  imageUrl: string | null
  tint: string | null
}

interface WellProps extends PictureProps {
  /** On the product's page: 256 px high, 360 on a wide screen. */
  isLarge?: boolean
  /** Of a large bottle: an exchange is drawn as full and empty, a sale as one full bottle. */
  terms?: BottleTerms | null
  children?: ReactNode
}

const wells = {
  card: { box: 'h-25 after:h-3.5', gallon: '', carton: '', px: 86 },
  large: { box: 'h-64 after:h-5.5 md:h-90', gallon: 'h-50 w-auto md:h-70', carton: 'h-56 w-auto md:h-80', px: 200 },
}

/** Background of a product's picture, 100 px high on a card. `children` are placed over it, such as the size badge. */
export function ProductWell({ size, imageUrl, tint, isLarge, terms, children }: WellProps) {
  const shape = silhouetteOf(size)
  const isGallon = shape === 'b-5g'
  const { box, gallon, carton, px } = wells[isLarge ? 'large' : 'card']
  const drawn = classes('relative z-1 max-w-full origin-bottom', isGallon ? gallon : carton)
  return (
    <div
      className={classes(
        'relative flex items-end justify-center overflow-hidden rounded-l bg-well px-2 pb-2 after:absolute after:inset-x-0 after:bottom-0 after:bg-well-2 after:opacity-60',
        box,
      )}
    >
      <Photo src={imageUrl} className="relative z-1 h-full max-w-full object-contain pt-3">
        <Bottles size={size} tint={tint} height={px} className={drawn} />
        {terms === 'exchange' && (
          <Bottle shape={shape} tint={tint} height={px} className={classes(drawn, '[--water:transparent]')} />
        )}
      </Photo>
      {terms === 'exchange' && (
        <span className="absolute inset-0 z-2 m-auto grid size-7 place-items-center rounded-full bg-gulf text-on-gulf ring-2 ring-surface">
          <SwapIcon size={16} aria-hidden="true" />
        </span>
      )}
      {children}
    </div>
  )
}

/** The size, at the start corner of the picture. */
export function WellBadge({ children }: { children: ReactNode }) {
  return (
    <span className="absolute start-2 top-2 z-2 rounded-s bg-surface px-2 text-label leading-6.5 font-strong text-gulf">
      {children}
    </span>
  )
}
