import { describe, expect, it } from 'vitest'
import { columns as customers } from '../customers/import/columns.ts'
import { columns as products } from '../products/bulk/columns.ts'
import { xlsxOf } from '../test/fixtures/xlsx.ts'
import type { HeadingRules } from './columns.ts'
import { groupProblems, mended, repairFor, repairsThat, withoutSkipped } from './repairs.ts'
import { readTable, type TableOptions } from './table.ts'

const read = (
  rules: Readonly<Record<string, HeadingRules>>,
  file: string | Buffer,
  options: TableOptions = { isGuessing: true },
) =>
  readTable(
    { name: typeof file === 'string' ? 'a.csv' : 'a.xlsx', type: '', bytes: Buffer.from(file) },
    { columns: rules, maxRows: 100 },
    AbortSignal.timeout(20_000),
    options,
  )
const fieldsOf = async (...args: Parameters<typeof read>) => {
  const { shape, problem } = await read(...args)
  const fields = shape?.columns.map(({ heading, field, isGuessed }) => [heading, isGuessed ? `${field}?` : field])
  return { heading: shape?.heading, fields, problem: problem && [problem.kind, problem.field] }
}

describe('columns of a file of products', () => {
  it('are found by their names in both languages, below a title', async () => {
    const file = 'كشف الأصناف – فرع الرفاع\n\nاسم الصنف;Size;سعر البيع;كود المصنع\nمياه هيرات;500ml;1.400;HY-1\n'
    expect(await fieldsOf(products, file)).toEqual({
      heading: 3,
      fields: [
        ['اسم الصنف', 'name'],
        ['Size', 'size'],
        ['سعر البيع', 'price'],
        ['كود المصنع', null],
      ],
      problem: null,
    })
  })

  it('are guessed by a part of the heading, then by their values, and only where asked', async () => {
    const file =
      'البيان\tالتعبئة والمقاس\tالبيع (BHD)\tرقم الرف\nمياه هيرات\t500 مل\tBD 1.400\t12\nمياه فيض\t1.5 لتر\t0.950\t14\n'
    expect((await fieldsOf(products, file)).fields).toEqual([
      ['البيان', 'nameAr?'],
      ['التعبئة والمقاس', 'size?'],
      ['البيع (BHD)', 'price?'],
      ['رقم الرف', null],
    ])
    expect((await fieldsOf(products, file, {})).problem).toEqual(['missingColumn', 'name'])
  })

  it('of a file without headings are found by their values alone', async () => {
    const { heading, fields } = await fieldsOf(products, 'مياه هيرات,500ml,1.400\nمياه فيض,1.5L,0.950\n')
    expect([heading, fields]).toEqual([
      0,
      [
        ['A', 'nameAr?'],
        ['B', 'size?'],
        ['C', 'price?'],
      ],
    ])
  })

  it('chosen by hand replace what was found, and a wrong place counts as missing', async () => {
    const file = 'name,price,size,wholesale\na,1.4,1L,1.2\n'
    const chosen = await read(products, file, { mapping: { name: [0], price: [3], size: [2, 999] } })
    expect(chosen.rows[0]?.values).toEqual({ name: 'a', size: '1L', price: '1.2' })
    const { problem } = await read(products, file, { mapping: { name: [0], price: [77], ['__proto__']: [1] } })
    expect(problem).toMatchObject({ kind: 'missingColumn', field: 'price' })
  })

  it('with the same heading are refused until one of them is chosen', async () => {
    const file = 'name,price,price,size\na,1.4,1.2,1L\n'
    expect((await fieldsOf(products, file)).problem).toEqual(['repeatedColumn', 'price'])
    const { rows } = await read(products, file, { mapping: { name: [0], price: [2], size: [3] } })
    expect(rows[0]?.values).toEqual({ name: 'a', price: '1.2', size: '1L' })
  })

  it('with the same heading are distinguished by their values where another column can replace it', async () => {
    const file = 'اسم الصنف,الاسم الإنجليزي,السعر,الحجم\nمياه الينبوع,Spring water,1.4,1L\n'
    const { fields, problem } = await fieldsOf(products, file)
    expect(problem).toBeNull()
    expect(fields?.slice(0, 2)).toEqual([
      ['اسم الصنف', 'nameAr?'],
      ['الاسم الإنجليزي', 'name?'],
    ])
    // Of an import without a person nothing is guessed.
    expect((await read(products, file, { isGuessing: false })).problem).toMatchObject({ kind: 'repeatedColumn' })
  })

  it('that are kept as a note begin with their heading, unless it is one of notes', async () => {
    const mapping = { phone: [0], notes: [1, 2] }
    const { rows } = await read(customers, 'الهاتف,ملاحظات,كود\n36001234,الباب الخلفي,C-1\n', { mapping })
    expect(rows[0]?.values).toEqual({ phone: '36001234', notes: 'الباب الخلفي\nكود: C-1' })
  })

  it('are read as an earlier file with the same headings, whatever they are called', async () => {
    const recall = async (titles: readonly string[]) =>
      titles.join() === 'a,b,c' ? { name: [2], price: [0], size: [1] } : null
    const { shape, rows } = await read(products, 'a,b,c\n1.4,1L,Spring\n', { recall })
    expect([shape?.isRemembered, rows[0]?.values]).toEqual([true, { name: 'Spring', price: '1.4', size: '1L' }])
  })

  it('with empty columns, marks of direction and cells beyond the headings keep their places', async () => {
    const bytes = xlsxOf([
      ['\u202bالاسم\u202c', null, 'السعر\u200f', '', 'الحجم'],
      ['مياه', null, '1.4', null, '1L', 'beyond'],
    ])
    expect((await fieldsOf(products, bytes)).fields).toEqual([
      ['الاسم', 'name'],
      ['السعر', 'price'],
      ['الحجم', 'size'],
      ['F', null],
    ])
  })
})

describe('columns of a file of customers', () => {
  it('find the phone by its values', async () => {
    const file = 'Subscriber,Ref\nمريم علي,36001234\nعلي حسن,3900 5678 / 17001234\n'
    expect((await fieldsOf(customers, file)).fields).toEqual([
      ['Subscriber', null],
      ['Ref', 'phone?'],
    ])
  })

  it('take the sheet that is most like a list of customers', async () => {
    const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const bytes = xlsxOf([['Notes'], ['Fill in the next sheet']], {
      parts: [
        {
          name: 'xl/workbook.xml',
          text: '<workbook><sheets><sheet name="a" r:id="rId2"/><sheet name="b" r:id="rId1"/></sheets></workbook>',
        },
        {
          name: 'xl/worksheets/sheet1.xml',
          text: sheet(`<row>${cell('Name')}${cell('Ref')}</row><row>${cell('Ali')}${cell('36001234')}</row>`),
        },
      ],
    })
    expect((await fieldsOf(customers, bytes)).fields).toEqual([
      ['Name', 'name'],
      ['Ref', 'phone?'],
    ])
  })
})

describe('a repair', () => {
  it.each([
    ['number', '1.400 / carton', '1.400'],
    ['number', '٠٫٩٥٠ للكرتون', '0.950'],
    ['number', '24 x 1.400', null],
    ['number', `1${'x'.repeat(300)}`, null],
    ['point', '1,500', '1.500'],
    ['point', 'BD 1,5', '1.5'],
    ['point', '1,500,000', null],
    ['clear', 'anything', ''],
    ['skip', 'anything', null],
  ] as const)('%s of %s is %s', (act, text, result) => {
    expect(mended({ act }, text)).toBe(result)
  })

  it('for a value comes before one for the problem', () => {
    const about = { field: 'size', problem: 'x' }
    const repairs = [
      { ...about, act: 'clear' as const },
      { ...about, act: 'replace' as const, value: 'small', to: '330ml' },
    ]
    expect(repairFor(repairs, { ...about, text: ' small ' })?.act).toBe('replace')
    expect(repairFor(repairs, { ...about, text: 'large' })?.act).toBe('clear')
    expect(repairFor(repairs, { field: 'size', problem: 'y', text: 'small' })).toBeUndefined()
  })

  it('is offered if the cell can be read afterwards', () => {
    expect(repairsThat('1,500', (text) => /^\d\.\d+$/.test(text))).toEqual(['point'])
  })
})

it('problems are grouped by field and kind with their values, and rows left out are no problems', () => {
  const failure = (row: number, field: string, problem: string, value?: string) => ({
    row,
    field,
    problem,
    reason: problem,
    ...(value && { value }),
  })
  const failed = [
    failure(2, 'price', 'a', 'x'),
    failure(3, 'size', 'b'),
    failure(4, 'price', 'a', 'y'),
    failure(5, 'price', 'a', 'y'),
    failure(5, 'size', 'b'),
  ]
  expect(groupProblems(failed)).toMatchObject([
    { field: 'price', problem: 'a', count: 3, rows: [2, 4, 5], values: [{ value: 'y', count: 2 }, { value: 'x' }] },
    { field: 'size', problem: 'b', count: 2, rows: [3, 5], values: [] },
  ])
  const left = withoutSkipped(failed, [{ field: 'size', problem: 'b', act: 'skip' }])
  expect([left.skipped, left.failed.map(({ row }) => row)]).toEqual([2, [2, 4]])
})
