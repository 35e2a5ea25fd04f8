import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Column } from './table-columns.tsx'

/** px that a column without a width keeps at least. */
const LEAST = 100
const TICK = 52

/** Columns of a wider screen go before those that every screen shows. */
const byScreen = { xl: 3, desk: 2, lg: 1 } as const
const rankOf = <Row>({ yields, from }: Column<Row>) => yields ?? (from ? byScreen[from] : 0)

/** The columns that fit into `width` px. The one with the highest `yields` goes first, the last one of equals; fixed ones stay. */
export function fitting<Row>(columns: readonly Column<Row>[], width: number, hasTick: boolean): readonly Column<Row>[] {
  const needed = columns.reduce((sum, column) => sum + (column.width ?? LEAST), hasTick ? TICK : 0)
  if (needed <= width) return columns
  const [next] = columns
    .filter(({ fixed }) => !fixed)
    .reverse()
    .sort((a, b) => rankOf(b) - rankOf(a))
  return next
    ? fitting(
        columns.filter((column) => column !== next),
        width,
        hasTick,
      )
    : columns
}

/** The width of an element, as it is now; infinite where nothing is laid out. */
export function useWidthOf(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const measure = () => setWidth(element.clientWidth || Number.POSITIVE_INFINITY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
