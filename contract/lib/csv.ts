/** Reasons to stop reading: an unclosed quote, or a cell or row above the limits. */
export type CsvStop = 'quotes' | 'tooLong' | 'tooManyCells'

export interface CsvReader {
  /** Returns the reason to stop, or null. After a stop, further input is ignored. */
  push: (text: string) => CsvStop | null
  end: () => CsvStop | null
}

export const MOST_CELL_LENGTH = 8_000
export const MOST_CELLS = 200

type State = 'start' | 'plain' | 'quoted' | 'closed'

/**
 * Streaming RFC 4180 parser for any delimiter and line ending; `take` receives the cells of each row. Memory is bounded
 * by the maximum row length.
 */
export function readCsv(delimiter: string, take: (cells: string[]) => void): CsvReader {
  let state: State = 'start'
  let cells: string[] = []
  let cell = ''
  let afterReturn = false
  let stop: CsvStop | null = null
  /** Characters that end an unquoted cell. */
  const special = new RegExp(`[\\r\\n${delimiter === '\t' ? '\\t' : delimiter}]`, 'g')

  function endCell() {
    cells.push(cell)
    cell = ''
    state = 'start'
    if (cells.length > MOST_CELLS) stop = 'tooManyCells'
  }
  function endRow() {
    endCell()
    if (stop === null) take(cells)
    cells = []
  }
  /** Appends the text before `to`. A cell above the length limit is an unclosed quote. */
  function grow(text: string, from: number, to: number) {
    if (cell.length + (to - from) > MOST_CELL_LENGTH) stop = state === 'plain' ? 'tooLong' : 'quotes'
    else cell += text.slice(from, to)
  }

  function push(text: string): CsvStop | null {
    let at = 0
    while (at < text.length && stop === null) {
      const letter = text.charAt(at)
      if (state === 'quoted') {
        const quote = text.indexOf('"', at)
        const end = quote < 0 ? text.length : quote
        grow(text, at, end)
        if (quote >= 0) state = 'closed'
        at = end + 1
      } else if (letter === '\n' && afterReturn) {
        afterReturn = false
        at += 1
      } else if (letter === '"' && state !== 'plain') {
        // Two quotes within a quoted cell are one quote character.
        if (state === 'closed') grow('"', 0, 1)
        state = 'quoted'
        afterReturn = false
        at += 1
      } else if (letter === delimiter) {
        afterReturn = false
        endCell()
        at += 1
      } else if (letter === '\r' || letter === '\n') {
        afterReturn = letter === '\r'
        endRow()
        at += 1
      } else if (state === 'closed') {
        stop = 'quotes'
      } else {
        afterReturn = false
        state = 'plain'
        special.lastIndex = at
        const end = special.exec(text)?.index ?? text.length
        grow(text, at, end)
        at = end
      }
    }
    return stop
  }

  return {
    push,
    end() {
      if (stop !== null) return stop
      if (state === 'quoted') stop = 'quotes'
      else if (state !== 'start' || cells.length > 0) endRow()
      return stop
    },
  }
}

const delimiters = [',', ';', '\t', '|'] as const
/** The comma of Arabic keyboards is also in addresses, so it counts only where the heading shows it. */
const headingDelimiters = [...delimiters, '،'] as const

/** The heading is one of so many rows, blank ones not counted: a title or a date can be above it. */
export const HEADING_WITHIN = 10

/** How much a row is like a heading; 0 for any other row. */
export type KnownHeading = (cells: readonly string[]) => number

/**
 * The delimiter with which one of the first rows is most like a heading, else the most frequent one in the first row,
 * outside of quotes. Excel's `sep=` line takes precedence.
 */
export function delimiterOf(start: string, known: KnownHeading = () => 0): { delimiter: string; skipped: number } {
  const declared = /^\ufeff?"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i.exec(start)
  if (declared?.[1]) return { delimiter: declared[1], skipped: declared[0].length }
  const beginning = start.slice(0, MOST_CELL_LENGTH)
  const likeness = headingDelimiters.map((each) => Math.max(0, ...firstRows(rowsOf(beginning, each)).map(known)))
  const most = Math.max(...likeness)
  if (most > 0) return { delimiter: headingDelimiters[likeness.indexOf(most)] ?? ',', skipped: 0 }
  const [line = ''] = beginning
    .replace(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1)
  const counts = delimiters.map((delimiter) => line.split(delimiter).length)
  const best = counts.indexOf(Math.max(...counts))
  return { delimiter: delimiters[best] ?? ',', skipped: 0 }
}

/** The rows among which the heading is. */
export const firstRows = (rows: readonly string[][]) =>
  rows.filter((cells) => cells.some((cell) => cell.trim() !== '')).slice(0, HEADING_WITHIN)

/** The rows of a text, up to the place where reading stops. */
export function rowsIn(text: string, known?: KnownHeading): string[][] {
  const { delimiter, skipped } = delimiterOf(text, known)
  return rowsOf(text.slice(skipped), delimiter)
}

function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  const reader = readCsv(delimiter, (cells) => void rows.push(cells))
  if (reader.push(text) === null) reader.end()
  return rows
}
