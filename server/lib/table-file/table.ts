import { type CsvReader, type CsvStop, delimiterOf, readCsv } from '@qatra/contract/lib/csv'
import { createSemaphore } from '../concurrency.ts'
import { textOf } from './decode.ts'
import { FileProblem } from './problem.ts'
import { readSheet } from './xlsx.ts'

/** One data row as entered; all values are texts. */
export interface TableRow<Column extends string> {
  /** From 1, blank rows included. */
  row: number
  values: Partial<Record<Column, string>>
  /** A row with values outside of all columns. */
  isMisshapen?: true
}

export interface Table<Column extends string> {
  rows: TableRow<Column>[]
  /** Why reading stopped after these rows; none of them is imported then. */
  problem: FileProblem | null
}

export interface TableFormat<Column extends string> {
  /** Column of each cell of the heading, null for unknown ones. @throws FileProblem */
  readHeading: (cells: readonly string[]) => (Column | null)[]
  /** Most rows that are not blank. */
  maxRows: number
  hasLegacyArabic?: boolean
}

/** Includes blank rows, so that a file of blank rows is limited, too. */
const MOST_ROWS = 20_000

/** One file at a time: parsing is CPU-bound, and this bounds the memory of unpacked files. */
export const parsing = createSemaphore({ permits: 1, maxWaiting: 30 })

/** Collects the rows of a file below its heading, the first row that is not blank. @throws FileProblem */
function collector<Column extends string>({ readHeading, maxRows }: TableFormat<Column>) {
  const rows: TableRow<Column>[] = []
  let columns: (Column | null)[] | null = null
  let row = 0
  return {
    rows,
    /** Data row at which reading stopped; 0 in the heading. */
    next: () => (columns ? row + 1 : 0),
    take(cells: readonly string[]) {
      const isEmpty = cells.every((cell) => cell.trim() === '')
      if (!columns) {
        if (!isEmpty) columns = readHeading(cells)
        return
      }
      row += 1
      if (row > MOST_ROWS) throw new FileProblem('tooMany', row)
      if (isEmpty) return
      if (rows.length === maxRows) throw new FileProblem('tooMany', row)
      rows.push(rowOf(row, columns, cells))
    },
  }
}

function rowOf<Column extends string>(
  row: number,
  columns: readonly (Column | null)[],
  cells: readonly string[],
): TableRow<Column> {
  const values: TableRow<Column>['values'] = {}
  for (const [i, column] of columns.entries()) if (column) values[column] = cells[i] ?? ''
  const isMisshapen = cells.slice(columns.length).some((cell) => cell.trim() !== '')
  return isMisshapen ? { row, values, isMisshapen } : { row, values }
}

/** @throws FileProblem; the abort reason of `signal` */
export async function readCsvTable<Column extends string>(
  bytes: Uint8Array,
  format: TableFormat<Column>,
  signal: AbortSignal,
): Promise<Table<Column>> {
  const { rows, take, next } = collector(format)
  const brokenAt = (stop: CsvStop) => ({ rows, problem: new FileProblem(stop, next()) })
  let reader: CsvReader | null = null
  for await (const piece of textOf(bytes, signal, format)) {
    const { delimiter, skipped } = reader ? { delimiter: '', skipped: 0 } : delimiterOf(piece)
    reader ??= readCsv(delimiter, take)
    const stop = reader.push(skipped > 0 ? piece.slice(skipped) : piece)
    if (stop) return brokenAt(stop)
  }
  const stop = reader?.end()
  if (stop) return brokenAt(stop)
  if (rows.length === 0) throw new FileProblem('none')
  return { rows, problem: null }
}

/** The first sheet of an Excel workbook. @throws FileProblem; the abort reason of `signal` */
export async function readXlsxTable<Column extends string>(
  bytes: Uint8Array,
  format: TableFormat<Column>,
  signal: AbortSignal,
): Promise<Table<Column>> {
  const { rows, take } = collector(format)
  await readSheet(bytes, take, signal)
  if (rows.length === 0) throw new FileProblem('none')
  return { rows, problem: null }
}
