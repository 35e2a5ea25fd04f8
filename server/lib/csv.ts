import { Readable } from 'node:stream'

/** Without it Excel does not read the file as UTF-8. */
const BOM = '\ufeff'

/**
 * One cell. A value that a spreadsheet would take for a formula is prefixed with an apostrophe; values with separators
 * or line breaks are quoted.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of the characters that are made harmless
  const harmless = /^[=+\-@\t\r\n\u0000＝＋－＠]/u.test(value) ? `'${value}` : value
  return /[",\r\n;]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replace(/"/g, '""')}"` : harmless
}

export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** A small file of lines. */
export const csvOf = (lines: readonly string[]): string => BOM + lines.map((line) => `${line}\r\n`).join('')

/** A file with one line for each row. The columns are in the order of their keys. */
interface CsvTable<Row> {
  rows: Iterable<Row> | AsyncIterable<Row>
  columns: Readonly<Record<string, (row: Row) => string | number | null>>
  titleOf?: (column: string) => string
}

/**
 * Streams a file while its rows are read. Reads the first row before the promise resolves, so that an error there still
 * gets an error response. A later error breaks the connection, so that the client detects an incomplete file.
 */
export async function csvFile<Row>({ rows, columns, titleOf = (column) => column }: CsvTable<Row>): Promise<Readable> {
  const reader = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]()
  const cellsOf = Object.values(columns)
  const first = await reader.next()
  async function* text() {
    yield BOM + csvLine(Object.keys(columns).map(titleOf))
    for (let next = first; !next.done; next = await reader.next()) {
      const { value } = next
      yield csvLine(cellsOf.map((cellOf) => cellOf(value)))
    }
  }
  return Readable.from(text(), { objectMode: false })
}

/** Content-Disposition of a download, with a name in any script (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
