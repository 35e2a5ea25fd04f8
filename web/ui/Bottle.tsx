import { classes } from './class-names.ts'

export type BottleShape = '200' | '330' | '500' | '600' | '1500' | '5g'

interface BottleProps {
  shape: BottleShape
  /** The vendor's colour; on a `.deep` panel the panel's own holds. */
  tint?: string | null
  /** Height in px; the width follows (2:3). */
  height: number
  className?: string
}

/** Drawn, so that every product has a picture. Said by the name beside it, never by itself. */
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
      <use href={`/bottles.svg#b-${shape}`} />
    </svg>
  )
}
