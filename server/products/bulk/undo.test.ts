import { deleteProduct, getAdminProduct, listAdminProducts, updateProduct } from '@qatra/contract/products/admin'
import { listProductImports, undoProductImport } from '@qatra/contract/products/bulk'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { item, uploads } from '../../test/fixtures/bulk.ts'
import { makeProduct, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'

let shop: TestShop
let vendorId: number
let admin: Awaited<ReturnType<typeof makeVisitor>>
let sendJson: ReturnType<typeof uploads>['sendJson']
beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendorId = await makeVendor(shop)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  sendJson = uploads(admin).sendJson
})

const undo = async (importId: number | undefined, who = admin) =>
  who.call(undoProductImport, { params: { importId: String(importId) } })
const params = (id: number) => ({ params: { id: String(id) } })
const readProduct = async (id: number) => (await admin.call(getAdminProduct, params(id))).body
async function upload(...names: string[]) {
  const { body } = await sendJson({ products: names.map((name) => item({ vendorId, name })) })
  const { items } = (await admin.call(listAdminProducts, { query: { limit: '100' } })).body
  return { ...body, ids: names.map((name) => items.find((one) => one.name === name)?.id ?? 0) }
}

describe('the undo of an upload of products', () => {
  it('deletes what it made, except products that were ordered or changed since, which it names', async () => {
    const names = ['Unused', 'Ordered', 'Changed', 'Deleted'].map((name) => `${name} water`)
    const { importId, ids } = await upload(...names)
    const [unused = 0, ordered = 0, changed = 0, deleted = 0] = ids
    await shop.query(
      `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
       select id, $1, 'Water', '500ml', 100, 0, 1 from orders limit 1`,
      [ordered],
    )
    await admin.call(updateProduct, { ...params(changed), body: { price: 2 } })
    await admin.call(deleteProduct, params(deleted))
    const { body } = await undo(importId)
    expect(body).toMatchObject({ removed: 1, restored: 0, keptRows: 2 })
    expect(body.kept.map(({ row, value, reason }) => [row, value, reason])).toEqual([
      [2, names[1], 'طُلب المنتج، فيبقى'],
      [3, names[2], 'عُدّل المنتج منذ ذلك الحين'],
    ])
    const { items } = (await admin.call(listAdminProducts, { query: { limit: '100' } })).body
    expect(ids.filter((id) => items.some((one) => one.id === id))).toEqual([ordered, changed])
    expect((await admin.call(getAdminProduct, params(unused))).status).toBe(404)
  })

  it('restores what it changed, except what was changed again or cannot be as before', async () => {
    const [first, second, third] = [
      await makeProduct(shop, vendorId),
      await makeProduct(shop, vendorId),
      await makeProduct(shop, vendorId),
    ]
    const before = await Promise.all([first, second, third].map(readProduct))
    const products = before.map(({ id, name }, at) => ({ id, name: `${name} ${at}`, price: 9 }))
    const { importId, updated } = (await sendJson({ products })).body
    expect(updated).toBe(3)
    await admin.call(updateProduct, { ...params(second), body: { price: 8 } })
    await sendJson({ products: [item({ vendorId, name: before[2]?.name, size: before[2]?.size })] })
    const { body } = await undo(importId)
    expect(body).toMatchObject({ removed: 0, restored: 1, keptRows: 2 })
    expect(await readProduct(first)).toMatchObject({ name: before[0]?.name, price: before[0]?.price })
    expect([(await readProduct(second)).price, (await readProduct(third)).price]).toEqual([8, 9])
  })

  it('is offered once, to the vendor and the market, and not for a dry run or an upload without changes', async () => {
    const { importId } = await upload('Once')
    expect((await sendJson({ products: [item({ vendorId })] }, { query: '?dryRun=true' })).body.importId).toBe(
      undefined,
    )
    const stranger = await makeVisitor(shop, { role: 'vendor_admin', vendorId: await makeVendor(shop) })
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const listedBy = async (who: typeof admin) => (await who.call(listProductImports)).body.items.map(({ id }) => id)
    expect(await listedBy(stranger)).toEqual([])
    expect((await listedBy(owner))[0]).toBe(importId)
    const [newest] = (await admin.call(listProductImports)).body.items
    expect(newest).toMatchObject({
      id: importId,
      rows: 1,
      created: 1,
      updated: 0,
      undoneAt: null,
      by: { id: admin.id },
    })
    expect((await undo(importId, stranger)).refusal.code).toBe('IMPORT_NOT_FOUND')
    expect((await undo(importId)).body.removed).toBe(1)
    expect((await undo(importId)).refusal.code).toBe('IMPORT_UNDONE')
    expect((await admin.call(listProductImports)).body.items[0]?.undoneAt).not.toBe(null)
  })

  it('writes one result when it is asked twice at the same time', async () => {
    const { importId } = await upload('Twice', 'Thrice')
    const answers = await Promise.all([undo(importId), undo(importId)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
