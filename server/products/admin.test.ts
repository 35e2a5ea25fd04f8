import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { getCart } from '@qatra/contract/cart/cart'
import {
  type AdminProduct,
  createProduct,
  deleteProduct,
  getAdminProduct,
  listAdminProducts,
  listProductAudit,
  updateProduct,
} from '@qatra/contract/products/admin'
import { getProduct, listProducts } from '@qatra/contract/products/products'
import { describe, expect, it } from 'vitest'
import { storeMedia } from '../media/commands.ts'
import { startShop } from '../test/app.ts'
import { wholeState } from '../test/ask.ts'
import { makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

const shop = await startShop({ role: 'web' })
const boss = await shop.visitor().signInAs('+97336000001')
const admin = await shop.visitor().signInAs('+97336000002')
const staff = await shop.visitor().signInAs('+97336000003')
const other = await shop.visitor().signInAs('+97336000012')

let counter = 0
const productInput = (about: object = {}) => ({ name: `Spring ${++counter}`, price: 1.5, size: '500ml', ...about })
async function make(about: object = {}, who = admin): Promise<AdminProduct> {
  const { status, body } = await who.call(createProduct, { body: productInput(about) })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const rowOf = async (id: number) => (await shop.query('select * from products where id = $1', [id]))[0]
const historyOf = async (id: number) => (await admin.call(listProductAudit, { params: { id: String(id) } })).body

describe('a new product', () => {
  it('is visible to all as soon as the response is sent, with defaults for omitted fields', async () => {
    const made = await make({
      nameAr: '  مياه   الينبوع ',
      price: 0.35,
      inventoryUnit: 'carton',
      unitsPerInventoryUnit: 24,
    })
    expect(made).toMatchObject({
      vendorId: 1,
      nameAr: 'مياه الينبوع',
      price: 0.35,
      description: null,
      imageUrl: null,
      vatPercentage: 0,
      isActive: true,
      inventoryUnit: 'carton',
      inventoryUnitAr: 'كرتون',
      unitsPerInventoryUnit: 24,
      version: 1,
    })
    expect((await shop.visitor().call(getProduct, { params: { id: String(made.id) } })).body.price).toBe(0.35)
    expect((await shop.visitor().call(listProducts)).body.map(({ id }) => id)).toContain(made.id)
    expect((await staff.call(getAdminProduct, { params: { id: String(made.id) } })).body).toEqual(made)
    expect(await historyOf(made.id)).toMatchObject([
      { action: 'created', fieldChanged: null, oldValue: null, newValue: { price: 0.35, vendorId: 1 }, isBulk: false },
    ])
  })

  it('has the facts of its water that were filled in, and loses those that are emptied', async () => {
    const facts = { sourceAr: 'البحرين', tds: 110, sodium: 4.5, ph: 7.25, filledOn: '2026-11-20' }
    const { id, version } = await make({ ...facts, filledWithinDays: null })
    const shown = async () => (await shop.visitor().call(getProduct, { params: { id: String(id) } })).body
    expect(await shown()).toMatchObject(facts)
    expect(await shown()).not.toHaveProperty('filledWithinDays')
    await admin.call(updateProduct, { params: { id: String(id) }, body: { version, tds: null, sodium: 5 } })
    expect(await shown()).not.toHaveProperty('tds')
    const changes = (await historyOf(id)).map(({ fieldChanged, newValue }) => [fieldChanged, newValue])
    expect(changes).toContainEqual(['sodium', 5])
  })

  it('requires an existing vendor from super admins', async () => {
    const none = await boss.call(createProduct, { body: productInput() })
    expect([none.status, none.refusal.code, none.refusal.details.fields]).toMatchObject([
      422,
      'INVALID_BODY',
      { vendorId: expect.stringMatching(/\p{L}/u) },
    ])
    const unknown = await boss.call(createProduct, { body: productInput({ vendorId: 4_000 }) })
    expect([unknown.status, Object.keys(unknown.refusal.details.fields ?? {})]).toEqual([422, ['vendorId']])
    expect((await make({ vendorId: 2 }, boss)).vendorId).toBe(2)
  })

  it.each([
    ['name', [undefined, '', '   ', 'x'.repeat(201), 'a\u202eb', 'a\u0000', 7, null]],
    ['price', [undefined, 0, -1, 10_000.001, 1.0001, '1.5', null, 1e300]],
    ['size', [undefined, '', 'x'.repeat(51), 500]],
    ['vatPercentage', [-1, 100.01, 1.234, '5']],
    ['tds', [-1, 2001, 1.5, '110']],
    ['ph', [3, 11, 7.123]],
    ['filledOn', ['2026-02-30', '']],
    ['unitsPerInventoryUnit', [0, 1.5, 10_001, '24', null]],
    ['description', ['x'.repeat(1001), 'a\u202eb']],
    ['inventoryUnit', ['x'.repeat(51), 5]],
    ['isActive', ['true', 1]],
    [
      'imageUrl',
      [
        'http://shop.example/a.jpg',
        'ftp://shop.example/a',
        'javascript:alert(1)',
        'data:image/png;base64,AA',
        '//shop.example/a.jpg',
        '/media/../etc/passwd',
        '/media/a.svg',
        '/media/0123456789abcdef.webp',
        '/etc/passwd',
        'https://',
        'https://user:pw@shop.example/a.jpg',
        'https:\\\\shop.example',
        'https://a b',
        `https://shop.example/${'x'.repeat(500)}`,
        'https://a.example/\u202e.jpg ',
        5,
      ],
    ],
  ])('is rejected with an invalid %s, and nothing is written', async (field, values) => {
    const before = await wholeState(shop)
    for (const value of values) {
      const { status, refusal } = await admin.call(createProduct, { body: productInput({ [field]: value }) as never })
      if (typeof value === 'string' && value.includes('\u0000')) expect(status).toBe(400)
      else expect([value, status, Object.keys(refusal.details.fields ?? {})]).toEqual([value, 422, [field]])
    }
    expect(await wholeState(shop)).toEqual(before)
  })

  it('takes pictures by https and stored ones, and refuses addresses of pictures that are not stored', async () => {
    const picture = { bytes: Buffer.from('RIFF'), mimeType: 'image/webp', width: 1, height: 1 } as const
    const stored = `/media/${await storeMedia(shop.app.db, picture, 'public')}`
    for (const imageUrl of ['https://shop.example/a.jpg?x=1', stored, ''])
      expect((await make({ imageUrl })).imageUrl).toBe(imageUrl || null)
    const sha256 = await storeMedia(shop.app.db, { ...picture, bytes: Buffer.from('RIFF2') }, 'private')
    for (const imageUrl of [`/media/${'0'.repeat(64)}`, `/media/${sha256}`]) {
      const { status, refusal } = await admin.call(createProduct, { body: productInput({ imageUrl }) })
      expect([status, Object.keys(refusal.details.fields ?? {})]).toEqual([422, ['imageUrl']])
    }
  })

  it('does not fetch the picture during the request', async () => {
    const asked: number[] = []
    const inner = createServer((socket) => {
      asked.push(1)
      socket.destroy()
    })
    await new Promise<void>((done) => inner.listen(0, '127.0.0.1', done))
    const { port } = inner.address() as AddressInfo // it listens on a port
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'])
      await admin.call(createProduct, { body: productInput({ imageUrl: `https://${host}:${port}/a.jpg` }) })
    await shop.visitor().send('GET', '/api/products')
    await new Promise((done) => setTimeout(done, 200))
    expect(asked).toEqual([])
    // The mutant: a shop that looks whether the picture is there.
    await fetch(`https://127.0.0.1:${port}/a.jpg`).catch(() => null)
    expect(asked).toEqual([1])
    await new Promise((done) => inner.close(done))
  })

  it('is unique by name and volume in any spelling', async () => {
    const first = await make({ name: 'Crème  Água', size: '1.5L' })
    const { status, refusal } = await admin.call(createProduct, {
      body: productInput({ name: 'CREME agua', size: '١٥٠٠ مل' }),
    })
    expect([status, refusal.code, refusal.details['productId']]).toEqual([409, 'PRODUCT_EXISTS', first.id])
    expect(Object.keys(refusal.details.fields ?? {})).toEqual(['name'])
    await make({ name: 'Crème Água', size: '1.5L', vendorId: 2 }, boss)
    await make({ name: 'Crème Água', size: '1L' })
  })

  it('is created once by concurrent requests', async () => {
    const body = productInput()
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.call(createProduct, { body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })

  it('ignores columns that are not in the schema', async () => {
    const made = await make({
      id: 1,
      version: 77,
      deletedAt: '2020-01-01',
      createdAt: '2020-01-01',
      duplicateKey: 'x',
      __proto__: { x: 1 },
    })
    expect(await rowOf(made.id)).toMatchObject({ version: 1, deleted_at: null })
    expect((await rowOf(made.id))?.['duplicate_key']).toMatch(/^spring \d+\|500ml$/)
    expect(made.createdAt.slice(0, 4)).not.toBe('2020')
  })
})

describe('a change of a product', () => {
  it('writes one row of history for each field, in BHD', async () => {
    const { id } = await make()
    const { body } = await staff.call(updateProduct, {
      params: { id: String(id) },
      body: { price: 1.75, isActive: false, nameAr: 'مياه' },
    })
    expect(body).toMatchObject({ price: 1.75, isActive: false, nameAr: 'مياه', version: 2 })
    const rows = await historyOf(id)
    expect(
      rows
        .slice(0, 3)
        .map(({ fieldChanged, oldValue, newValue }) => [fieldChanged, oldValue, newValue])
        .sort(),
    ).toEqual([
      ['isActive', true, false],
      ['nameAr', null, 'مياه'],
      ['price', 1.5, 1.75],
    ])
    expect(rows[0]?.changedByName).toBeTruthy()
    expect((await shop.visitor().call(getProduct, { params: { id: String(id) } })).status).toBe(404)
  })

  it('writes nothing if no value differs', async () => {
    const made = await make({ description: 'Still\nwater' })
    const before = await wholeState(shop)
    const { id, version, createdAt, updatedAt, ...same } = made
    expect((await admin.call(updateProduct, { params: { id: String(id) }, body: same })).body).toEqual(made)
    expect((await admin.call(updateProduct, { params: { id: String(id) }, body: {} })).body).toEqual(made)
    expect(await wholeState(shop)).toEqual(before)
    expect([version, createdAt, updatedAt]).toHaveLength(3)
  })

  it('is refused with VERSION_CONFLICT after a concurrent change', async () => {
    const { id, version } = await make()
    const answers = await Promise.all(
      [1.6, 1.7, 1.8, 1.9].map((price) =>
        admin.call(updateProduct, { params: { id: String(id) }, body: { price, version } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('VERSION_CONFLICT')
    expect(await historyOf(id)).toHaveLength(2)
    // Without a version the last one holds, and none is lost from the history.
    await Promise.all(
      [2.1, 2.2, 2.3].map((price) => admin.call(updateProduct, { params: { id: String(id) }, body: { price } })),
    )
    const prices = (await historyOf(id)).filter(({ fieldChanged }) => fieldChanged === 'price').reverse()
    for (const [i, row] of prices.entries()) if (i > 0) expect(row.oldValue).toBe(prices[i - 1]?.newValue)
    expect(prices).toHaveLength(4)
  })

  it('is refused if another product has the new name', async () => {
    const [first, second] = [await make(), await make()]
    const { status, refusal } = await admin.call(updateProduct, {
      params: { id: String(second.id) },
      body: { name: first.name.toUpperCase() },
    })
    expect([status, refusal.code, refusal.details['productId']]).toEqual([409, 'PRODUCT_EXISTS', first.id])
    expect((await rowOf(second.id))?.['name']).toBe(second.name)
  })

  it('can move the product to another vendor only by a super admin', async () => {
    const { id } = await make()
    const before = await rowOf(id)
    for (const who of [admin, staff]) {
      const { status, refusal } = await who.call(updateProduct, {
        params: { id: String(id) },
        body: { vendorId: 2, price: 9 },
      })
      expect([status, refusal.code]).toEqual([403, 'FORBIDDEN'])
    }
    expect(await rowOf(id)).toEqual(before)
    expect((await admin.call(updateProduct, { params: { id: String(id) }, body: { vendorId: 1 } })).status).toBe(200)
    expect((await boss.call(updateProduct, { params: { id: String(id) }, body: { vendorId: 2 } })).body.vendorId).toBe(
      2,
    )
    expect((await admin.call(getAdminProduct, { params: { id: String(id) } })).status).toBe(404)
  })

  it('cannot move a product that is in carts to another vendor', async () => {
    const { id } = await make()
    await shop.visitor().send('POST', '/api/cart/add', { body: { productId: id, quantity: 1 } })
    const { status, refusal } = await boss.call(updateProduct, { params: { id: String(id) }, body: { vendorId: 2 } })
    expect([status, refusal.code]).toEqual([409, 'PRODUCT_IN_CARTS'])
  })

  it('is shown in open carts with the product', async () => {
    const { id } = await make()
    const visitor = shop.visitor()
    await visitor.send('POST', '/api/cart/add', { body: { productId: id, quantity: 2 } })
    await admin.call(updateProduct, { params: { id: String(id) }, body: { isActive: false } })
    expect((await visitor.call(getCart)).body.items).toMatchObject([{ productId: id, isAvailable: false }])
  })

  it('names both people in the history during impersonation', async () => {
    const { id } = await make()
    const [me] = await shop.query<{ id: number }>(`select id from users where phone = '+97336000001'`)
    const [them] = await shop.query<{ id: number }>(`select id from users where phone = '+97336000002'`)
    await shop.query(
      'insert into product_audit_history (product_id, action, changed_by, on_behalf_of) values ($1, $2, $3, $4)',
      [id, 'updated', me?.id, them?.id],
    )
    expect((await historyOf(id))[0]).toMatchObject({
      changedBy: me?.id,
      onBehalfOf: them?.id,
      onBehalfOfName: expect.any(String),
    })
  })
})

describe('deleting a product', () => {
  it('deletes the row if it was never ordered, and keeps the history for its vendor', async () => {
    const { id } = await make()
    expect((await admin.call(deleteProduct, { params: { id: String(id) } })).body).toEqual({ success: true })
    expect(await rowOf(id)).toBeUndefined()
    expect(await historyOf(id)).toMatchObject([
      { action: 'deleted', oldValue: { vendorId: 1 }, newValue: null },
      { action: 'created' },
    ])
    expect((await other.call(listProductAudit, { params: { id: String(id) } })).status).toBe(404)
    expect((await admin.call(deleteProduct, { params: { id: String(id) } })).status).toBe(404)
  })

  it('marks an ordered product as deleted, and its name can be used again', async () => {
    const vendorId = await makeVendor(shop)
    const id = await makeProduct(shop, vendorId)
    await makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId })
    const owner = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    await owner.call(deleteProduct, { params: { id: String(id) } })
    expect((await rowOf(id))?.['deleted_at']).toBeInstanceOf(Date)
    expect((await owner.call(getAdminProduct, { params: { id: String(id) } })).status).toBe(404)
    expect((await owner.call(updateProduct, { params: { id: String(id) }, body: { price: 2 } })).status).toBe(404)
    expect((await shop.visitor().call(getProduct, { params: { id: String(id) } })).status).toBe(404)
    expect((await owner.call(listProductAudit, { params: { id: String(id) } })).body).toHaveLength(1)
    const { name, size } = (await rowOf(id)) as { name: string; size: string }
    expect((await owner.call(createProduct, { body: { name, size, price: 2 } })).status).toBe(200)
  })

  it('marks a product in a cart as deleted, and the cart shows it as unavailable', async () => {
    const { id } = await make()
    const visitor = shop.visitor()
    await visitor.send('POST', '/api/cart/add', { body: { productId: id, quantity: 2 } })
    expect((await admin.call(deleteProduct, { params: { id: String(id) } })).status).toBe(200)
    expect((await visitor.call(getCart)).body.items).toMatchObject([{ productId: id, isAvailable: false }])
  })
})

describe('staff of another vendor', () => {
  it('cannot find the product by path, filter, search, body or history', async () => {
    const { id, name } = await make()
    const before = await wholeState(shop)
    const answers = [
      await other.call(getAdminProduct, { params: { id: String(id) } }),
      await other.call(updateProduct, { params: { id: String(id) }, body: { price: 9 } }),
      await other.call(updateProduct, { params: { id: String(id) }, body: { vendorId: 2 } }),
      await other.call(deleteProduct, { params: { id: String(id) } }),
      await other.call(listProductAudit, { params: { id: String(id) } }),
    ]
    expect(answers.map(({ status, refusal }) => [status, refusal.code])).toEqual(
      Array(5).fill([404, 'PRODUCT_NOT_FOUND']),
    )
    expect((await other.call(listAdminProducts, { query: { vendorId: '1' } })).status).toBe(403)
    expect((await other.call(createProduct, { body: productInput({ vendorId: 1 }) })).status).toBe(403)
    expect((await other.call(listAdminProducts, { query: { search: name } })).body).toMatchObject({
      items: [],
      total: 0,
    })
    expect(await wholeState(shop)).toEqual(before)
  })
})

describe('the list of products', () => {
  it("has only the vendor's products, inactive ones included, in pages", async () => {
    const { id } = await make({ isActive: false })
    const all = (await admin.call(listAdminProducts, { query: { limit: '100' } })).body
    expect(new Set(all.items.map(({ vendorId }) => vendorId))).toEqual(new Set([1]))
    expect(all.items.map((item) => item.id)).toContain(id)
    expect(all).toMatchObject({ page: 1, limit: 100, total: all.items.length })
    const second = (await admin.call(listAdminProducts, { query: { limit: '3', page: '2' } })).body
    expect(second.items).toEqual(all.items.slice(3, 6))
    const off = (await admin.call(listAdminProducts, { query: { isActive: 'false', limit: '100' } })).body
    expect(new Set(off.items.map(({ isActive }) => isActive))).toEqual(new Set([false]))
    const every = (await boss.call(listAdminProducts, { query: { vendorId: '0' } })).body
    expect(every.total).toBeGreaterThan(all.total)
    expect((await boss.call(listAdminProducts, { query: { vendorId: '2' } })).body.items[0]?.vendorId).toBe(2)
  })

  it('is searched in any spelling, and sorted', async () => {
    await make({ name: 'Zulal', nameAr: 'مِيـاهُ أُمّ الحصم', price: 9 })
    for (const search of ['ام الحصم', 'مياه أم الحصم', 'ZULAL', 'zulal ٥٠٠']) {
      expect([search, (await admin.call(listAdminProducts, { query: { search } })).body.total]).toEqual([search, 1])
    }
    const [first] = (await admin.call(listAdminProducts, { query: { sort: '-price' } })).body.items
    expect(first?.name).toBe('Zulal')
    const [last] = (await admin.call(listAdminProducts, { query: { sort: '-updatedAt' } })).body.items
    expect(last?.name).toBe('Zulal')
  })

  it.each([{ page: '0' }, { limit: '101' }, { isActive: 'maybe' }, { vendorId: 'abc' }, { sort: 'vendorId' }])(
    'rejects the query %o',
    async (query) => {
      expect((await admin.call(listAdminProducts, { query } as never)).status).toBe(400)
    },
  )
})
