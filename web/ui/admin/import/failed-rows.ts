import { delimiterOf, readCsv } from '@qatra/contract/lib/csv'
import type { BulkFailure } from '@qatra/contract/products/bulk'

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

/** The heading, and the data rows by the number that the server uses. */
function rowsOf(text: string): { heading: string[]; rows: Map<number, string[]> } {
  const { delimiter, skipped } = delimiterOf(text)
  let heading: string[] | null = null
  let row = 0
  const rows = new Map<number, string[]>()
  const reader = readCsv(delimiter, (cells) => {
    if (heading) rows.set((row += 1), cells)
    else if (cells.some((cell) => cell.trim() !== '')) heading = cells
  })
  reader.push(text.slice(skipped))
  reader.end()
  return { heading: heading ?? [], rows }
}

/** The reasons of each row, in the order of the list. */
export function reasonsByRow(failed: readonly BulkFailure[]): ReadonlyMap<number, readonly BulkFailure[]> {
  const byRow = new Map<number, BulkFailure[]>()
  for (const failure of failed) byRow.set(failure.row, [...(byRow.get(failure.row) ?? []), failure])
  return byRow
}

/**
 * The failed rows as sent, with the reasons in a last column, so that the corrected file can be uploaded again. For a
 * JSON or Excel file only the row numbers and reasons.
 */
export async function failedCsv(file: File, failed: readonly BulkFailure[], reasonTitle: string): Promise<string> {
  const byRow = reasonsByRow(failed)
  const problemText = (row: number) =>
    (byRow.get(row) ?? []).map(({ field, reason }) => `${field}: ${reason}`).join(' · ')
  const isCsv = file.name.toLowerCase().endsWith('.csv')
  const { heading, rows } = isCsv ? rowsOf(decoded(await file.arrayBuffer())) : { heading: ['row'], rows: null }
  const lines = [...byRow.keys()].map((row) => [...(rows ? (rows.get(row) ?? []) : [String(row)]), problemText(row)])
  return `\ufeff${[[...heading, reasonTitle], ...lines].map(lineOf).join('')}`
}
