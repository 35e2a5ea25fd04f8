import { fieldWords } from '@qatra/contract/lib/fields'
import { fold } from '@qatra/contract/lib/text'
import type * as z from 'zod/mini'
import { FileProblem } from './problem.ts'

/** Says by a message key what is wrong with a value. Returns null, so that a reader can return it. */
export type Refuse = (key: string, values?: Record<string, number>) => null

export interface HeadingRules {
  /** Accepted besides the API's name, in both languages, with commas between them. */
  headings: readonly string[]
  /** A file needs the column. */
  isRequired?: boolean
  /** The required column that a file need not have if it has this one. */
  insteadOf?: string
  /** A file may have the column several times; the values are joined. */
  isRepeatable?: boolean
}

interface ColumnRules<Cell, Value, Rules> extends HeadingRules {
  /** The value of a cell that is not blank; null if it is refused. */
  read: (cell: Cell, refuse: Refuse, rules: Rules) => Value | null
}

/** The columns of one kind of file by the API's names. */
export type Columns<Values, Cell = string, Rules = unknown> = {
  readonly [C in keyof Values]: ColumnRules<Cell, Values[C], Rules>
}

/** The value as the schema reads it; null if it was refused. */
export function checked<T>(schema: z.ZodMiniType<T>, value: unknown, refuse: Refuse): T | null {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const { key, values } = issue ? fieldWords(issue) : { key: 'validation.invalid', values: undefined }
  return refuse(value === undefined ? 'validation.required' : key, values)
}

const keyOf = (heading: string) => fold(heading.slice(0, 100)).replace(/[^\p{L}\p{N}]/gu, '')

export interface Heading<Column extends string> {
  /** How much a row is like a heading: the number of its known columns, with the required ones far above others. */
  known: (cells: readonly string[]) => number
  /** Column of each cell of the heading, null for unknown ones. @throws FileProblem for a repeated or missing column */
  read: (cells: readonly string[]) => (Column | null)[]
}

/** Above the number of columns of any row. */
const COMPLETE = 1_000

/** Finds a column by its name or by one of its other headings, whatever the case, spaces and punctuation. */
export function headingOf<Column extends string>(rules: Readonly<Record<Column, HeadingRules>>): Heading<Column> {
  const columnOf = new Map<string, Column>()
  const required: Column[] = []
  for (const column in rules) {
    for (const text of [column, ...rules[column].headings].join().split(',')) columnOf.set(keyOf(text), column)
    if (rules[column].isRequired) required.push(column)
  }
  const columnsOf = (cells: readonly string[]) => cells.map((cell) => columnOf.get(keyOf(cell)) ?? null)
  const missingIn = (columns: readonly (Column | null)[]) =>
    required.find((name) => !columns.some((each) => each === name || (each && rules[each].insteadOf === name)))
  return {
    known(cells) {
      const columns = columnsOf(cells)
      const known = new Set(columns.filter((column) => column !== null)).size
      return known > 0 && missingIn(columns) === undefined ? known + COMPLETE : known
    },
    read(cells) {
      const columns = columnsOf(cells)
      const repeated = columns.find(
        (column, i) => column !== null && !rules[column].isRepeatable && columns.indexOf(column) !== i,
      )
      if (repeated) throw new FileProblem('repeatedColumn', 0, repeated)
      const missing = missingIn(columns)
      if (missing) throw new FileProblem('missingColumn', 0, missing)
      return columns
    },
  }
}
