import type { FoundColumn } from '@qatra/contract/lib/upload'
import { BULK_ROWS, type BulkColumn, bulkColumns } from '@qatra/contract/products/bulk'
import { textOf } from '../../import/decode.ts'
import { FileProblem } from '../../import/problem.ts'
import type { Table, TableRow } from '../../import/table.ts'

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

/** @throws FileProblem; the abort reason of `signal` */
export async function readJson(bytes: Uint8Array, signal: AbortSignal): Promise<Table<BulkColumn, unknown>> {
  const refuseBomb = bombDetector()
  const pieces: string[] = []
  for await (const piece of textOf(bytes, signal)) {
    refuseBomb(piece)
    pieces.push(piece)
  }
  const list = listIn(parsed(pieces.join('')))
  if (list.length > BULK_ROWS) throw new FileProblem('tooMany', BULK_ROWS + 1)
  if (list.length === 0) throw new FileProblem('none')
  return { isJson: true, columns: keysOf(list), rows: list.map((value, i) => objectRow(i + 1, value)), problem: null }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FileProblem('json')
  }
}

/** The list, or an object with the list as `products`. */
function listIn(value: unknown): unknown[] {
  const list = typeof value === 'object' && value !== null && 'products' in value ? value.products : value
  if (!Array.isArray(list)) throw new FileProblem('shape', 0, 'products')
  return list
}

/** Keys that the list names at most, as cells of a row. */
const MOST_KEYS = 200
const isColumn = (key: string): key is BulkColumn => bulkColumns.some((column) => column === key)

function keysOf(list: readonly unknown[]): FoundColumn[] {
  const keys = new Set<string>()
  for (const value of list) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const key of Object.keys(value)) if (keys.size < MOST_KEYS) keys.add(key.slice(0, 100))
  }
  return [...keys].map((key) => ({ heading: key, field: isColumn(key) ? key : null }))
}

function objectRow(row: number, value: unknown): TableRow<BulkColumn, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { row, values: {}, isMisshapen: true }
  // Copies known own fields only, so that the file cannot set a prototype.
  const known = bulkColumns.filter((field) => Object.hasOwn(value, field))
  return { row, values: Object.fromEntries(known.map((field) => [field, (value as Record<string, unknown>)[field]])) }
}
