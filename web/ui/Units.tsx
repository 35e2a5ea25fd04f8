import type { SoldUnit } from '@qatra/contract/products/unit-name'
import { countText, quantityText } from '@qatra/contract/products/unit-text'
import { useLanguage } from '../lib/language/i18n.tsx'
import { tiedDots } from './Bidi.tsx'
import { classes } from './class-names.ts'

interface UnitsProps {
  of: SoldUnit
  count: number
  className?: string
}

/** `3 cartons of 24 · 500 ml` */
export function Quantity({ of, count, className }: UnitsProps) {
  const text = quantityText(useLanguage(), of, count)
  return <bdi className={classes('whitespace-normal', className)}>{tiedDots(text)}</bdi>
}

/** `3 cartons of 24` */
export function Units({ of, count, className }: UnitsProps) {
  return <bdi className={className}>{countText(useLanguage(), of, count)}</bdi>
}
