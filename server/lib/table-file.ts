import { PassThrough, Readable } from 'node:stream'
import { bahrainDate, bahrainTime } from '@qatra/contract/calendar/calendar'
import type { Lang } from '@qatra/contract/lib/lang'
import { plainAmount } from '@qatra/contract/lib/money'
import { ZipFile } from 'yazl'
import { BOM, csvCell } from './csv.ts'

/** An amount in BHD, a date, or an instant that is shown in Bahrain's time: text in a CSV file, a number in a workbook. */
type TypedCell = { kind: 'money'; bhd: number } | { kind: 'day'; day: string } | { kind: 'time' | 'moment'; at: string }
export type Cell = string | number | TypedCell | null

export const moneyCell = (bhd: number): Cell => ({ kind: 'money', bhd })
/** @param day YYYY-MM-DD */
export const dayCell = (day: string | null): Cell => day && { kind: 'day', day }
/** The day of an instant. */
export const dayOfCell = (at: string | null): Cell => at && dayCell(bahrainDate(new Date(at)))
export const timeCell = (at: string): Cell => ({ kind: 'time', at })
export const momentCell = (at: string | null): Cell => at && { kind: 'moment', at }

export interface Table {
  /** A workbook in Arabic is read from right to left. */
  lang: Lang
  titles: readonly string[]
  rows: AsyncIterable<readonly Cell[]>
}

interface TableOptions<Row> {
  lang: Lang
  rows: Iterable<Row> | AsyncIterable<Row>
  /** In their order. */
  columns: Readonly<Record<string, (row: Row) => Cell>>
  titleOf?: (column: string) => string
}

/** A table with a line for each row. Rows are read when the file is written. */
export function tableOf<Row>({ lang, rows, columns, titleOf = (column) => column }: TableOptions<Row>): Table {
  const cellsOf = Object.values(columns)
  async function* cells() {
    for await (const row of rows) yield cellsOf.map((cellOf) => cellOf(row))
  }
  return { lang, titles: Object.keys(columns).map(titleOf), rows: cells() }
}

/**
 * Reads the first row before it resolves, so that an error there still gets an error response. A later error breaks the
 * connection, so that the client detects an incomplete file.
 */
async function readable(rows: Table['rows'], write: (rows: Table['rows']) => AsyncIterable<string>): Promise<Readable> {
  const reader = rows[Symbol.asyncIterator]()
  const first = await reader.next()
  async function* all() {
    try {
      for (let next = first; !next.done; next = await reader.next()) yield next.value
    } finally {
      await reader.return?.()
    }
  }
  return Readable.from(write(all()), { objectMode: false })
}

/** As CSV has it. A negative amount begins with a minus sign and is no formula. */
function csvText(cell: Cell): string {
  if (typeof cell !== 'object' || cell === null) return csvCell(cell)
  if (cell.kind === 'money') return plainAmount(cell.bhd)
  if (cell.kind === 'day') return cell.day
  const at = new Date(cell.at)
  return cell.kind === 'time' ? bahrainTime(at) : `${bahrainDate(at)} ${bahrainTime(at)}`
}

const csvLine = (cells: readonly Cell[]) => `${cells.map(csvText).join(',')}\r\n`

export function csvFile({ titles, rows }: Table): Promise<Readable> {
  return readable(rows, async function* text(read) {
    yield BOM + csvLine(titles)
    for await (const cells of read) yield csvLine(cells)
  })
}

/** Rows of a sheet of Excel, with the heading. */
const MOST_ROWS = 1_048_576
/** Letters in a cell of Excel. */
const MOST_LETTERS = 32_767
/** Rows with the heading by which the widths of the columns are measured. */
const MEASURED = 100
const MAX_WIDTH = 48
const DAY_MS = 86_400_000
/** The day 0 of a spreadsheet. */
const EPOCH = '1899-12-30'

/** Indexes of `cellXfs`. */
const styles = { text: 1, heading: 2, money: 3, day: 4, time: 5, moment: 6 } as const

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const relationships = (targets: readonly (readonly [string, string])[]) =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([type, target], n) => `<Relationship Id="rId${n + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const formats = ['#,##0.000', 'yyyy\\-mm\\-dd', 'hh:mm', 'yyyy\\-mm\\-dd hh:mm']
const font = (more = '') => `<font>${more}<sz val="11"/><name val="Calibri"/></font>`
const xf = (format: number, more = '') =>
  `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" ${more}/>`

/** All parts but the sheet. Text has the format `@`: it stays text when somebody edits it. */
const parts: readonly (readonly [string, string])[] = [
  [
    '[Content_Types].xml',
    `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`,
  ],
  ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
  [
    'xl/workbook.xml',
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="Qatra" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
  ],
  [
    'xl/styles.xml',
    `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats
      .map((code, n) => `<numFmt numFmtId="${164 + n}" formatCode="${code}"/>`)
      .join(
        '',
      )}</numFmts><fonts count="2">${font()}${font('<b/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${3 + formats.length}">${xf(0)}${xf(49, 'applyNumberFormat="1"')}${xf(49, 'applyNumberFormat="1" applyFont="1"').replace('fontId="0"', 'fontId="1"')}${formats.map((_, n) => xf(164 + n, 'applyNumberFormat="1"')).join('')}</cellXfs></styleSheet>`,
  ],
]

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Text as XML may contain it. Office reads `_x0041_` as a character, so that such a text is escaped too. */
const xmlText = (text: string) =>
  text
    .slice(0, MOST_LETTERS)
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no such characters
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('\r', '_x000D_')
    .replace(/[&<>]/g, (sign) => escapes[sign] ?? '')

const textXml = (text: string, style: number = styles.text) =>
  `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
const numberXml = (value: number, style = 0) => `<c s="${style}"><v>${value}</v></c>`

/** Days since the first one of a spreadsheet. */
const serialOf = (day: string, time = '00:00') => (Date.parse(`${day}T${time}Z`) - Date.parse(EPOCH)) / DAY_MS

function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>'
  if (typeof cell === 'string') return textXml(cell)
  if (typeof cell === 'number') return numberXml(cell)
  if (cell.kind === 'money') return numberXml(cell.bhd, styles.money)
  if (cell.kind === 'day') return numberXml(serialOf(cell.day), styles.day)
  const at = new Date(cell.at)
  const day = cell.kind === 'time' ? EPOCH : bahrainDate(at)
  return numberXml(serialOf(day, bahrainTime(at)), styles[cell.kind])
}

const rowXml = (cells: readonly string[]) => `<row>${cells.join('')}</row>`

/** `A` for 0, `AA` for 26. */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** Widths of the columns by their titles and first rows. */
const columnsXml = (titles: readonly string[], first: readonly (readonly Cell[])[]) =>
  titles.map((title, n) => {
    const lengths = first.map((cells) => csvText(cells[n] ?? null).length)
    const width = Math.min(MAX_WIDTH, Math.max(title.length, ...lengths)) + 3
    return `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`
  })

async function* sheetXml({ lang, titles }: Table, rows: Table['rows']): AsyncGenerator<string> {
  const first: (readonly Cell[])[] = []
  const head = () =>
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"${lang === 'ar' ? ' rightToLeft="1"' : ''}><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columnsXml(titles, first).join('')}</cols><sheetData>${rowXml(titles.map((title) => textXml(title, styles.heading)))}${first.map((cells) => rowXml(cells.map(cellXml))).join('')}`
  let count = 1
  for await (const cells of rows) {
    count += 1
    if (count > MOST_ROWS) throw new Error('More rows than a sheet has')
    if (count <= MEASURED) first.push(cells)
    else yield `${count === MEASURED + 1 ? head() : ''}${rowXml(cells.map(cellXml))}`
  }
  if (count <= MEASURED) yield head()
  yield `</sheetData><autoFilter ref="A1:${columnName(titles.length - 1)}${count}"/></worksheet>`
}

/** Streams a workbook with one sheet, whose heading stays on the screen. */
export async function workbookFile(table: Table): Promise<Readable> {
  const sheet = await readable(table.rows, (rows) => sheetXml(table, rows))
  const zip = new ZipFile()
  for (const [name, text] of parts) zip.addBuffer(Buffer.from(text), name)
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml')
  zip.end()
  const file = zip.outputStream.pipe(new PassThrough())
  sheet.once('error', (error) => file.destroy(error))
  file.once('close', () => sheet.destroy())
  return file
}
