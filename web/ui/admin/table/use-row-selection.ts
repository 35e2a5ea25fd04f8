import { useRef } from 'react'
import type { DataTableProps } from './table-model.ts'

const noKeys: ReadonlySet<string> = new Set()

export type RowSelection<Row> = ReturnType<typeof useRowSelection<Row>>

/** Selection among the rows of one page. */
export function useRowSelection<Row>(
  props: Pick<DataTableProps<Row>, 'rows' | 'rowKey' | 'selected' | 'onSelect' | 'maySelect'>,
) {
  const { rows = [], rowKey, selected = noKeys, onSelect, maySelect } = props
  /** The row that was toggled last; Shift selects from there. */
  const anchor = useRef<string | null>(null)
  const canSelect = (row: Row) => onSelect !== undefined && (maySelect?.(row) ?? true)
  const keys = rows.filter(canSelect).map((row) => rowKey(row))
  const isAll = keys.length > 0 && keys.every((key) => selected.has(key))

  function change(changed: readonly string[], isOn: boolean) {
    const others = [...selected].filter((key) => !changed.includes(key))
    onSelect?.(new Set(isOn ? [...others, ...changed] : others))
  }
  return {
    canSelect,
    isSelected: (key: string) => selected.has(key),
    count: selected.size,
    isAll,
    isPartly: !isAll && keys.some((key) => selected.has(key)),
    /** `isRange`: together with the rows since the one toggled last. */
    toggle(key: string, isRange = false) {
      const [from, to] = [keys.indexOf(anchor.current ?? ''), keys.indexOf(key)]
      if (to < 0) return
      const range = isRange && from >= 0 ? keys.slice(Math.min(from, to), Math.max(from, to) + 1) : [key]
      change(range, !selected.has(key))
      anchor.current = key
    },
    toggleAll() {
      anchor.current = null
      change(keys, !isAll)
    },
  }
}
