/** What stops the reading: a quote that nothing closes, a cell or a row beyond all measure. */
export type CsvStop = 'quotes' | 'tooLong' | 'tooManyCells'

export interface CsvReader {
  /** Answers what is wrong, or null; after a stop nothing more is read. */
  push: (text: string) => CsvStop | null
  end: () => CsvStop | null
}

export const MOST_CELL_LENGTH = 8_000
export const MOST_CELLS = 200

type State = 'start' | 'plain' | 'quoted' | 'closed'

/**
 * RFC 4180 with any delimiter and any line ends, a piece of text at a time; `take` gets each row's cells. Memory is
 * bounded by the longest row that is allowed.
 */
export function readCsv(delimiter: string, take: (cells: string[]) => void): CsvReader {
  let state: State = 'start'
  let cells: string[] = []
  let cell = ''
  let afterReturn = false
  let stop: CsvStop | null = null
  /** Where a cell that needs no more text ends. */
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
  /** Adds what stands before `to`; a cell without an end is a quote that is not closed. */
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
        // A second quote within a quoted cell is one quote of its text.
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

/** The delimiter that stands most often in the heading, outside of quotes; Excel's own `sep=` line decides. */
export function delimiterOf(start: string): { delimiter: string; skipped: number } {
  const said = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i.exec(start)
  if (said?.[1]) return { delimiter: said[1], skipped: said[0].length }
  const [line = ''] = start
    .slice(0, MOST_CELL_LENGTH)
    .replace(/"[^"]*"/g, '')
    .trimStart()
    .split(/[\r\n]/, 1)
  const counts = delimiters.map((delimiter) => line.split(delimiter).length)
  const best = counts.indexOf(Math.max(...counts))
  return { delimiter: delimiters[best] ?? ',', skipped: 0 }
}
