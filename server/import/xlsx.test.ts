import { describe, expect, it } from 'vitest'
import { type XlsxCell, xlsxOf, zipOf } from '../test/fixtures/xlsx.ts'
import type { Columns } from './columns.ts'
import { FileProblem, type RowFailure } from './problem.ts'
import { readRows } from './rows.ts'
import { readTable, type Table } from './table.ts'
import { sheetsOf } from './xlsx.ts'

async function rowsOf(bytes: Uint8Array) {
  const [read] = await sheetsOf(bytes, AbortSignal.timeout(20_000))
  const rows: string[][] = []
  await read?.((cells, row) => void (rows[row - 1] = cells))
  return rows
}
const cellOf = async (cell: XlsxCell) => (await rowsOf(xlsxOf([[cell]])))[0]?.[0]
const problemOf = (bytes: Uint8Array) =>
  rowsOf(bytes).then(
    () => null,
    (error: unknown) => (error instanceof FileProblem ? error.kind : error),
  )

describe('a sheet', () => {
  it('is the first visible one, with gaps between cells as empty cells and rows by their number', async () => {
    const rows = await rowsOf(xlsxOf([['phone', null, 'name'], [], [], [36001234]]))
    expect(rows).toEqual([['phone', '', 'name'], undefined, undefined, ['36001234']])
  })

  it('is found by the relationships of the package, whatever its parts are called', async () => {
    expect(await cellOf('x')).toBe('x')
    const renamed = xlsxOf([['y']], { workbook: 'xl/Workbook22.xml' })
    expect((await rowsOf(renamed))[0]).toEqual(['y'])
  })

  it.each<[string, XlsxCell, string]>([
    ['a number in scientific notation', { xml: '<c><v>9.7336001234E10</v></c>' }, '97336001234'],
    ['a whole number with a fraction of zero', { xml: '<c><v>36001234.0</v></c>' }, '36001234'],
    ['a fraction', { xml: '<c><v>1.25</v></c>' }, '1.25'],
    ['a fraction with the error of its storage', { xml: '<c><v>1.1000000000000001</v></c>' }, '1.1'],
    ['an inline text', { xml: '<c t="inlineStr"><is><t>مريم</t></is></c>' }, 'مريم'],
    ['runs of rich text', { xml: '<c t="inlineStr"><is><r><t>Mar</t></r><r><t>yam</t></r></is></c>' }, 'Maryam'],
    ['a text without its phonetic guide', { xml: '<c t="inlineStr"><is><t>A</t><rPh><t>b</t></rPh></is></c>' }, 'A'],
    ['a boolean', { xml: '<c t="b"><v>1</v></c>' }, 'true'],
    ['a formula', { xml: '<c t="str"><f>HYPERLINK("x")</f><v>click</v></c>' }, '=click'],
    ['an error', { xml: '<c t="e"><v>#N/A</v></c>' }, '=#N/A'],
    ['an escaped line break', 'a_x000A_b', 'a\nb'],
    ['entities', 'a & <b>', 'a & <b>'],
    ['a shared string that is missing', { xml: '<c t="s"><v>99</v></c>' }, ''],
  ])('reads %s', async (_, cell, text) => {
    const found = await rowsOf(xlsxOf([['x', cell]]))
    expect(found[0]?.[1] ?? '').toBe(text)
  })

  it('takes the later of two cells with one reference', async () => {
    expect(await cellOf({ xml: '<c><v>1</v></c><c r="A1"><v>2</v></c>' })).toBe('2')
  })
})

/** A workbook whose only row has this number. */
const numbered = (row: string) =>
  xlsxOf([], { sheet: `<row r="${row}"><c t="inlineStr"><is><t>phone</t></is></c></row>` })
const shared = { xml: '<c t="s"><v>0</v></c>' }
/** Customers with these cells of notes, each under a heading of its own. */
const withNotes = (...notes: readonly XlsxCell[]) => {
  const columns = { phone: { headings: [], isRequired: true }, notes: { headings: [], isRepeatable: true } }
  const bytes = xlsxOf([
    ['phone', ...notes.map(() => 'notes')],
    ['36001234', ...notes],
  ])
  return readTable({ name: 'a.xlsx', type: '', bytes }, { columns, maxRows: 10 }, AbortSignal.timeout(20_000))
}

it('several cells of one field are one value without the blank ones', async () => {
  const { rows } = await withNotes(' ', 'door 2', null, 'x'.repeat(7_993))
  expect(rows).toEqual([{ row: 2, values: { phone: '36001234', notes: `door 2\n${'x'.repeat(7_993)}` } }])
})

it('a column without a heading is named by its letter and not used', async () => {
  const columns = { phone: { headings: ['mobile, tel', 'هاتف'], isRequired: true }, name: { headings: [] } }
  const bytes = xlsxOf([
    ['هاتف', null, 'name'],
    ['36001234', 'x', 'Ali'],
  ])
  const table = await readTable(
    { name: 'a.xlsx', type: '', bytes },
    { columns, maxRows: 10 },
    AbortSignal.timeout(20_000),
  )
  expect(table.rows).toEqual([{ row: 2, values: { phone: '36001234', name: 'Ali' } }])
  expect(table.columns.map(({ heading, field }) => [heading, field])).toEqual([
    ['هاتف', 'phone'],
    ['name', 'name'],
    ['B', null],
  ])
})

it('cells are read by their columns, and what is refused is reported with the value', async () => {
  const columns: Columns<{ phone: number; name: string }> = {
    phone: { headings: [], read: (cell, refuse) => (/^\d+$/.test(cell) ? Number(cell) : refuse('digits')) },
    name: { headings: [], read: (cell) => cell },
  }
  const format = { scope: 'x', columns, isFormula: (cell: string) => cell.startsWith('=') }
  const failed: RowFailure[] = []
  const reading = { failed, words: (key: string) => key, signal: AbortSignal.timeout(20_000) }
  const readAll = async (table: Pick<Table<'phone' | 'name'>, 'rows' | 'isJson'>) => {
    const rows = []
    for await (const { row, values, refused } of readRows(table, format, reading))
      rows.push([row, values, [...refused]])
    return rows
  }
  const rows = await readAll({
    rows: [
      { row: 2, values: { phone: "'36001234", name: ' Ali ' } },
      { row: 3, values: { phone: '36-', name: '' } },
      { row: 4, values: { phone: '=1' }, isMisshapen: true },
    ],
  })
  expect(rows).toEqual([
    [2, { phone: 36001234, name: 'Ali' }, []],
    [3, { phone: null }, ['phone']],
    [4, { phone: null }, ['row', 'phone']],
  ])
  expect(await readAll({ isJson: true, rows: [{ row: 1, values: {}, isMisshapen: true }] })).toEqual([])
  expect(failed).toEqual([
    { row: 3, field: 'phone', reason: 'digits', problem: 'digits', acts: ['number', 'clear'], value: '36-' },
    { row: 4, field: 'row', reason: 'x.extraCells', problem: 'x.extraCells' },
    { row: 4, field: 'phone', reason: 'x.formula', problem: 'x.formula', acts: ['number', 'clear'], value: '=1' },
    { row: 1, field: 'row', reason: 'x.noObject', problem: 'x.noObject' },
  ])
})

describe('a hostile workbook', () => {
  it.each<[string, () => Buffer, string]>([
    ['that is no archive', () => Buffer.from('PK\u0003\u0004 is no archive'), 'format'],
    ['that is cut off', () => xlsxOf([['phone']]).subarray(0, 300), 'format'],
    ['of another program', () => zipOf([{ name: 'word/document.xml', text: '<a/>' }]), 'format'],
    ['with a broken sheet', () => xlsxOf([[{ xml: '<c><v>1</v>' }]]), 'format'],
    ['with a document type', () => xlsxOf([['x']], { before: '<!DOCTYPE a [<!ENTITY b "c">]>' }), 'format'],
    ['with an unknown entity', () => xlsxOf([[{ xml: '<c t="str"><v>&b;</v></c>' }]]), 'format'],
    ['with a cell beyond all columns', () => xlsxOf([[{ xml: '<c r="ZZZ1"><v>1</v></c>' }]]), 'tooManyCells'],
    ['with a cell of 9,000 letters', () => xlsxOf([['x'.repeat(9_000)]]), 'tooLong'],
    ['with a row number of 2,000,000,000', () => numbered('2000000000'), 'tooMany'],
    ['with a row number in scientific notation', () => numbered('1e15'), 'tooMany'],
    ['with an endless row number', () => numbered('Infinity'), 'tooMany'],
    [
      'with a column reference of many letters',
      () => xlsxOf([[{ xml: '<c r="ZZZZZZZZ1"><v>1</v></c>' }]]),
      'tooManyCells',
    ],
    ['with nested elements', () => xlsxOf([[{ xml: `<c>${'<v>'.repeat(200)}${'</v>'.repeat(200)}</c>` }]]), 'format'],
    [
      'whose cells repeat one long text',
      () =>
        xlsxOf([['x'.repeat(7_999)], ...Array.from({ length: 40 }, () => Array.from({ length: 100 }, () => shared))]),
      'tooBig',
    ],
    ['with a part that climbs out', () => zipOf([{ name: '../../etc/passwd', text: 'x' }]), 'format'],
  ])('%s is refused', async (_, make, kind) => {
    expect(await problemOf(make())).toBe(kind)
  })

  it('whose cells of one field are together longer than a cell is refused with the row', async () => {
    await expect(withNotes('door 2', 'x'.repeat(7_994))).rejects.toMatchObject({ kind: 'tooLong', row: 2 })
  })

  it('that unpacks to 70 MB is refused before it is unpacked', async () => {
    const bomb = xlsxOf([['x']], { parts: [{ name: 'xl/sharedStrings.xml', text: ' '.repeat(70_000_000) }] })
    expect(bomb.length).toBeLessThan(100_000)
    expect(await problemOf(bomb)).toBe('tooBig')
  })

  it('that declares a smaller size than it unpacks to is refused', async () => {
    const text = `<sst>${'<si><t>x</t></si>'.repeat(2_000_000)}</sst>`
    expect(await problemOf(xlsxOf([['x']], { parts: [{ name: 'xl/sharedStrings.xml', text, declared: 1_000 }] }))).toBe(
      'format',
    )
  })

  it('is given up when its time is over', async () => {
    await expect(sheetsOf(xlsxOf([['x']]), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
  })
})
