import { listAudit } from '@qatra/contract/audit'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { updateUser } from '@qatra/contract/users/users'
import { beforeAll, describe, expect, it } from 'vitest'
import { redact } from '../lib/redact.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ role: 'web' })
})
const boss = () => makeVisitor(shop, { role: 'super_admin' })

describe('the audit log', () => {
  it('lists entries of orders, products and other resources, newest first, with both people', async () => {
    const admin = await boss()
    const vendorId = await makeVendor(shop)
    const staff = await makeUser(shop, { role: 'vendor_staff', vendorId })
    await shop.query(`update users set name = 'Fatima' where id = $1`, [staff.id])
    const order = await makeOrder(shop, { userId: null, vendorId })
    await admin.call(startImpersonation, { params: { userId: String(staff.id) }, body: { reason: 'to see' } })
    const moved = await admin.call(changeOrderStatus, { params: { id: order }, body: { status: 'in-progress' } })
    expect(moved.status).toBe(200)
    await shop.query(
      `insert into product_audit_history (product_id, action, changed_by, field_changed, old_value, new_value)
       select id, 'updated', $1, 'price', '1.5', '1.75' from products order by id limit 1`,
      [admin.id],
    )
    const { body } = await (await boss()).call(listAudit, { query: { userId: String(admin.id) } })
    expect(body.items.map(({ resource, action }) => `${resource} ${action}`)).toEqual([
      'product updated',
      'order updated',
      'user impersonation-started',
    ])
    const [product, status, started] = body.items
    expect(product?.title).toBeTruthy()
    expect(product?.changes).toEqual([{ field: 'price', from: '1.5', to: '1.75' }])
    expect(status).toMatchObject({
      resourceId: order,
      vendorId,
      user: { id: admin.id },
      onBehalfOf: { id: staff.id, name: 'Fatima' },
      changes: [{ field: 'status', from: 'new', to: 'in-progress' }],
    })
    expect(started).toMatchObject({ title: 'Fatima', changes: [{ field: 'reason', from: null, to: 'to see' }] })
    // Both people find the entry.
    const asSubject = await (await boss()).call(listAudit, { query: { userId: String(staff.id) } })
    expect(asSubject.body.items.map(({ resource }) => resource)).toEqual(['order', 'user'])
  })

  it('can be filtered by resource, action, days and text', async () => {
    const [admin, looking] = [await boss(), await boss()]
    const { id, phone } = await makeUser(shop, { role: 'driver', vendorId: 1 })
    await admin.call(updateUser, { params: { id: String(id) }, body: { isActive: false } })
    const order = await makeOrder(shop, { userId: null, vendorId: 1 })
    await admin.call(changeOrderStatus, { params: { id: order }, body: { status: 'shipped' } })
    const userId = String(admin.id)
    const count = async (query: Record<string, string>) => (await looking.call(listAudit, { query })).body.total
    expect(await count({ userId })).toBe(2)
    expect(await count({ userId, resource: 'order' })).toBe(1)
    expect(await count({ userId, resource: 'user', action: 'updated' })).toBe(1)
    expect(await count({ userId, resource: 'vendor' })).toBe(0)
    expect(await count({ search: `${order.slice(0, 4)} ${order.slice(4).toLowerCase()}` })).toBe(1)
    expect(await count({ search: admin.phone.slice(4) })).toBe(2)
    expect(await count({ search: phone })).toBe(0)
    expect(await count({ search: 'nobody at all' })).toBe(0)
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Bahrain' }).format(new Date())
    expect(await count({ userId, from: today, to: today })).toBe(2)
    expect(await count({ userId, to: '2020-01-01' })).toBe(0)
    expect((await looking.call(listAudit, { query: { from: '2020-13-01' } })).status).toBe(400)
    const second = await looking.call(listAudit, { query: { userId, page: '2', limit: '1' } })
    expect(second.body.items).toHaveLength(1)
    expect((await looking.call(listAudit, { query: { page: '1000000', limit: '100' } })).body.items).toEqual([])
  })

  it("shows a vendor's admin only the rows of that vendor, without IP addresses", async () => {
    const [a, b] = [await makeVendor(shop), await makeVendor(shop)]
    const [adminA, adminB] = [
      await makeVisitor(shop, { role: 'vendor_admin', vendorId: a }),
      await makeVisitor(shop, { role: 'vendor_admin', vendorId: b }),
    ]
    const driver = await makeUser(shop, { role: 'driver', vendorId: a })
    await adminA.call(updateUser, { params: { id: String(driver.id) }, body: { isActive: false } })
    for (const vendorId of [a, b]) {
      const order = await makeOrder(shop, { userId: null, vendorId })
      await (await boss()).call(changeOrderStatus, { params: { id: order }, body: { status: 'cancelled' } })
    }
    const own = (await adminA.call(listAudit)).body
    expect(own.items.map(({ resource, vendorId, ipAddress }) => [resource, vendorId, ipAddress])).toEqual([
      ['order', a, null],
      ['user', a, null],
    ])
    expect((await adminB.call(listAudit)).body.items.map(({ vendorId }) => vendorId)).toEqual([b])
    expect((await adminA.call(listAudit, { query: { vendorId: String(b) } })).status).toBe(403)
    expect((await adminA.send('GET', `/api/admin/audit.csv?vendorId=${b}`)).status).toBe(403)
    for (const role of ['vendor_staff', 'vendor_sales', 'driver', 'customer'] as const) {
      expect((await (await makeVisitor(shop, { role, vendorId: a })).call(listAudit)).status).toBe(403)
    }
  })

  it('rejects updates and deletes', async () => {
    await expect(shop.query(`update audit_log set action = 'x'`)).rejects.toThrow('never changed')
    await expect(shop.query('delete from audit_log')).rejects.toThrow('never changed')
  })

  it('is exported as CSV without formulas', async () => {
    const admin = await boss()
    const { id } = await makeUser(shop)
    await admin.call(startImpersonation, { params: { userId: String(id) }, body: { reason: '=1+1, "really"' } })
    const looking = await boss()
    const { status, body } = await looking.send('GET', `/api/admin/audit.csv?lang=en&userId=${admin.id}`)
    const lines = String(body).split('\r\n')
    expect([status, lines[0]]).toEqual([
      200,
      '\ufeffDay,Time,Who,On behalf of,Action,What,Number,Changes,Notes,IP address',
    ])
    expect(lines[1]).toContain('impersonation-started,user,')
    expect(lines[1]).toContain('"reason: null → =1+1, ""really"""')
    expect(lines).toHaveLength(3)
  })
})

describe('redaction of secrets', () => {
  it.each([
    'code',
    'otpCode',
    'token',
    'accessToken',
    'secret',
    'app_secret',
    'password',
    'sessionId',
    'codeHash',
    'cookie',
  ])('masks %s at any depth', (field) => {
    expect(redact(field, '1234')).toBe('•••')
    expect(redact('x', [{ deep: { [field]: '1234', name: 'Ali' } }])).toEqual([
      { deep: { [field]: '•••', name: 'Ali' } },
    ])
  })
  it.each(['postcode', 'pincers', 'name', 'tokens_left_over', 'encoder'])('does not mask %s', (field) => {
    expect(redact(field, 'x')).toBe(field === 'tokens_left_over' ? '•••' : 'x')
  })
})
