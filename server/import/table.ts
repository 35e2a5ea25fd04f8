import {
  type CsvReader,
  type CsvStop,
  delimiterOf,
  HEADING_WITHIN,
  MOST_CELL_LENGTH,
  readCsv,
} from '@qatra/contract/lib/csv'
import type { FoundColumn, UploadedFile } from '@qatra/contract/lib/upload'
import { type Heading, type HeadingRules, headingOf } from './columns.ts'
import { textOf } from './decode.ts'
import { FileProblem } from './problem.ts'
import { sheetsOf } from './xlsx.ts'

/** One data row as entered. */
export interface TableRow<Column extends string, Cell = string> {
  /** In a table as a spreadsheet numbers it: from 1, with the heading and blank rows. In JSON from 1. */
  row: number
  values: Partial<Record<Column, Cell>>
  /** A row with values outside of all columns, or a JSON value that is not an object. */
  isMisshapen?: true
}

/** The rows of a file. All values of a CSV or Excel file are texts. */
export interface Table<Column extends string, Cell = string> {
  rows: TableRow<Column, Cell>[]
  columns: FoundColumn[]
  /** Why reading stopped after these rows; none of them is imported then. */
  problem: FileProblem | null
  isJson?: boolean
}

interface TableFormat<Column extends string> {
  heading: Heading<Column>
  /** Most rows that are not blank. */
  maxRows: number
}

export interface FileFormat<Column extends string, Cell> extends Pick<TableFormat<Column>, 'maxRows'> {
  columns: Readonly<Record<Column, HeadingRules>>
  /** If the rows may come as JSON. */
  readJson?: (bytes: Uint8Array, signal: AbortSignal) => Promise<Table<Column, Cell>>
}

/** Includes blank rows, so that a file of blank rows is limited, too. */
const MOST_ROWS = 20_000

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')

/**
 * Collects the rows of a file below its heading: of the first ten rows that are not blank, the one most like a heading.
 * Companies put their name, a date or an empty line above it. @throws FileProblem
 */
function collector<Column extends string>(
  { heading, maxRows }: TableFormat<Column>,
  { isSheet }: { isSheet: boolean },
) {
  const rows: TableRow<Column>[] = []
  let above: { row: number; cells: readonly string[] }[] = []
  let titles: readonly string[] = []
  let columns: (Column | null)[] | null = null
  let last = 0
  /** Places of unknown columns that have a value. */
  const unused = new Set<number>()

  function add(row: number, columns: readonly (Column | null)[], cells: readonly string[]) {
    if (rows.length === maxRows) throw new FileProblem('tooMany', row)
    const values: TableRow<Column>['values'] = {}
    let isMisshapen = false
    for (const [i, cell] of cells.entries()) {
      if (cell.trim() === '') continue
      const column = columns[i]
      if (column) {
        const before = values[column]
        const joined = before === undefined ? cell : `${before}\n${cell}`
        // 200 cells of the longest text would be one value of 1.6 million letters.
        if (joined.length > MOST_CELL_LENGTH) throw new FileProblem('tooLong', row)
        values[column] = joined
        // More cells than headings in a text file: a delimiter within a value has moved the others.
      } else if (i >= columns.length && !isSheet) isMisshapen = true
      else unused.add(i)
    }
    for (const column of columns) if (column) values[column] ??= ''
    rows.push(isMisshapen ? { row, values, isMisshapen } : { row, values })
  }

  function begin(): void {
    const best = Math.max(...above.map(({ cells }) => heading.known(cells)))
    const at = above.findIndex(({ cells }) => heading.known(cells) === best)
    titles = above[at]?.cells ?? []
    const found = heading.read(titles)
    columns = found
    for (const { row, cells } of above.slice(at + 1)) add(row, found, cells)
    above = []
  }

  return {
    rows,
    /** Row at which reading stopped. */
    next: () => last + 1,
    take(cells: readonly string[], row: number) {
      if (row > MOST_ROWS) throw new FileProblem('tooMany', row)
      last = row
      if (isBlank(cells)) return
      if (columns) return add(row, columns, cells)
      above.push({ row, cells })
      if (above.length === HEADING_WITHIN) begin()
    },
    /** After the last row. */
    end(): FoundColumn[] {
      if (!columns && above.length > 0) begin()
      const found = columns ?? []
      const named = (i: number) => titles[i]?.trim().slice(0, 100) || letterOf(i)
      return [
        ...found.flatMap((field, i) => (field ? [{ heading: named(i), field }] : [])),
        ...[...unused].sort((a, b) => a - b).map((i) => ({ heading: named(i), field: null })),
      ]
    },
  }
}

/** Name of a column in a spreadsheet: A to Z, then AA. */
const letterOf = (i: number): string =>
  (i < 26 ? '' : letterOf(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))

/** A body without a name is JSON. @throws FileProblem; the abort reason of `signal` */
export async function readTable<Column extends string, Cell>(
  { name, bytes }: UploadedFile,
  { columns, maxRows, readJson }: FileFormat<Column, Cell>,
  signal: AbortSignal,
): Promise<Table<Column, Cell | string>> {
  const format = { heading: headingOf(columns), maxRows }
  const extension = name === null ? 'json' : /\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  if (extension === 'csv') return readCsvTable(bytes, format, signal)
  if (extension === 'xlsx') return readXlsxTable(bytes, format, signal)
  if (extension === 'json' && readJson) return readJson(bytes, signal)
  throw new FileProblem('format')
}

async function readCsvTable<Column extends string>(
  bytes: Uint8Array,
  format: TableFormat<Column>,
  signal: AbortSignal,
): Promise<Table<Column>> {
  const { rows, take, end, next } = collector(format, { isSheet: false })
  const brokenAt = (stop: CsvStop) => {
    const row = next()
    return { columns: end(), rows, problem: new FileProblem(stop, row) }
  }
  let reader: CsvReader | null = null
  let row = 0
  for await (const piece of textOf(bytes, signal, { hasLegacyArabic: true })) {
    const { delimiter, skipped } = reader ? { delimiter: '', skipped: 0 } : delimiterOf(piece, format.heading.known)
    reader ??= readCsv(delimiter, (cells) => take(cells, (row += 1)))
    const stop = reader.push(skipped > 0 ? piece.slice(skipped) : piece)
    if (stop) return brokenAt(stop)
  }
  const stop = reader?.end()
  if (stop) return brokenAt(stop)
  const columns = end()
  if (rows.length === 0) throw new FileProblem('none')
  return { columns, rows, problem: null }
}

/** The first visible sheet of an Excel workbook that has the heading. Others are a chart, notes on how to fill it in. */
async function readXlsxTable<Column extends string>(
  bytes: Uint8Array,
  format: TableFormat<Column>,
  signal: AbortSignal,
): Promise<Table<Column>> {
  let problem = new FileProblem('none')
  for (const readSheet of await sheetsOf(bytes, signal)) {
    const { rows, take, end } = collector(format, { isSheet: true })
    try {
      await readSheet(take)
      const columns = end()
      if (rows.length > 0) return { columns, rows, problem: null }
    } catch (error) {
      if (!(error instanceof FileProblem) || error.kind !== 'missingColumn') throw error
      if (problem.kind === 'none') problem = error
    }
  }
  throw problem
}
