import { buffer } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { xlsxCells } from '../test/fixtures/xlsx.ts'
import { type Cell, csvFile, dayCell, momentCell, moneyCell, tableOf, timeCell, workbookFile } from './table-file.ts'

const hostile = [
  '=HYPERLINK("http://evil.example","x")',
  '+973 3600 0006',
  '-2+3',
  '@SUM(A1)',
  '\t=1',
  '<f>1+1</f>&amp;]]>',
  '_x0041_',
  'two\nlines',
  ' padded ',
  'مياه',
  'lone \ud800 half',
]

const table = (rows: readonly Cell[][], lang: 'ar' | 'en' = 'en') =>
  tableOf({ lang, rows, columns: { one: ([first = null]) => first, two: ([, second = null]) => second } })

describe('a workbook', () => {
  it('contains every text as a text, whatever it begins with', async () => {
    const { cells, sheet } = await xlsxCells(await buffer(await workbookFile(table(hostile.map((text) => [text])))))
    expect(cells.slice(1).map(([cell]) => cell)).toEqual(hostile.map((text) => text.toWellFormed()))
    expect(sheet).not.toContain('<f>')
    expect(sheet.match(/<c t="inlineStr" s="1">/g)).toHaveLength(hostile.length)
  })

  it('leaves out characters that XML cannot contain, and cuts a text at the limit of Excel', async () => {
    const { sheet } = await xlsxCells(await buffer(await workbookFile(table([['a\u0000\u0001b', 'x'.repeat(40_000)]]))))
    expect([sheet.includes('>ab<'), sheet.match(/x{1000,}/)?.[0].length]).toEqual([true, 32_767])
  })

  it('contains amounts as numbers and days and times of Bahrain as dates', async () => {
    const rows = [
      [moneyCell(-2.15), dayCell('2026-02-28')],
      [momentCell('2026-12-31T21:30:00Z'), timeCell('2026-12-31T21:30:00Z')],
      [7, null],
    ]
    const { sheet } = await xlsxCells(await buffer(await workbookFile(table(rows))))
    expect(sheet).toContain('<row><c s="3"><v>-2.15</v></c><c s="4"><v>46081</v></c></row>')
    // 1 January 2027, half past midnight.
    expect(sheet).toContain(`<row><c s="6"><v>${46388 + 1 / 48}</v></c><c s="5"><v>${1 / 48}</v></c></row>`)
    expect(sheet).toContain('<row><c s="0"><v>7</v></c><c/></row>')
  })

  it('is read from right to left in Arabic alone', async () => {
    const sheets = await Promise.all(
      (['ar', 'en'] as const).map(
        async (lang) => (await xlsxCells(await buffer(await workbookFile(table([], lang))))).sheet,
      ),
    )
    expect(sheets.map((sheet) => sheet.includes('rightToLeft="1"'))).toEqual([true, false])
  })

  it('reads rows no faster than the file is sent, and stops when nobody takes it', async () => {
    let [read, isClosed] = [0, false]
    async function* endless() {
      try {
        for (;;) yield [String(read++).repeat(50)]
      } finally {
        isClosed = true
      }
    }
    const file = await workbookFile(tableOf({ lang: 'en', rows: endless(), columns: { one: ([text]) => text ?? '' } }))
    for await (const chunk of file) if (read > 1000 && chunk) break
    await vi.waitFor(() => expect(isClosed).toBe(true))
    expect(read).toBeLessThan(20_000)
  })

  it('breaks off when a later row fails, and refuses when the first one does', async () => {
    async function* failing(after: number) {
      for (let n = 0; n < after; n++) yield ['row']
      throw new Error('lost')
    }
    const fileOf = (after: number) =>
      workbookFile(tableOf({ lang: 'en', rows: failing(after), columns: { one: ([text]) => text ?? '' } }))
    await expect(fileOf(0)).rejects.toThrow('lost')
    await expect(fileOf(5000).then(buffer)).rejects.toThrow('lost')
  })
})

describe('a CSV file', () => {
  it('contains amounts with three decimals and a minus sign that is no formula', async () => {
    const rows = [
      [moneyCell(-2.15), dayCell('2026-02-28')],
      [momentCell('2026-12-31T21:30:00Z'), '-1'],
    ]
    expect(String(await buffer(await csvFile(table(rows))))).toBe(
      "\ufeffone,two\r\n-2.150,2026-02-28\r\n2027-01-01 00:30,'-1\r\n",
    )
  })
})
