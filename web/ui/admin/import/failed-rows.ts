import { firstRows, rowsIn } from '@qatra/contract/lib/csv'
import type { BulkFailure, FoundColumn } from '@qatra/contract/lib/upload'

/** Prefixes cells that a spreadsheet would run as a formula; numbers remain numbers. */
const harmless = (cell: string) => (/^[=@\t\r]|^[+-](?!\d+(?:\.\d+)?$)/.test(cell) ? `'${cell}` : cell)
const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const lineOf = (cells: readonly string[]) => `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`

function decoded(bytes: ArrayBuffer): string {
  const [a, b] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // The encoding of Excel's CSV in Arabic.
    return new TextDecoder('windows-1256').decode(bytes)
  }
}

/** The heading that the server found, and all rows in the order of a spreadsheet. */
function tableIn(text: string, columns: readonly FoundColumn[]): { heading: string[]; rows: string[][] } {
  const headings = new Set(columns.map(({ heading }) => heading))
  const known = (cells: readonly string[]) => cells.filter((cell) => headings.has(cell.trim().slice(0, 100))).length
  const rows = rowsIn(text, known)
  const first = firstRows(rows)
  const most = Math.max(...first.map(known))
  return { heading: first.find((cells) => known(cells) === most) ?? [], rows }
}

/** The reasons of each row, in the order of the list. */
export function reasonsByRow(failed: readonly BulkFailure[]): ReadonlyMap<number, readonly BulkFailure[]> {
  const byRow = new Map<number, BulkFailure[]>()
  for (const failure of failed) byRow.set(failure.row, [...(byRow.get(failure.row) ?? []), failure])
  return byRow
}

interface FailedFile {
  failed: readonly BulkFailure[]
  /** As the server found them. */
  columns: readonly FoundColumn[]
  /** Heading of the reasons. */
  reason: string
  nameOf(field: string): string | null
}

/**
 * The failed rows as sent, with the reasons in a last column, so that the corrected file can be uploaded again. For a
 * JSON or Excel file only the row numbers, values and reasons.
 */
export async function failedCsv(file: File, { failed, columns, reason: title, nameOf }: FailedFile): Promise<string> {
  const byRow = reasonsByRow(failed)
  const problemText = (row: number) =>
    (byRow.get(row) ?? [])
      .map(({ field, value, reason }) => `${nameOf(field) ?? field}${value ? ` «${value}»` : ''}: ${reason}`)
      .join(' · ')
  const isCsv = file.name.toLowerCase().endsWith('.csv')
  const { heading, rows } = isCsv
    ? tableIn(decoded(await file.arrayBuffer()), columns)
    : { heading: ['row'], rows: null }
  const lines = [...byRow.keys()].map((row) => [...(rows ? (rows[row - 1] ?? []) : [String(row)]), problemText(row)])
  return `\ufeff${[[...heading, title], ...lines].map(lineOf).join('')}`
}
