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

interface Workbook {
  zip: ZipFile
  parts: ReadonlyMap<string, Entry>
  signal: AbortSignal
  /** Bytes that may still be unpacked. */
  left: number
}

type Attributes = Readonly<Record<string, string>>
interface Handlers {
  open: (name: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (name: string) => void
}

/**
 * Passes the cells of each row of the first visible sheet to `take`, blank rows as empty lists. Numbers are written in
 * full, booleans as `true` and `false`. Nothing is evaluated: a formula and an error value are a text that begins with `=`.
 * @throws FileProblem, and what `take` throws
 */
export async function readSheet(
  bytes: Uint8Array,
  take: (cells: string[]) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const book: Workbook = { zip, parts: await partsOf(zip), signal, left: MOST_UNPACKED }
    const { sheet, strings } = await findSheet(book)
    await readRows(book, sheet, strings === null ? [] : await readStrings(book, strings), take)
  } catch (error) {
    if (error instanceof FileProblem || signal.aborted) throw error
    throw new FileProblem('format')
  }
}

async function partsOf(zip: ZipFile) {
  const parts = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (parts.size === MOST_PARTS) throw new FileProblem('tooBig')
    parts.set(entry.fileName, entry)
  }
  return parts
}

/** Parses a part while it is unpacked. Its real size counts: yauzl rejects a part that is larger than it declares. */
async function parsePart(book: Workbook, name: string, { open, text, close }: Handlers) {
  const entry = book.parts.get(name)
  if (!entry) throw new FileProblem('format')
  book.left -= entry.uncompressedSize
  if (book.left < 0) throw new FileProblem('tooBig')
  const parser = new SaxesParser({ xmlns: false, position: false } as const)
  // Office never writes one; entities of a document type would be expanded.
  parser.on('doctype', () => {
    throw new FileProblem('format')
  })
  parser.on('opentag', ({ name: tag, attributes }) => open(localName(tag), attributes))
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  if (close) parser.on('closetag', ({ name: tag }) => close(localName(tag)))
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

async function findSheet(book: Workbook): Promise<{ sheet: string; strings: string | null }> {
  let id: string | undefined
  await parsePart(book, 'xl/workbook.xml', {
    open(name, attributes) {
      if (name !== 'sheet' || id !== undefined || (attributes['state'] ?? 'visible') !== 'visible') return
      id = Object.entries(attributes).find(([key]) => key !== 'id' && localName(key) === 'id')?.[1]
    },
  })
  let sheet: string | undefined
  let strings: string | null = null
  await parsePart(book, 'xl/_rels/workbook.xml.rels', {
    open(name, { Id, Type = '', Target = '' }) {
      if (name !== 'Relationship') return
      const path = posix.resolve('/xl', Target).slice(1)
      if (Id === id) sheet = path
      if (Type.endsWith('/sharedStrings')) strings = path
    },
  })
  if (sheet === undefined) throw new FileProblem('format')
  return { sheet, strings }
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
  take: (cells: string[]) => void,
): Promise<void> {
  const collected = textCollector()
  let [taken, row, next] = [0, 0, 0]
  let cells: string[] = []
  let cell: Cell | null = null

  function put({ column, type, isFormula }: Cell, raw: string) {
    const value = isFormula || type === 'e' ? `=${raw}` : valueOf(type, raw, strings)
    if (value === '') return
    if (column >= MOST_CELLS) throw new FileProblem('tooManyCells', Math.max(0, row - 1))
    if (value.length > MOST_CELL_LENGTH) throw new FileProblem('tooLong', Math.max(0, row - 1))
    while (cells.length < column) cells.push('')
    cells[column] = value
  }

  await parsePart(book, part, {
    open(name, attributes) {
      if (name === 'row') {
        row = Math.max(row + 1, Number(attributes['r']) || 0)
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
      } else if (name === 'row' && cells.length > 0) {
        // Rows without a value are not stored, or stored without cells.
        for (; taken < row - 1; taken += 1) take([])
        take(cells)
        taken = row
      }
    },
  })
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

/** `9.7336001234E10` as 97336001234: the file has the exact number, whatever the sheet shows. */
function inFull(raw: string): string {
  const value = Number(raw)
  return Number.isSafeInteger(value) ? String(value) : raw
}

/** Excel writes control characters as `_x000D_`. */
const unescaped = (text: string) =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
