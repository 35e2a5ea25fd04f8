import type { FoundColumn } from '@qatra/contract/lib/upload'
import { textOf } from './decode.ts'
import { FileProblem } from './problem.ts'
import type { FileFormat, Table, TableRow } from './table.ts'

const MOST_DEPTH = 20
/** A thousand rows with a hundred values each. */
const MOST_VALUES = 100_000

/** Limits nesting and number of values before JSON.parse, which can need much more memory than the text. */
function bombDetector() {
  let [depth, values, isString, isEscaped] = [0, 0, false, false]
  /** Takes the next piece of the text. @throws FileProblem */
  return (piece: string) => {
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at)
      if (isEscaped) isEscaped = false
      else if (isString) {
        if (code === 92) isEscaped = true
        else if (code === 34) isString = false
      } else if (code === 34) isString = true
      else if (code === 91 || code === 123) depth += 1
      else if (code === 93 || code === 125) depth -= 1
      else if (code === 44) values += 1
      if (depth > MOST_DEPTH) throw new FileProblem('json')
      if (values > MOST_VALUES) throw new FileProblem('tooMany')
    }
  }
}

/** Reads a list of objects, or an object with it under a name. @throws FileProblem; the abort reason of `signal` */
export function jsonReader(name: string) {
  return async <Column extends string>(
    bytes: Uint8Array,
    { columns, maxRows }: Pick<FileFormat<Column, unknown>, 'columns' | 'maxRows'>,
    signal: AbortSignal,
  ): Promise<Table<Column, unknown>> => {
    const refuseBomb = bombDetector()
    const pieces: string[] = []
    for await (const piece of textOf(bytes, signal)) {
      refuseBomb(piece)
      pieces.push(piece)
    }
    const list = listIn(parsed(pieces.join('')), name)
    if (list.length > maxRows) throw new FileProblem('tooMany', maxRows + 1)
    if (list.length === 0) throw new FileProblem('none')
    const isColumn = (key: string): key is Column => Object.hasOwn(columns, key)
    const rows = list.map((value, i) => objectRow(i + 1, value, isColumn))
    return { isJson: true, columns: keysOf(list, isColumn), rows, problem: null }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FileProblem('json')
  }
}

function listIn(value: unknown, name: string): unknown[] {
  const list = isObject(value) && name in value ? value[name] : value
  if (!Array.isArray(list)) throw new FileProblem('shape', 0, name)
  return list
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Keys that the list names at most, as cells of a row. */
const MOST_KEYS = 200

function keysOf(list: readonly unknown[], isColumn: (key: string) => boolean): FoundColumn[] {
  const keys = new Set<string>()
  for (const key of list.filter(isObject).flatMap(Object.keys)) if (keys.size < MOST_KEYS) keys.add(key.slice(0, 100))
  return [...keys].map((key) => ({ heading: key, field: isColumn(key) ? key : null }))
}

function objectRow<Column extends string>(
  row: number,
  value: unknown,
  isColumn: (key: string) => key is Column,
): TableRow<Column, unknown> {
  const values: TableRow<Column, unknown>['values'] = {}
  if (!isObject(value)) return { row, values, isMisshapen: true }
  // Copies known own fields only, so that the file cannot set a prototype.
  for (const key of Object.keys(value)) if (isColumn(key)) values[key] = value[key]
  return { row, values }
}
