import { exportAudit, listAudit } from '@qatra/contract/audit'
import { exportOrders } from '@qatra/contract/orders/admin'
import { exportProducts } from '@qatra/contract/products/admin'
import { bulkProducts } from '@qatra/contract/products/bulk'
import { exportCustomers } from '@qatra/contract/users/customers'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { fileForm } from '../test/fixtures/form.ts'
import { makeProduct, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

const exported = [
  { list: 'orders', endpoint: exportOrders, query: 'status=shipped&search=noura' },
  { list: 'customers', endpoint: exportCustomers, query: 'search=noura&consent=true' },
  { list: 'products', endpoint: exportProducts, query: 'search=noura&isActive=true' },
  { list: 'audit', endpoint: exportAudit, query: 'search=noura&resource=order' },
] as const

let shop: TestShop
let vendorId: number
let admin: Awaited<ReturnType<typeof makeVisitor>>
beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendorId = await makeVendor(shop)
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
})
const notes = () => shop.query<Record<string, unknown>>(`select * from audit_log where action = 'exported' order by id`)

describe.each(exported)('export of $list', ({ list, endpoint, query }) => {
  it('is logged with the person and the filters', async () => {
    const { length } = await notes()
    const { status, body } = await admin.send('GET', `${endpoint.path}?${query}&lang=en`)
    expect([status, String(body).startsWith('\ufeff')]).toEqual([200, true])
    const [row, ...more] = (await notes()).slice(length)
    expect(more).toEqual([])
    expect(row).toMatchObject({ user_id: admin.id, resource: 'export', resource_id: list, vendor_id: vendorId })
    expect(row?.['new_values']).toMatchObject({ search: '•••' })
    expect(JSON.stringify(row)).not.toContain('noura')
    expect(row?.['new_values']).not.toHaveProperty('lang')
    const [entry] = (await admin.call(listAudit, { query: { resource: 'export' } })).body.items
    expect(entry).toMatchObject({ action: 'exported', resourceId: list, user: { id: admin.id } })
  })

  it('is logged without the search text, which can contain personal data', async () => {
    for (const search of ['+973 3600 0006', 'نورة', 'ABCD-EFGH']) {
      await admin.send('GET', `${endpoint.path}?search=${encodeURIComponent(search)}`)
      const row = (await notes()).at(-1)
      expect([row?.['resource_id'], row?.['new_values']]).toEqual([list, expect.objectContaining({ search: '•••' })])
    }
  })

  it('is not logged if it was refused, for another vendor or during impersonation', async () => {
    const { length } = await notes()
    expect((await admin.send('GET', `${endpoint.path}?vendorId=1`)).status).toBe(403)
    const boss = await makeVisitor(shop, { role: 'super_admin' })
    const { id } = await makeUser(shop, { role: 'vendor_admin', vendorId })
    await boss.call(startImpersonation, { params: { userId: String(id) }, body: { reason: 'to see' } })
    expect((await boss.send('GET', endpoint.path)).refusal.code).toBe('IMPERSONATING')
    expect(await notes()).toHaveLength(length)
  })
})

describe('export of products', () => {
  it("contains the vendor's filtered products without formulas and can be imported again", async () => {
    const own = await makeVendor(shop)
    const keeper = await makeVisitor(shop, { role: 'vendor_admin', vendorId: own })
    const ids = [await makeProduct(shop, own, { name: '=1+1' }), await makeProduct(shop, own, { price: 1350 })]
    await shop.query(`update products set image_url = 'https://shop.example/a.jpg' where vendor_id = $1`, [own])
    await shop.catalogue.reload()
    const { body, headers } = await keeper.send('GET', '/api/admin/products.csv?sort=price')
    expect(headers['content-disposition']).toMatch(/filename="qatra-products-\d{4}-\d\d-\d\d\.csv"/)
    const rows = parse(String(body), { columns: true, bom: true }) as Record<string, string>[]
    expect(rows.map(({ id, price }) => [Number(id), price])).toEqual([
      [ids[1], '1.350'],
      [ids[0], '1.500'],
    ])
    for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    const tried = await keeper.send('POST', `${bulkProducts.path}?dryRun=true`, fileForm('products.csv', String(body)))
    expect(tried.body).toMatchObject({ rows: 2, failed: [] })
  })
})

describe('export of the audit log', () => {
  it('contains every entry up to its start exactly once, for any length', async () => {
    const boss = await makeVisitor(shop, { role: 'super_admin' })
    await shop.query(
      `insert into audit_log (user_id, action, resource, resource_id, created_at)
       select $1, 'tagged', 'customer', n::text, now() - n * interval '1 second' from generate_series(1, 1300) n`,
      [boss.id],
    )
    const { body } = await boss.send('GET', `/api/admin/audit.csv?action=tagged&userId=${boss.id}&lang=en`)
    const rows = parse(String(body), { bom: true, from_line: 2 }) as string[][]
    expect(rows).toHaveLength(1300)
    expect(new Set(rows.map((cells) => cells.join())).size).toBe(1300)
  })
})
