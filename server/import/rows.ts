import { setImmediate as breathe } from 'node:timers/promises'
import type { ImportPlan, RepairAct } from '@qatra/contract/lib/upload'
import type { Translator } from '../lib/translate.ts'
import { shownValue, withoutEscape } from './cells.ts'
import type { Columns, Refuse } from './columns.ts'
import type { RowFailure } from './problem.ts'
import { mended, repairFor, repairsThat } from './repairs.ts'
import type { Table, TableRow } from './table.ts'

/** Rows between two yields to the event loop. */
const AT_ONCE = 50

/** Reports a value of a row, or the whole row. */
export type Report<Column extends string> = (
  field: Column | 'row',
  key: string,
  values?: Record<string, number>,
  acts?: readonly RepairAct[],
) => null

interface Reported<Column extends string> {
  row: number
  /** As entered, to show what is wrong. */
  values?: Partial<Record<Column, unknown>>
}

/** Adds to a list what is wrong with a row. */
export function reporter<Column extends string>(
  list: RowFailure[],
  { row, values }: Reported<Column>,
  words: Translator,
): Report<Column> {
  return (field, key, about, acts) => {
    const shown = shownValue(field === 'row' ? undefined : values?.[field])
    list.push({ row, field, reason: words(key, about), problem: key, ...(acts && { acts }), ...shown })
    return null
  }
}

type Cells<Values, Cell> = TableRow<keyof Values & string, Cell | string>['values']

/** A row as its columns read it. */
export interface ReadRow<Values, Cell = string> {
  row: number
  isJson: boolean
  /** As in the file. */
  entered: Cells<Values, Cell>
  /** As entered, edited or repaired, with blank cells. */
  written: Cells<Values, Cell>
  /** Undefined for a blank cell, null for a refused one. */
  values: { [C in keyof Values & string]?: Values[C] | null }
  refuse: Report<keyof Values & string>
  /** What is refused so far. A row with none is imported. */
  refused: ReadonlySet<string>
  /** Reports to another list. */
  reportTo: (list: RowFailure[]) => Report<keyof Values & string>
}

export interface RowFormat<Values, Cell> {
  /** Prefix of the messages. */
  scope: string
  columns: Columns<Values, Cell | string>
  /** Whether a spreadsheet would evaluate the cell. */
  isFormula: (cell: string) => boolean
  /** Changes the cells of a table before they are read. */
  prepare?: (cells: Cells<Values, Cell>) => Cells<Values, Cell>
}

interface Reading {
  /** Receives what is wrong with the rows. */
  failed: RowFailure[]
  words: Translator
  signal: AbortSignal
  /** Repairs and edited cells. */
  plan?: Pick<ImportPlan, 'repairs' | 'cells'>
}

const noPlan: Pick<ImportPlan, 'repairs' | 'cells'> = { repairs: [], cells: [] }

/** The edited cells by row. */
function editsByRow({ cells }: Pick<ImportPlan, 'cells'>): ReadonlyMap<number, Record<string, string>> {
  const byRow = new Map<number, Record<string, string>>()
  for (const { row, field, value } of cells) byRow.set(row, { ...byRow.get(row), [field]: value })
  return byRow
}

export const isBlank = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '')

/**
 * Reads the cells of each row by their columns, yielding to other requests. What is wrong with a row is listed in the
 * order of the columns. @throws the abort reason of `signal`
 */
export async function* readRows<Values, Cell>(
  { rows, isJson = false }: Pick<Table<keyof Values & string, Cell | string>, 'rows' | 'isJson'>,
  { scope, columns, isFormula, prepare }: RowFormat<Values, Cell>,
  { failed, words, signal, plan = noPlan }: Reading,
): AsyncGenerator<ReadRow<Values, Cell>> {
  type Column = keyof Values & string
  const order = Object.keys(columns) as Column[] // the keys of `columns`
  const edits = editsByRow(plan)
  const readCell = <C extends Column>(column: C, text: Cell | string | undefined, refuse: Refuse) => {
    if (!isJson && typeof text === 'string' && isFormula(text)) return refuse(`${scope}.formula`)
    const cell = typeof text === 'string' ? (isJson ? text : withoutEscape(text)).trim() : text
    if (cell === undefined || isBlank(cell)) return undefined
    return columns[column].read(cell, refuse, isJson)
  }
  /** Undefined if the mended cell is refused, too. */
  const readMended = <C extends Column>(column: C, text: string) => {
    let isRefused = false
    const value = readCell(column, text, () => {
      isRefused = true
      return null
    })
    return isRefused ? undefined : { value }
  }
  for (const [i, { row, values: entered, isMisshapen }] of rows.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await breathe(undefined, { signal })
    const begun = failed.length
    const edited: Cells<Values, Cell> = { ...entered }
    const edit = edits.get(row)
    for (const column of order) if (edit && Object.hasOwn(edit, column)) edited[column] = edit[column]
    const written = prepare && !isJson ? prepare(edited) : edited
    const reportTo = (list: RowFailure[]) => reporter<Column>(list, { row, values: written }, words)
    const report = reportTo(failed)
    const refused = new Set<string>()
    const refuse: typeof report = (field, ...problem) => {
      refused.add(field)
      return report(field, ...problem)
    }
    const read = <C extends Column>(column: C) => {
      const text: Cell | string | undefined = written[column]
      const problems: Parameters<Refuse>[] = []
      const value = readCell(column, text, (...problem) => {
        problems.push(problem)
        return null
      })
      const [first] = problems
      if (!first) return value
      if (typeof text !== 'string') {
        for (const problem of problems) refuse(column, ...problem)
        return value
      }
      const repair = repairFor(plan.repairs, { field: column, problem: first[0], text })
      const repaired = repair ? mended(repair, text) : null
      const again = repaired === null ? undefined : readMended(column, repaired)
      if (again && !(again.value === undefined && columns[column].isRequired)) {
        written[column] = repaired ?? undefined
        return again.value
      }
      const acts = repairsThat(text, (tried) => {
        const found = readMended(column, tried)
        return found !== undefined && !(found.value === undefined && columns[column].isRequired)
      })
      for (const [key, about] of problems) refuse(column, key, about, acts)
      return value
    }
    if (isMisshapen) {
      refuse('row', `${scope}.${isJson ? 'noObject' : 'extraCells'}`)
      if (isJson) continue
    }
    const values: ReadRow<Values, Cell>['values'] = {}
    for (const column of order) values[column] = read(column)
    yield { row, isJson, entered, written, values, refuse, refused, reportTo }
    if (refused.size > 1)
      failed.push(
        ...failed.splice(begun).sort((a, b) => order.indexOf(a.field as Column) - order.indexOf(b.field as Column)),
      )
  }
}
