import {
  deleteProduct,
  exportProducts,
  getAdminProduct,
  listProductAudit,
  updateProduct,
} from '@qatra/contract/products/admin'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { heading, line, places, uploads } from '../../test/fixtures/bulk.ts'
import type { Visitor } from '../../test/visitor.ts'

const shop = await startShop()
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
