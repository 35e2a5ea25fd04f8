import { fold } from '@qatra/contract/lib/text'
import { FileProblem } from './problem.ts'

const keyOf = (heading: string) => fold(heading).replace(/[^\p{L}\p{N}]/gu, '')

/**
 * A function that returns the column of each cell of a heading, null for unknown ones. A column is found by its name or
 * by one of its other spellings, whatever the case, spaces and punctuation.
 * @throws FileProblem for a repeated or missing column
 */
export function headingReader<Column extends string>(
  spellings: Readonly<Record<Column, readonly string[]>>,
  required: readonly Column[],
): (cells: readonly string[]) => (Column | null)[] {
  const columnOf = new Map<string, Column>()
  for (const column in spellings) {
    for (const text of [column, ...spellings[column]]) columnOf.set(keyOf(text), column)
  }
  return (cells) => {
    const columns = cells.map((cell) => columnOf.get(keyOf(cell.slice(0, 100))) ?? null)
    const repeated = columns.find((column, i) => column !== null && columns.indexOf(column) !== i)
    if (repeated) throw new FileProblem('repeatedColumn', 0, repeated)
    const missing = required.find((column) => !columns.includes(column))
    if (missing) throw new FileProblem('missingColumn', 0, missing)
    return columns
  }
}
