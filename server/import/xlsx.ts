import { posix } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { TextDecoder } from 'node:util'
import { MOST_CELL_LENGTH, MOST_CELLS } from '@qatra/contract/lib/csv'
import { SaxesParser } from 'saxes'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { FileProblem } from './problem.ts'

/** Of all parts that are read together, unpacked. 10,000 rows of customers need about 10 MB. */
const MOST_UNPACKED = 64_000_000
const MOST_PARTS = 2_000
const MOST_STRINGS = 500_000
const MOST_SHEETS = 50
/** Rows of a sheet of Excel. */
const LAST_ROW = 1_048_576
/** Letters in all cells. A shared text counts each time that a cell refers to it. */
const MOST_TEXT = 30_000_000
/** Office nests about ten. */
const MOST_DEPTH = 100

interface Workbook {
  zip: ZipFile
  parts: ReadonlyMap<string, Entry>
  signal: AbortSignal
  /** Bytes that may still be unpacked. */
  left: number
  /** Letters that cells may still have. */
  textLeft: number
}

type Attributes = Readonly<Record<string, string>>
interface Handlers {
  open: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/** Passes the cells of each row that has a value to `take`, with its number in the sheet. */
type ReadSheet = (take: (cells: string[], row: number) => void) => Promise<void>

/**
 * The visible sheets of cells, in their order. Numbers are written in full, booleans as `true` and `false`. Nothing is
 * evaluated: a formula and an error value are a text that begins with `=`.
 * @throws FileProblem, and what `take` throws
 */
export async function sheetsOf(bytes: Uint8Array, signal: AbortSignal): Promise<ReadSheet[]> {
  const guarded = async <T>(work: () => Promise<T>) => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof FileProblem || signal.aborted) throw error
      throw new FileProblem('format')
    }
  }
  return guarded(async () => {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const book: Workbook = { zip, parts: await partsOf(zip), signal, left: MOST_UNPACKED, textLeft: MOST_TEXT }
    const { sheets, strings } = await findSheets(book)
    const shared = strings === null ? [] : await readStrings(book, strings)
    return sheets.map((sheet) => (take) => guarded(() => readRows(book, sheet, shared, take)))
  })
}

async function partsOf(zip: ZipFile) {
  const parts = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (parts.size === MOST_PARTS) throw new FileProblem('tooBig')
    // Names of parts are the same in any case.
    parts.set(entry.fileName.toLowerCase(), entry)
  }
  return parts
}

/** Parses a part while it is unpacked. Its real size counts: yauzl rejects a part that is larger than it declares. */
async function parsePart(book: Workbook, name: string, { open, text, close }: Handlers) {
  const entry = book.parts.get(name.toLowerCase())
  if (!entry) throw new FileProblem('format')
  book.left -= entry.uncompressedSize
  if (book.left < 0) throw new FileProblem('tooBig')
  const parser = new SaxesParser({ xmlns: false, position: false } as const)
  // Office never writes one; entities of a document type would be expanded.
  parser.on('doctype', () => {
    throw new FileProblem('format')
  })
  let depth = 0
  parser.on('opentag', ({ name: tag, attributes }) => {
    depth += 1
    if (depth > MOST_DEPTH) throw new FileProblem('format')
    open(localName(tag), attributes)
  })
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  parser.on('closetag', ({ name: tag }) => {
    depth -= 1
    close?.(localName(tag))
  })
  let decoder: TextDecoder | null = null
  const stream = await book.zip.openReadStreamPromise(entry)
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    await breathe(undefined, { signal: book.signal })
    decoder ??= new TextDecoder(chunk[0] === 0xff && chunk[1] === 0xfe ? 'utf-16le' : 'utf-8', { fatal: true })
    parser.write(decoder.decode(chunk, { stream: true }))
  }
  parser.close()
}

/** Some programs write prefixes: `x:row`. */
const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1)

interface Relationship {
  type: string
  path: string
}

/** What a part refers to, by id. The names of parts are free: only relationships tell what they are. */
async function relationshipsOf(book: Workbook, part: string): Promise<ReadonlyMap<string, Relationship>> {
  const found = new Map<string, Relationship>()
  const folder = posix.dirname(`/${part}`)
  await parsePart(book, posix.join(folder, '_rels', `${posix.basename(part)}.rels`).slice(1), {
    open(name, { Id, Type = '', Target = '' }) {
      if (name !== 'Relationship' || Id === undefined || found.size === MOST_PARTS) return
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path: posix.resolve(folder, Target).slice(1) })
    },
  })
  return found
}

async function findSheets(book: Workbook): Promise<{ sheets: string[]; strings: string | null }> {
  const root = book.parts.has('_rels/.rels') ? await relationshipsOf(book, '') : new Map<string, Relationship>()
  const workbook = [...root.values()].find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const ids: string[] = []
  await parsePart(book, workbook, {
    open(name, attributes) {
      if (name !== 'sheet' || (attributes['state'] ?? 'visible') !== 'visible' || ids.length === MOST_SHEETS) return
      const id = Object.entries(attributes).find(([key]) => key !== 'id' && localName(key) === 'id')?.[1]
      if (id !== undefined) ids.push(id)
    },
  })
  const parts = await relationshipsOf(book, workbook)
  // A sheet of a chart has no cells.
  const sheets = ids.map((id) => parts.get(id)).filter((part) => part?.type === 'worksheet')
  if (ids.length === 0 || ids.some((id) => !parts.has(id))) throw new FileProblem('format')
  const strings = [...parts.values()].find(({ type }) => type === 'sharedStrings')
  return { sheets: sheets.flatMap((part) => part?.path ?? []), strings: strings?.path ?? null }
}

/** Collects text runs. Phonetic guides (`rPh`) are not part of the text. */
function textCollector() {
  let [text, isOpen, isGuide] = ['', false, false]
  return {
    open(name: string) {
      if (name === 'rPh') isGuide = true
      else if (name === 't' || name === 'v') isOpen = !isGuide
    },
    add(piece: string) {
      // One character above the limit, so that the reader of the cell sees that it is too long.
      if (isOpen && text.length <= MOST_CELL_LENGTH) text += piece.slice(0, MOST_CELL_LENGTH + 1 - text.length)
    },
    close(name: string) {
      if (name === 'rPh') isGuide = false
      else if (name === 't' || name === 'v') isOpen = false
    },
    take() {
      const taken = text
      text = ''
      return taken
    },
  }
}

async function readStrings(book: Workbook, part: string): Promise<string[]> {
  const strings: string[] = []
  const collected = textCollector()
  await parsePart(book, part, {
    open: collected.open,
    text: collected.add,
    close(name) {
      collected.close(name)
      if (name !== 'si') return
      if (strings.length === MOST_STRINGS) throw new FileProblem('tooBig')
      strings.push(unescaped(collected.take()))
    },
  })
  return strings
}

interface Cell {
  column: number
  type: string
  isFormula: boolean
}

async function readRows(
  book: Workbook,
  part: string,
  strings: readonly string[],
  take: (cells: string[], row: number) => void,
): Promise<void> {
  const collected = textCollector()
  let [row, next] = [0, 0]
  let cells: string[] = []
  let cell: Cell | null = null

  function put({ column, type, isFormula }: Cell, raw: string) {
    const value = isFormula || type === 'e' ? `=${raw}` : valueOf(type, raw, strings)
    if (value === '') return
    if (column >= MOST_CELLS) throw new FileProblem('tooManyCells', row)
    if (value.length > MOST_CELL_LENGTH) throw new FileProblem('tooLong', row)
    book.textLeft -= value.length
    if (book.textLeft < 0) throw new FileProblem('tooBig')
    while (cells.length < column) cells.push('')
    cells[column] = value
  }

  await parsePart(book, part, {
    open(name, attributes) {
      if (name === 'row') {
        row = rowAfter(row, attributes['r'])
        next = 0
        cells = []
      } else if (name === 'c') {
        const column = columnOf(attributes['r']) ?? next
        next = column + 1
        cell = { column, type: attributes['t'] ?? 'n', isFormula: false }
      } else if (name === 'f' && cell) cell.isFormula = true
      else collected.open(name)
    },
    text: collected.add,
    close(name) {
      collected.close(name)
      if (name === 'c' && cell) {
        put(cell, collected.take())
        cell = null
        // Rows without a value are not stored, or stored without cells.
      } else if (name === 'row' && cells.length > 0) take(cells, row)
    },
  })
}

/** The number of a row: as it says, but after the one before. @throws FileProblem beyond the last row of a sheet */
function rowAfter(before: number, reference: string | undefined): number {
  const said = Number(reference)
  const row = Number.isNaN(said) ? before + 1 : Math.max(before + 1, Math.trunc(said))
  if (row > LAST_ROW) throw new FileProblem('tooMany')
  return row
}

/** Index of the column of a reference: `C7` is 2. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (!letters) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueOf(type: string, raw: string, strings: readonly string[]): string {
  if (type === 's') return strings[Number(raw)] ?? ''
  if (type === 'b') return raw === '1' ? 'true' : 'false'
  if (type === 'n') return raw === '' ? '' : inFull(raw)
  return unescaped(raw)
}

/**
 * `9.7336001234E10` as 97336001234: the file has the exact number, whatever the sheet shows. A fraction has the 15 digits
 * of a spreadsheet: 1.1000000000000001 is 1.1.
 */
function inFull(raw: string): string {
  const value = Number(raw)
  if (Number.isSafeInteger(value)) return String(value)
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : raw
}

/** Excel writes control characters as `_x000D_`. */
const unescaped = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
