import { rowSelectionFeature, tableFeatures, type useTable } from '@tanstack/react-table'
import { createContext, type ReactNode, useContext } from 'react'
import type { Column } from './table-columns.tsx'

export interface DataTableProps<Row> {
  /** Read out as the table's name. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while they are on their way. What a row is, they say. */
  rows: readonly Row[] | undefined
  rowKey(row: NoInfer<Row>): string
  /** What a row is called where it is selected. */
  rowLabel(row: NoInfer<Row>): string
  /** `total`, or `-total` for falling. */
  sort?: string
  onSort?(sort: string): void
  /** Key of the row whose panel is open. */
  openKey?: string | undefined
  onOpen?(row: NoInfer<Row>): void
  selected?: ReadonlySet<string>
  onSelect?(keys: ReadonlySet<string>): void
  /** Rows with which nothing can be done are left out, by "all" too. */
  maySelect?(row: NoInfer<Row>): boolean
  /** What can be done with the selected rows; takes the place of the foot meanwhile. */
  bulk?: ReactNode
  /** Rows that are done with. */
  isDim?(row: NoInfer<Row>): boolean
  error?: Error | null
  onRetry?(): void
  empty: ReactNode
  /** One row on a phone. */
  renderCard(row: NoInfer<Row>): ReactNode
  /** Number of text lines in the placeholder of a card. */
  cardLines?: number
  page?: number
  limit?: number
  total?: number | undefined
  onPage?(page: number): void
  /** In the middle of the foot. */
  sum?: ReactNode
}

export const features = tableFeatures({ rowSelectionFeature })

export type TableModel<Row> = ReturnType<typeof useTable<typeof features, Row & object>>
export type RowModels<Row> = ReturnType<TableModel<Row>['getRowModel']>['rows']

/** True for the only row of its table in the Tab order. */
export const RowStop = createContext(true)

/** tabIndex of a row's controls. In a table with bulk acts only one row is in the Tab order; arrow keys reach the others. */
export const useRowTabIndex = () => (useContext(RowStop) ? undefined : -1)
