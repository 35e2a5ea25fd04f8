import { fieldWords } from '@qatra/contract/lib/fields'
import { fold } from '@qatra/contract/lib/text'
import type { ImportMapping } from '@qatra/contract/lib/upload'
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
  /** Values of a column with another heading begin with it. */
  isLabelled?: boolean
  /** Whether a value is one of this column, for columns whose heading tells nothing. */
  looksLike?: (cell: string) => boolean
}

interface ColumnRules<Cell, Value> extends HeadingRules {
  /** The value of a cell that is not blank; null if it is refused. */
  read: (cell: Cell, refuse: Refuse, isJson: boolean) => Value | null
}

/** The columns of one kind of file by the API's names. The cells of a table are texts; JSON may have others. */
export type Columns<Values, Cell = string> = {
  readonly [C in keyof Values & string]: ColumnRules<Cell, Values[C]>
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

interface ColumnChoice<Column extends string> {
  /** By place. */
  fields: (Column | null)[]
  /** Places that were guessed. */
  guessed: ReadonlySet<number>
  /** A missing or repeated column. */
  problem: FileProblem | null
}

interface ChooseFrom {
  titles: readonly string[]
  /** Number of columns. */
  width: number
  /** The first values of a column. */
  valuesAt: (at: number) => readonly string[]
}

interface ChooseBy {
  /** As a person has chosen. */
  mapping?: ImportMapping | undefined
  /** Also by similar headings and by values, which a person has to confirm. */
  isGuessing?: boolean | undefined
}

export interface Heading<Column extends string> {
  /** How much a row is like a heading: the number of its known columns, with the required ones far above others. */
  known: (cells: readonly string[]) => number
  /** Whether a row has a value of a required column, so that it is no heading. */
  isData: (cells: readonly string[]) => boolean
  choose: (from: ChooseFrom, by: ChooseBy) => ColumnChoice<Column>
  /** The value as the column has it, from a column with this title. */
  labelled: (column: Column, title: string | undefined, value: string) => string
}

/** Above the number of columns of any row. */
export const COMPLETE = 1_000
/** Letters of a known heading that counts within another one. */
const SIMILAR_LETTERS = 4
/** Share of the values that must be like those of a column. */
const ALIKE = 0.5

/** Finds a column by its name or by one of its other headings, whatever the case, spaces and punctuation. */
export function headingOf<Column extends string>(rules: Readonly<Record<Column, HeadingRules>>): Heading<Column> {
  const columnOf = new Map<string, Column>()
  const required: Column[] = []
  const all: Column[] = []
  for (const column in rules) {
    all.push(column)
    // A column's own name may have a comma.
    for (const text of [column, ...rules[column].headings.flatMap((line) => line.split(','))])
      columnOf.set(keyOf(text), column)
    if (rules[column].isRequired) required.push(column)
  }
  const longestFirst = [...columnOf].toSorted(([a], [b]) => b.length - a.length)
  const columnsOf = (cells: readonly string[]) => cells.map((cell) => columnOf.get(keyOf(cell)) ?? null)
  const isMissing = (name: Column, columns: readonly (Column | null)[]) =>
    !columns.some((each) => each === name || (each && rules[each].insteadOf === name))
  const missingIn = (columns: readonly (Column | null)[]) => required.find((name) => isMissing(name, columns))
  const isLike = (column: Column, values: readonly string[]) => {
    const { looksLike } = rules[column]
    return looksLike ? values.filter(looksLike).length / Math.max(values.length, 1) : 0
  }
  /** The column whose longest known heading is a part of this one. */
  const similarTo = (title = '') => {
    const key = keyOf(title)
    return longestFirst.find(([known]) => known.length >= SIMILAR_LETTERS && key.includes(known))?.[1] ?? null
  }

  function guess(fields: (Column | null)[], { titles, valuesAt }: ChooseFrom): Set<number> {
    const guessed = new Set<number>()
    const take = (at: number, column: Column) => {
      fields[at] = column
      guessed.add(at)
    }
    const isBare = titles.length === 0
    for (const column of all) {
      const isNeeded = required.some(
        (name) => (name === column || name === rules[column].insteadOf) && isMissing(name, fields),
      )
      if (fields.includes(column) || !(isBare || isNeeded)) continue
      const evidence = fields.map((field, at) =>
        field === null ? Number(isLike(column, valuesAt(at)) >= ALIKE) + Number(similarTo(titles[at]) === column) : 0,
      )
      const best = Math.max(...evidence, 0)
      if (best > 0) take(evidence.indexOf(best), column)
    }
    for (const [at, title] of titles.entries()) {
      const column = fields[at] === null ? similarTo(title) : null
      if (column && !fields.includes(column)) take(at, column)
    }
    return guessed
  }

  /** Gives a repeated column and those that can stand for it to the places whose values are like theirs. */
  function shareOut(fields: (Column | null)[], repeated: Column, { valuesAt }: ChooseFrom): number[] | null {
    const places = fields.flatMap((field, at) => (field === repeated ? [at] : []))
    const free = all.filter((each) => rules[each].insteadOf === repeated && !fields.includes(each))
    const shared = places.map((at) => [repeated, ...free].filter((each) => isLike(each, valuesAt(at)) >= ALIKE))
    const found = shared.flat()
    if (shared.some(({ length }) => length !== 1) || new Set(found).size < places.length) return null
    for (const [i, at] of places.entries()) fields[at] = found[i] ?? null
    return places
  }

  function byHand(mapping: ImportMapping, width: number): (Column | null)[] {
    const fields = Array.from({ length: width }, (): Column | null => null)
    for (const column of all)
      for (const at of Object.hasOwn(mapping, column) ? (mapping[column] ?? []) : [])
        if (at < width && (rules[column].isRepeatable || !fields.includes(column))) fields[at] = column
    return fields
  }

  return {
    known(cells) {
      const columns = columnsOf(cells)
      const known = new Set(columns.filter((column) => column !== null)).size
      return known > 0 && missingIn(columns) === undefined ? known + COMPLETE : known
    },
    // A heading has no digits, and a name says nothing.
    isData: (cells) =>
      required.some((column) => cells.some((cell) => /\p{Nd}/u.test(cell) && rules[column].looksLike?.(cell))),
    labelled: (column, title = '', value) =>
      rules[column].isLabelled && title.trim() !== '' && columnOf.get(keyOf(title)) !== column
        ? `${title.trim()}: ${value}`
        : value,
    choose(from, { mapping, isGuessing }) {
      let repeated: Column | undefined
      const fields = mapping
        ? byHand(mapping, from.width)
        : columnsOf(Array.from({ length: from.width }, (_, i) => from.titles[i] ?? ''))
      const shared = new Set<number>()
      for (const [i, column] of mapping ? [] : fields.entries()) {
        if (column === null || rules[column].isRepeatable || fields.indexOf(column) === i) continue
        const places = isGuessing ? shareOut(fields, column, from) : null
        for (const at of places ?? []) shared.add(at)
        if (places) continue
        repeated ??= column
        fields[i] = null
      }
      const guessed = isGuessing && !mapping && !repeated ? guess(fields, from) : new Set<number>()
      for (const at of shared) guessed.add(at)
      const missing = missingIn(fields)
      const problem = repeated
        ? new FileProblem('repeatedColumn', 0, repeated)
        : missing
          ? new FileProblem('missingColumn', 0, missing)
          : null
      return { fields, guessed, problem }
    },
  }
}
