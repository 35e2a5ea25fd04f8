import { type Silhouette, silhouetteOf } from '@qatra/contract/products/sizes'
import { classes } from './class-names.ts'

interface BottleProps {
  shape: Silhouette
  /** The vendor's colour; without it a `deep` panel has its own. */
  tint?: string | null | undefined
  /** Height in px; the width follows. */
  height: number
  className?: string | undefined
}

/** Drawing for products without a picture; decorative, the name is beside it. */
export function Bottle({ shape, tint, height, className }: BottleProps) {
  return (
    <svg
      className={classes('tinted', className)}
      color={tint ?? undefined}
      width={Math.round((height * 2) / 3)}
      height={height}
      viewBox="0 0 160 240"
      aria-hidden="true"
    >
      <use href={`/bottles.svg#${shape}`} />
    </svg>
  )
}

interface BottlesProps extends Omit<BottleProps, 'shape'> {
  /** The product's size as stored. */
  size: string
}

/** A carton is three bottles, two behind at 62 % and 90 % height; a gallon is one. */
export function Bottles({ size, tint, height, className }: BottlesProps) {
  const shape = silhouetteOf(size)
  if (shape === 'b-5g') return <Bottle shape={shape} tint={tint} height={height} className={className} />
  const href = `/bottles.svg#${shape}`
  return (
    <svg
      className={classes('tinted', className)}
      color={tint ?? undefined}
      width={Math.round((height * 252) / 240)}
      height={height}
      viewBox="0 0 252 240"
      aria-hidden="true"
    >
      <g opacity="0.62">
        <use href={href} x="0" y="23" width="144" height="216" />
        <use href={href} x="108" y="23" width="144" height="216" />
      </g>
      <use href={href} x="46" y="0" width="160" height="240" />
    </svg>
  )
}
