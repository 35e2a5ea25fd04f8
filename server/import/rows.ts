import { setImmediate as breathe } from 'node:timers/promises'
import type { BulkFailure } from '@qatra/contract/lib/upload'
import type { Translator } from '../lib/translate.ts'
import { shownValue, withoutEscape } from './cells.ts'
import type { Columns } from './columns.ts'
import type { Table, TableRow } from './table.ts'

/** Rows between two yields to the event loop. */
const AT_ONCE = 50

export async function forEachRow<Row>(rows: readonly Row[], signal: AbortSignal, work: (row: Row) => void) {
  for (const [i, row] of rows.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await breathe(undefined, { signal })
    work(row)
  }
}

/** Reports a value of a row, or the whole row. */
export type Report<Column extends string> = (
  field: Column | 'row',
  key: string,
  values?: Record<string, number>,
) => null

/** Adds to a list what is wrong with a row. */
export function reporter<Column extends string>(
  list: BulkFailure[],
  { row, values }: TableRow<Column, unknown>,
  words: Translator,
): Report<Column> {
  return (field, key, about) => {
    list.push({ row, field, reason: words(key, about), ...shownValue(field === 'row' ? undefined : values[field]) })
    return null
  }
}

export const isBlank = (cell: unknown): boolean =>
  cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '')

interface RowRules<Column extends string, Rules> extends Pick<Table<Column>, 'isJson'> {
  report: Report<Column>
  /** Prefix of the messages. */
  scope: string
  /** Whether a spreadsheet would evaluate the cell. */
  isFormula: (cell: string) => boolean
  rules: Rules
}

/** Reads the cells of a row by their columns: undefined for a blank cell, null for a refused one. */
export function cellReader<Values, Cell, Rules>(
  columns: Columns<Values, Cell | string, Rules>,
  { values }: Pick<TableRow<keyof Values & string, Cell | string>, 'values'>,
  { isJson, report, scope, isFormula, rules }: RowRules<keyof Values & string, Rules>,
) {
  return <C extends keyof Values & string>(column: C): Values[C] | null | undefined => {
    const written: Cell | string | undefined = values[column]
    if (!isJson && typeof written === 'string' && isFormula(written)) return report(column, `${scope}.formula`)
    const cell = typeof written === 'string' ? (isJson ? written : withoutEscape(written)).trim() : written
    if (cell === undefined || isBlank(cell)) return undefined
    return columns[column].read(cell, (key, about) => report(column, key, about), rules)
  }
}
