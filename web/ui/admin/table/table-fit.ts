import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Column } from './table-columns.tsx'

/** Minimum width in px of a column without a width. */
const LEAST = 100
const TICK = 52

/** Columns of wide screens are hidden before columns of all screens. */
const byScreen = { xl: 3, desk: 2, lg: 1 } as const
const rankOf = <Row>({ yields, from }: Column<Row>) => yields ?? (from ? byScreen[from] : 0)

/** The columns that fit into `width` px. Hides the highest `yields` first, of equals the last; fixed columns stay. */
export function fitting<Row>(columns: readonly Column<Row>[], width: number, hasTick: boolean): readonly Column<Row>[] {
  // The columns without a width are equally wide.
  const least = Math.max(LEAST, ...columns.map((column) => column.least ?? 0))
  const needed = columns.reduce((sum, column) => sum + (column.width ?? least), hasTick ? TICK : 0)
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

/** The current width of an element; infinite without layout. */
export function useWidthOf(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth || Number.POSITIVE_INFINITY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}
