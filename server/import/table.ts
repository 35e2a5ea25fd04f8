import {
  type CsvReader,
  type CsvStop,
  delimiterOf,
  HEADING_WITHIN,
  MOST_CELL_LENGTH,
  readCsv,
} from '@qatra/contract/lib/csv'
import type { FileReading, FoundColumn, ImportMapping, UploadedFile } from '@qatra/contract/lib/upload'
import { shownText } from './cells.ts'
import { COMPLETE, type Heading, type HeadingRules, headingOf } from './columns.ts'
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
  /** Why the file is refused, with these rows; none of them is imported then. */
  problem: FileProblem | null
  isJson?: boolean
  /** Of a table. */
  shape?: TableShape
}

/** What a person has to know to choose the columns. */
export interface TableShape extends Pick<FileReading, 'heading' | 'above' | 'columns' | 'isRemembered'> {
  titles: readonly string[]
}

interface TableFormat<Column extends string> {
  heading: Heading<Column>
  /** Most rows that are not blank. */
  maxRows: number
  /** The cells of a line of a text file without headings, and the columns of all of them. */
  lines?: { split: (line: string) => string[]; mapping: ImportMapping } | undefined
}

export interface FileFormat<Column extends string, Cell> extends Pick<TableFormat<Column>, 'maxRows' | 'lines'> {
  columns: Readonly<Record<Column, HeadingRules>>
  /** If the rows may come as JSON: `jsonReader`. */
  readJson?: (
    bytes: Uint8Array,
    format: Pick<FileFormat<Column, Cell>, 'columns' | 'maxRows'>,
    signal: AbortSignal,
  ) => Promise<Table<Column, Cell>>
}

export interface TableOptions {
  /** Row of the headings, 0 for none; the one most like a heading without it. */
  headingRow?: number | undefined
  mapping?: ImportMapping | undefined
  isGuessing?: boolean | undefined
  /** The mapping of an earlier file with these headings. */
  recall?: (titles: readonly string[]) => Promise<ImportMapping | null>
}

/** Includes blank rows, so that a file of blank rows is limited, too. */
const MOST_ROWS = 20_000
/** Values of a column by which it is guessed. */
const MOST_SAMPLES = 50

interface GridRow {
  row: number
  cells: readonly string[]
}

/** The rows below the heading. */
interface Grid {
  titles: readonly string[]
  /** 0 without. */
  heading: number
  above: readonly GridRow[]
  rows: GridRow[]
  problem: FileProblem | null
  isSheet: boolean
  /** The rows are lines that were split. */
  isSplit: boolean
}

const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')
const filledIn = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length

/**
 * Collects the rows of a file below its heading: of the first ten rows that are not blank, the one most like a heading.
 * Companies put their name, a date or an empty line above it. Where no row is like one, the first that is about as wide
 * as the others is taken, unless it has values already. @throws FileProblem
 */
function collector<Column extends string>(
  { heading, maxRows, lines }: TableFormat<Column>,
  { isSheet, headingRow }: Pick<TableOptions, 'headingRow'> & { isSheet: boolean },
) {
  const grid: Grid = { titles: [], heading: 0, above: [], rows: [], problem: null, isSheet, isSplit: false }
  let above: GridRow[] = []
  let isBegun = false
  let last = 0

  function add({ row, cells }: GridRow) {
    if (grid.rows.length === maxRows) throw new FileProblem('tooMany', row)
    grid.rows.push({ row, cells: grid.isSplit && lines ? lines.split(cells.join(' ')) : cells })
  }

  function placeOfHeading(): number {
    if (headingRow !== undefined) return above.findIndex(({ row }) => row === headingRow)
    const likeness = above.map(({ cells }) => heading.known(cells))
    const best = Math.max(...likeness)
    if (best > 0) return likeness.indexOf(best)
    if (lines && !isSheet) return -1
    const widest = Math.max(...above.map(({ cells }) => filledIn(cells)))
    const first = above.findIndex(({ cells }) => filledIn(cells) * 2 >= widest)
    return heading.isData(above[first]?.cells ?? []) ? -1 : first
  }

  function begin(): void {
    isBegun = true
    const at = placeOfHeading()
    const found = above[at]
    grid.isSplit = !found && !isSheet && lines !== undefined
    if (found) Object.assign(grid, { titles: found.cells, heading: found.row, above: above.slice(0, at) })
    for (const each of above.slice(at + 1)) add(each)
    above = []
  }

  return {
    grid,
    take(cells: readonly string[], row: number) {
      if (row > MOST_ROWS) throw new FileProblem('tooMany', row)
      last = row
      if (isBlank(cells)) return
      if (isBegun) return add({ row, cells })
      above.push({ row, cells })
      if (above.length === HEADING_WITHIN) begin()
    },
    /** After the last row, or where reading stopped. */
    end(stop: CsvStop | null = null): Grid {
      if (stop) grid.problem = new FileProblem(stop, last + 1)
      if (!isBegun && above.length > 0) begin()
      return grid
    },
  }
}

/** Name of a column in a spreadsheet: A to Z, then AA. */
const letterOf = (i: number): string =>
  (i < 26 ? '' : letterOf(Math.floor(i / 26) - 1)) + String.fromCharCode(65 + (i % 26))

/** A body without a name is JSON. @throws FileProblem; the abort reason of `signal` */
export async function readTable<Column extends string, Cell>(
  { name, bytes }: UploadedFile,
  { columns, maxRows, readJson, lines }: FileFormat<Column, Cell>,
  signal: AbortSignal,
  options: TableOptions = {},
): Promise<Table<Column, Cell | string>> {
  const format = { heading: headingOf(columns), maxRows, lines }
  const extension = name === null ? 'json' : /\.(\w+)$/.exec(name)?.[1]?.toLowerCase()
  if (extension === 'json' && readJson) return readJson(bytes, { columns, maxRows }, signal)
  const read = extension === 'xlsx' ? readXlsxGrid : /^(?:csv|txt|tsv)$/.test(extension ?? '') ? readTextGrid : null
  if (!read) throw new FileProblem('format')
  const grid = await read(bytes, { format, options, signal })
  if (grid.rows.length === 0 && !grid.problem) throw new FileProblem('none')
  const recalled = options.mapping ? null : await options.recall?.(grid.titles)
  return tableOf(grid, format.heading, {
    ...options,
    mapping: options.mapping ?? recalled ?? (grid.isSplit ? lines?.mapping : undefined),
    isRemembered: Boolean(recalled),
  })
}

interface GridSource<Column extends string> {
  format: TableFormat<Column>
  options: TableOptions
  signal: AbortSignal
}

async function readTextGrid<Column extends string>(
  bytes: Uint8Array,
  { format, options, signal }: GridSource<Column>,
): Promise<Grid> {
  const { take, end } = collector(format, { ...options, isSheet: false })
  let reader: CsvReader | null = null
  let row = 0
  for await (const piece of textOf(bytes, signal, { hasLegacyArabic: true })) {
    const { delimiter, skipped } = reader ? { delimiter: '', skipped: 0 } : delimiterOf(piece, format.heading.known)
    reader ??= readCsv(delimiter, (cells) => take(cells, (row += 1)))
    const stop = reader.push(skipped > 0 ? piece.slice(skipped) : piece)
    if (stop) return end(stop)
  }
  return end(reader?.end())
}

/**
 * The first visible sheet of an Excel workbook that has the heading, else the one most like it. Others are a chart, notes
 * on how to fill it in.
 */
async function readXlsxGrid<Column extends string>(
  bytes: Uint8Array,
  { format, options, signal }: GridSource<Column>,
): Promise<Grid> {
  let best: { grid: Grid; likeness: number } | null = null
  for (const readSheet of await sheetsOf(bytes, signal)) {
    const { take, end } = collector(format, { ...options, isSheet: true })
    await readSheet(take)
    const grid = end()
    if (grid.rows.length === 0) continue
    const { problem } = choiceIn(grid, format.heading, { isGuessing: true }).choice
    const likeness = format.heading.known(grid.titles) + (problem ? 0 : COMPLETE)
    if (likeness > (best?.likeness ?? -1)) best = { grid, likeness }
    if (likeness > 2 * COMPLETE) break
  }
  if (!best) throw new FileProblem('none')
  return best.grid
}

function choiceIn<Column extends string>(
  { titles, heading, rows, isSheet }: Grid,
  { choose }: Heading<Column>,
  by: Parameters<typeof choose>[1],
) {
  const isFixed = heading > 0 && !isSheet
  const width = rows.reduce((most, { cells }) => (isFixed ? most : Math.max(most, cells.length)), titles.length)
  const samples = Array.from({ length: width }, (): string[] => [])
  for (const { cells } of rows)
    for (const [at, values] of samples.entries()) {
      const value = cells[at]?.trim()
      if (value && values.length < MOST_SAMPLES) values.push(value)
    }
  return { isFixed, width, samples, choice: choose({ titles, width, valuesAt: (at) => samples[at] ?? [] }, by) }
}

/** The values by field, and what a person has to know about the columns. @throws FileProblem */
function tableOf<Column extends string>(
  grid: Grid,
  known: Heading<Column>,
  by: TableOptions & { isRemembered: boolean },
): Table<Column> {
  const { titles, heading, above, rows, problem: stop } = grid
  const { isFixed, width, samples, choice } = choiceIn(grid, known, by)
  const { fields, guessed, problem } = choice
  const named = (at: number) => titles[at]?.trim().slice(0, 100) || letterOf(at)
  const unused = new Set<number>()
  const read: TableRow<Column>[] = []
  for (const { row, cells } of problem ? [] : rows) {
    const values: TableRow<Column>['values'] = {}
    let isMisshapen = false
    for (const [i, cell] of cells.entries()) {
      if (cell.trim() === '') continue
      const column = fields[i]
      if (column) {
        const before = values[column]
        const value = known.labelled(column, titles[i], cell)
        const joined = before === undefined ? value : `${before}\n${value}`
        // 200 cells of the longest text would be one value of 1.6 million letters.
        if (joined.length > MOST_CELL_LENGTH) throw new FileProblem('tooLong', row)
        values[column] = joined
        // More cells than headings in a text file: a delimiter within a value has moved the others.
      } else if (i >= width && isFixed) isMisshapen = true
      else unused.add(i)
    }
    for (const column of fields) if (column) values[column] ??= ''
    read.push(isMisshapen ? { row, values, isMisshapen } : { row, values })
  }
  const isSeen = (at: number) => (titles[at] ?? '').trim() !== '' || (samples[at]?.length ?? 0) > 0
  const shape: TableShape = {
    titles,
    heading,
    above: shownText(above.flatMap(({ cells }) => cells).join(' ')),
    columns: fields.flatMap((field, at) =>
      isSeen(at)
        ? [
            {
              at,
              heading: shownText(named(at)),
              sample: shownText(samples[at]?.[0] ?? ''),
              field,
              isGuessed: guessed.has(at),
            },
          ]
        : [],
    ),
    isRemembered: by.isRemembered,
  }
  const columns = [
    ...fields.flatMap((field, i) => (field ? [{ heading: named(i), field }] : [])),
    ...[...unused].sort((a, b) => a - b).map((i) => ({ heading: named(i), field: null })),
  ]
  return { columns: problem ? [] : columns, rows: read, problem: problem ?? stop, shape }
}
