import {
  deleteProduct,
  exportProducts,
  getAdminProduct,
  listProductAudit,
  updateProduct,
} from '@qatra/contract/products/admin'
import { listProducts } from '@qatra/contract/products/products'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { heading, line, next, places, uploads } from '../../test/fixtures/bulk.ts'
import type { Visitor } from '../../test/visitor.ts'

const shop = await startShop({ role: 'web' })
const boss = await shop.visitor().signInAs('+97336000001')
const admin = await shop.visitor().signInAs('+97336000002')
const other = await shop.visitor().signInAs('+97336000012')
const { sendFile, sendJson } = uploads(admin)

const exported = async (who: Visitor, query = {}) => (await who.call(exportProducts, { query })).body as string
const read = async (id: number, who = admin) => (await who.call(getAdminProduct, { params: { id: String(id) } })).body
const own = async (vendorId = 1) =>
  shop.query<{ id: number; name: string; version: number }>(
    'select id, name, version from products where vendor_id = $1 and deleted_at is null order by id',
    [vendorId],
  )
const nth = async (n: number, vendorId = 1) => {
  const product = (await own(vendorId))[n]
  if (!product) throw new Error('The demo shop has more products')
  return product
}

describe('the exported file', () => {
  it('changes nothing and writes no history when it is uploaded unchanged', async () => {
    const before = await own()
    const history = 'select count(*)::int as n from product_audit_history'
    const historyBefore = await shop.query(history)
    const file = await exported(admin)
    const { status, body } = await sendFile(file)
    expect([status, body]).toMatchObject([200, { created: 0, updated: before.length, failed: [], rows: before.length }])
    expect(await own()).toEqual(before)
    expect(await shop.query(history)).toEqual(historyBefore)
  })

  it('restores a name that starts like a formula', async () => {
    const { id } = await nth(0)
    await admin.call(updateProduct, { params: { id: String(id) }, body: { name: '-5 degrees water' } })
    expect((await sendFile(await exported(admin))).status).toBe(200)
    expect((await read(id)).name).toBe('-5 degrees water')
  })

  it('updates prices, texts and pictures of edited rows, with history by field', async () => {
    const { id } = await nth(1)
    const before = await read(id)
    const { status, body } = await sendFile(
      `id,${heading},nameAr,isActive\n${id},1,${before.name},٩٫٥٠٠,${before.size},,مياه جديدة,no`,
    )
    expect([status, body]).toMatchObject([200, { created: 0, updated: 1, failed: [], rows: 1 }])
    expect(await read(id)).toMatchObject({
      price: 9.5,
      nameAr: 'مياه جديدة',
      isActive: false,
      imageUrl: null,
      descriptionAr: before.descriptionAr,
      version: (before.version ?? 0) + 1,
    })
    const history = (await admin.call(listProductAudit, { params: { id: String(id) } })).body
    expect(history.find(({ fieldChanged }) => fieldChanged === 'price')).toMatchObject({
      action: 'updated',
      oldValue: before.price,
      newValue: 9.5,
      notes: 'products.csv #2',
    })
  })
})

describe('a row with an id', () => {
  it('can be mixed with new products in one file', async () => {
    const { id, name } = await nth(2)
    const { size } = await read(id)
    const { status, body } = await sendFile(`id,${heading}\n${id},1,${name},3.250,${size},\n,${line()}`)
    expect([status, body]).toMatchObject([200, { created: 1, updated: 1, failed: [], rows: 2 }])
    expect((await read(id)).price).toBe(3.25)
  })

  it('can have only some fields in JSON', async () => {
    const { id } = await nth(3)
    const before = await read(id)
    expect((await sendJson({ products: [{ id, price: 4.125 }] })).body).toMatchObject({
      created: 0,
      updated: 1,
      failed: [],
      rows: 1,
    })
    expect(await read(id)).toMatchObject({ name: before.name, size: before.size, price: 4.125 })
  })

  it('is counted and not written in a dry run', async () => {
    const { id } = await nth(3)
    const { body } = await sendJson({ products: [{ id, price: 7 }] }, { query: '?dryRun=true' })
    expect(body).toMatchObject({ created: 0, updated: 1, failed: [], rows: 1 })
    expect((await read(id)).price).toBe(4.125)
  })

  it('is refused if the product is unknown, deleted or of another vendor, or the id is invalid', async () => {
    const foreign = await nth(0, 2)
    const before = await read(foreign.id, boss)
    const gone = await nth(5)
    expect((await admin.call(deleteProduct, { params: { id: String(gone.id) } })).status).toBe(200)
    const ids = [999_999, gone.id, foreign.id, 'abc', 1.5, -1]
    const { status, failed } = await sendJson({ products: ids.map((id) => ({ id, price: 1 })) })
    expect([status, places(failed)]).toEqual([422, ids.map((_, n) => [n + 1, 'id'])])
    expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(['There is no such product']))
    expect(await read(foreign.id, boss)).toEqual(before)
  })

  it('is refused if it moves a product to a vendor the admin cannot access', async () => {
    const { id } = await nth(0)
    expect((await sendJson({ products: [{ id, vendorId: 2 }] })).status).toBe(403)
    expect((await read(id)).vendorId).toBe(1)
  })

  it('is refused if the file has the same product twice', async () => {
    const { id } = await nth(0)
    const { status, failed } = await sendJson({
      products: [
        { id, price: 1 },
        { id, price: 2 },
      ],
    })
    expect([status, failed[0]]).toMatchObject([422, { row: 2, field: 'id', reason: 'The same product as in row 1' }])
  })

  it('is refused if another product has its name and size', async () => {
    const [one, two] = [await nth(0), await nth(4)]
    const { size } = await read(two.id)
    for (const query of ['', '?dryRun=true']) {
      const { failed } = await sendJson({ products: [{ id: one.id, name: two.name, size }] }, { query })
      expect(failed).toMatchObject([{ row: 1, field: 'name', reason: `In the shop already, as product ${two.id}` }])
    }
  })

  it('cannot clear required fields', async () => {
    const { id } = await nth(0)
    const { failed } = await sendFile(`id,${heading}\n${id},,,,,`)
    expect(places(failed)).toEqual([
      [2, 'name'],
      [2, 'price'],
      [2, 'size'],
    ])
  })

  it('is skipped by a partial upload if it is invalid', async () => {
    const { id } = await nth(0)
    const { body } = await sendJson(
      {
        products: [
          { id, price: 2.5 },
          { id: 999_999, price: 1 },
        ],
      },
      { query: '?partial=true' },
    )
    expect(body).toMatchObject({ created: 0, updated: 1, failed: [{ row: 2, field: 'id' }] })
    expect((await read(id)).price).toBe(2.5)
  })

  it('changes each product once when two files with the same products are uploaded in parallel', async () => {
    const rows = (await own(2)).slice(0, 5)
    const { sendJson: send } = uploads(other)
    const files = await Promise.all(
      [3, 4, 5, 6].map((price, n) => {
        const products = rows.map(({ id }) => ({ id, price }))
        return send({ products: n % 2 ? products.toReversed() : products })
      }),
    )
    expect(files.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const prices = await Promise.all(rows.map(async ({ id }) => (await read(id, other)).price))
    expect(new Set(prices).size).toBe(1)
  })
})

describe('a row whose picture is not stored', () => {
  const gone = `/media/${'0'.repeat(64)}`

  it('is named in a dry run, rejects the file, and is skipped in a partial upload', async () => {
    const { id } = await nth(2)
    const before = await read(id)
    const rows = [line({ imageUrl: gone }), line()].map((text) => `,${text}`)
    const file = `id,${heading}\n${rows.join('\n')}\n${id},1,${before.name},9,${before.size},${gone}`
    for (const [query, status, created] of [
      ['?dryRun=true', 200, 0],
      ['', 422, undefined],
      ['?partial=true', 200, 1],
    ] as const) {
      const answer = await sendFile(file, { query })
      expect([answer.status, answer.body.created, places(answer.failed)]).toEqual([
        status,
        created,
        [
          [2, 'imageUrl'],
          [4, 'imageUrl'],
        ],
      ])
    }
    expect(await read(id)).toEqual(before)
  })
})

describe('a plan of an upload', () => {
  const messy = (unit = next()) =>
    [
      'كشف الأصناف – فرع الرفاع;;;',
      'البيان;المقاس;البيع;كود المصنع',
      `مياه ${unit};500ml;1.400 BD;HY-1`,
      `مياه ${unit};1.5L;0.950 فقط لا غير;HY-2`,
      `مياه ${unit};330ml;1,350;HY-3`,
      `مياه ${unit};200ml;;HY-4`,
      `مياه ${unit};0.5L;1.400;HY-5`,
    ].join('\r\n')
  const group = (field: string, problem: string) => expect.objectContaining({ field, problem, count: 1 })

  it('is proposed by a dry run, which shows the first rows and groups the problems', async () => {
    const { body } = await sendFile(messy(), { query: '?dryRun=true' })
    expect(body.reading).toMatchObject({
      heading: 2,
      above: 'كشف الأصناف – فرع الرفاع',
      isRemembered: false,
      columns: [
        { at: 0, heading: 'البيان', field: 'nameAr', isGuessed: true },
        { at: 1, heading: 'المقاس', field: 'size', isGuessed: false },
        { at: 2, heading: 'البيع', field: 'price', isGuessed: true },
        { at: 3, heading: 'كود المصنع', field: null, sample: 'HY-1' },
      ],
      changed: [{ field: 'price', count: 1, value: '1.400 BD', read: 1.4 }],
      skipped: 0,
    })
    expect(body.reading?.preview[0]).toMatchObject({ row: 3, cells: { price: { written: '1.400 BD', read: 1.4 } } })
    expect(body.reading?.problems).toEqual(
      expect.arrayContaining([
        group('price', 'validation.amount'),
        group('price', 'bulk.comma'),
        group('price', 'validation.required'),
        group('name', 'bulk.repeated'),
      ]),
    )
  })

  it('with its repairs and cells imports all rows, and its columns are remembered for the vendor', async () => {
    const mapping = { nameAr: [0], size: [1], price: [2] }
    const repair = (field: string, problem: string, act: string) => ({ field, problem, act })
    const plan = {
      heading: 2,
      mapping,
      repairs: [
        repair('price', 'validation.amount', 'number'),
        repair('price', 'bulk.comma', 'point'),
        repair('name', 'bulk.repeated', 'skip'),
      ],
      cells: [{ row: 6, field: 'price', value: '0.800' }],
    }
    expect((await sendFile(messy(), { plan: { ...plan, repairs: [], cells: [] } })).status).toBe(422)
    const dry = await sendFile(messy(), { plan, query: '?dryRun=true' })
    expect([dry.failed, dry.body.reading?.problems, dry.body.reading?.skipped]).toEqual([[], [], 1])
    const { status, body } = await sendFile(messy(), { plan })
    expect([status, body.created, body.failed]).toEqual([200, 4, []])
    const prices = await shop.query<{ price: string }>(
      'select price from products where deleted_at is null order by id desc limit 4',
    )
    expect(prices.map(({ price }) => Number(price)).toSorted((a, b) => a - b)).toEqual([800, 950, 1350, 1400])
    const again = await sendFile(messy(), { query: '?dryRun=true' })
    expect(again.body.reading).toMatchObject({ isRemembered: true, heading: 2 })
    expect(again.body.reading?.columns.some(({ isGuessed }) => isGuessed)).toBe(false)
    const foreign = await sendFile(messy(), { query: '?dryRun=true', who: other })
    expect(foreign.body.reading?.isRemembered).toBe(false)
  })

  it('replaces a value that only the whole row shows to be wrong, also one that was written in its place', async () => {
    const [named, foreign] = [`Replaced ${next()}`, `Foreign ${next()}`]
    const file = `${heading}\nNowhere,${named},1.500,500ml,\nNowhere,${named},1.500,1.5L,\n2,${foreign},1.500,500ml,`
    const problem = 'bulk.unknownVendor'
    const replace = (value: string, to: string, of = problem) => ({
      field: 'vendorId',
      problem: of,
      act: 'replace',
      value,
      to,
    })
    const dry = await sendFile(file, { query: '?dryRun=true' })
    expect(dry.body.reading?.problems).toMatchObject([
      { field: 'vendorId', problem, count: 2, values: [{ value: 'Nowhere', count: 2 }] },
      { field: 'vendorId', problem: 'bulk.foreignVendor', values: [{ value: '2' }] },
    ])
    const again = { repairs: [replace('Nowhere', 'No one')] }
    const wrong = await sendFile(file, { query: '?dryRun=true', plan: again })
    expect(wrong.body.reading?.problems[0]).toMatchObject({ problem, values: [{ value: 'No one', count: 2 }] })
    const plan = { repairs: [...again.repairs, replace('No one', '1'), replace('2', '1', 'bulk.foreignVendor')] }
    const { status, body } = await sendFile(file, { plan })
    expect([status, body]).toMatchObject([200, { created: 3, failed: [] }])
    expect((await own()).filter(({ name }) => name === named || name === foreign)).toHaveLength(3)
    // Values in a circle end.
    const circle = { repairs: [replace('Nowhere', 'No one'), replace('No one', 'Nowhere')] }
    expect((await sendFile(file, { query: '?dryRun=true', plan: circle })).body.failed).toHaveLength(3)
  })

  it('of another shape is refused, and guesses do not count in the import', async () => {
    for (const plan of [{ repairs: 1 }, { mapping: { price: ['a'] } }, { cells: [{ row: -1 }] }, [], null])
      expect((await sendFile(messy(), { plan })).status).toBe(400)
    const unknown = messy().replaceAll('البيان', 'Material').replaceAll('البيع', 'Amount')
    expect((await sendFile(unknown, { query: '?dryRun=true' })).body.reading?.columns[0]?.isGuessed).toBe(true)
    expect((await sendFile(unknown)).failed).toMatchObject([{ row: 0 }])
  })
})

describe('a file with facts of the water', () => {
  it('may have headings of both languages, and units', async () => {
    const name = `Facts ${next()}`
    const contents = [
      'name,price,size,TDS (mg/L),الصوديوم,درجة الحموضة,تاريخ التعبئة,المصدر',
      `${name},1.500,500ml,110 mg/L,٤٫٥,7.4,2026-11-20,البحرين`,
    ].join('\n')
    expect((await sendFile(contents)).body).toMatchObject({ created: 1, failed: [] })
    const { body } = await shop.visitor().call(listProducts, { query: { vendorId: '1' } })
    expect(body.find((one) => one.name === name)).toMatchObject({
      tds: 110,
      sodium: 4.5,
      ph: 7.4,
      filledOn: '2026-11-20',
      sourceAr: 'البحرين',
    })
  })
})
