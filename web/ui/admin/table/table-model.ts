import { createContext, type ReactNode, useContext } from 'react'
import type { Column } from './table-columns.tsx'

export interface DataTableProps<Row> {
  /** Accessible name. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while loading. Determines the row type. */
  rows: readonly Row[] | undefined
  rowKey(row: NoInfer<Row>): string
  /** Name of a row for its checkbox. */
  rowLabel(row: NoInfer<Row>): string
  /** `total` ascends, `-total` descends. */
  sort?: string | undefined
  onSort?(sort: string): void
  /** Key of the row whose panel is open. */
  openKey?: string | undefined
  onOpen?(row: NoInfer<Row>): void
  selected?: ReadonlySet<string>
  onSelect?(keys: ReadonlySet<string>): void
  /** Rows without a possible action cannot be selected, nor by "select all". */
  maySelect?(row: NoInfer<Row>): boolean
  /** Actions for the selected rows; replaces the foot. */
  bulk?: ReactNode
  /** Finished rows, shown dimmed. */
  isDim?(row: NoInfer<Row>): boolean
  /** Rows of 36 px in place of 45. */
  isCompact?: boolean
  /** Rows of two lines. */
  isTall?: boolean
  error?: Error | null
  onRetry?(): void
  empty: ReactNode
  /** Card of one row on a phone. */
  renderCard(row: NoInfer<Row>): ReactNode
  /** Number of text lines in the placeholder of a card. */
  cardLines?: number
  page?: number
  limit?: number
  total?: number | undefined
  onPage?(page: number): void
  /** A line above the foot, where its coming and going moves no row. */
  notice?: ReactNode
  /** Text in the middle of the foot. */
  sum?: ReactNode
}

/** True for the only row of its table in the Tab order. */
export const RowStop = createContext(true)

/**
 * tabIndex of a row's controls. In a table with bulk actions only one row is in the Tab order; arrow keys reach the
 * others.
 */
export const useRowTabIndex = () => (useContext(RowStop) ? undefined : -1)
