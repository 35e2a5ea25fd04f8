import { fold } from '@qatra/contract/lib/text'
import { FileProblem } from './problem.ts'

const keyOf = (heading: string) => fold(heading.slice(0, 100)).replace(/[^\p{L}\p{N}]/gu, '')

export interface Heading<Column extends string> {
  /** How much a row is like a heading: the number of its known columns, with the required ones far above others. */
  known: (cells: readonly string[]) => number
  /** Column of each cell of the heading, null for unknown ones. @throws FileProblem for a repeated or missing column */
  read: (cells: readonly string[]) => (Column | null)[]
}

interface HeadingRules<Column extends string> {
  /** One column of each group. */
  required: readonly (readonly [Column, ...Column[]])[]
  /** Columns that a file may have several times; their values are joined. */
  several?: readonly Column[]
}

/** Above the number of columns of any row. */
const COMPLETE = 1_000

/** Finds a column by its name or by one of its other spellings, whatever the case, spaces and punctuation. */
export function headingReader<Column extends string>(
  spellings: Readonly<Record<Column, readonly string[]>>,
  { required, several = [] }: HeadingRules<Column>,
): Heading<Column> {
  const columnOf = new Map<string, Column>()
  for (const column in spellings) {
    for (const text of [column, ...spellings[column]]) columnOf.set(keyOf(text), column)
  }
  const columnsOf = (cells: readonly string[]) => cells.map((cell) => columnOf.get(keyOf(cell)) ?? null)
  const missingIn = (columns: readonly (Column | null)[]) =>
    required.find((group) => !group.some((column) => columns.includes(column)))?.[0]
  return {
    known(cells) {
      const columns = columnsOf(cells)
      const known = new Set(columns.filter((column) => column !== null)).size
      return known > 0 && missingIn(columns) === undefined ? known + COMPLETE : known
    },
    read(cells) {
      const columns = columnsOf(cells)
      const repeated = columns.find(
        (column, i) => column !== null && !several.includes(column) && columns.indexOf(column) !== i,
      )
      if (repeated) throw new FileProblem('repeatedColumn', 0, repeated)
      const missing = missingIn(columns)
      if (missing) throw new FileProblem('missingColumn', 0, missing)
      return columns
    },
  }
}
