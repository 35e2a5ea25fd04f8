import { listAudit } from '@qatra/contract/audit'
import { listOrderViews, removeOrderView, saveOrderView } from '@qatra/contract/orders/views'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import type { Role } from '@qatra/contract/users/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import type { Visitor } from '../../test/visitor.ts'

let shop: TestShop
let vendorId: number
let admin: Visitor
let colleague: Visitor
let stranger: Visitor
let market: Visitor

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendorId = await makeVendor(shop)
  const other = await makeVendor(shop)
  const person = (role: Role, of?: number) => makeVisitor(shop, { role, ...(of ? { vendorId: of } : {}) })
  admin = await person('vendor_admin', vendorId)
  colleague = await person('vendor_staff', vendorId)
  stranger = await person('vendor_admin', other)
  market = await person('super_admin')
})
beforeEach(() => shop.query('delete from order_views'))

const search = { status: ['shipped'], driver: ['none', '21'], sort: ['-createdAt'] }
const save = (who: Visitor, name: string) => who.call(saveOrderView, { body: { name, search } })
const namesOf = async (who: Visitor) => (await who.call(listOrderViews)).body.map(({ name }) => name)
const remove = (who: Visitor, id: number) => who.call(removeOrderView, { params: { id: String(id) } })

describe('saved views', () => {
  it('belong to the vendor: its staff see and remove them, others see none of them', async () => {
    const { body } = await save(admin, 'Vans')
    expect(body).toEqual({ id: body.id, name: 'Vans', search })
    const driver = await makeVisitor(shop, { role: 'driver', vendorId })
    for (const who of [admin, colleague, driver]) expect((await who.call(listOrderViews)).body).toEqual([body])
    for (const who of [stranger, market]) expect(await namesOf(who)).toEqual([])
    for (const who of [stranger, market]) expect((await remove(who, body.id)).refusal.code).toBe('VIEW_NOT_FOUND')
    expect(await namesOf(admin)).toEqual(['Vans'])
    expect((await remove(colleague, body.id)).status).toBe(200)
    expect(await namesOf(admin)).toEqual([])
    expect((await remove(colleague, body.id)).refusal.code).toBe('VIEW_NOT_FOUND')
  })

  it('of the market are those of super admins, and of a vendor while one acts for its staff', async () => {
    await save(market, 'Late everywhere')
    expect(await namesOf(await makeVisitor(shop, { role: 'super_admin' }))).toEqual(['Late everywhere'])
    expect(await namesOf(admin)).toEqual([])
    const helper = await makeVisitor(shop, { role: 'super_admin' })
    const { id } = await makeUser(shop, { role: 'vendor_staff', vendorId })
    await helper.call(startImpersonation, { params: { userId: String(id) }, body: { reason: 'to help' } })
    await save(helper, 'Set up for you')
    expect(await namesOf(admin)).toEqual(['Set up for you'])
  })

  it('are changed by those who change orders, not by drivers and sales agents', async () => {
    const { body } = await save(admin, 'Vans')
    for (const role of ['driver', 'vendor_sales'] as const) {
      const person = await makeVisitor(shop, { role, vendorId })
      expect([(await save(person, 'Mine')).status, (await remove(person, body.id)).status]).toEqual([403, 403])
    }
    expect(await namesOf(admin)).toEqual(['Vans'])
  })

  it('are in the audit log with their name when added and when removed', async () => {
    const { body } = await save(admin, 'Vans')
    await remove(admin, body.id)
    const { items } = (await admin.call(listAudit, { query: { resource: 'order-view' } })).body
    expect(items.slice(0, 2).map(({ action, vendorId: of }) => [action, of])).toEqual([
      ['deleted', vendorId],
      ['created', vendorId],
    ])
    expect(JSON.stringify(items[0])).toContain('Vans')
  })

  it('of two people who save at once are both kept, and a name is taken once', async () => {
    const both = await Promise.all([save(admin, 'Morning'), save(colleague, 'Evening')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await namesOf(admin)).sort()).toEqual(['Evening', 'Morning'])
    const same = await Promise.all([save(admin, 'Noon'), save(colleague, 'Noon')])
    expect(same.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(same.find(({ status }) => status === 409)?.refusal.code).toBe('VIEW_NAME_TAKEN')
    // Another vendor may use the name.
    expect((await save(stranger, 'Noon')).status).toBe(200)
  })

  it('are at most 20 of a vendor, also when several are saved at once', async () => {
    for (let at = 1; at < 20; at += 1) expect((await save(admin, `View ${at}`)).status).toBe(200)
    const many = await Promise.all([1, 2, 3, 4].map((at) => save(at % 2 ? admin : colleague, `Last ${at}`)))
    expect(many.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect(new Set(many.map(({ refusal }) => refusal.code))).toContain('VIEWS_FULL')
    expect(await namesOf(admin)).toHaveLength(20)
    expect((await save(stranger, 'Room here')).status).toBe(200)
  })

  it.each([
    ['a search text', { name: 'A', search: { q: ['noura'] } }],
    ['free text in a filter', { name: 'A', search: { status: ['noura ali'] } }],
    ['an empty name', { name: ' ', search: {} }],
    ['a name of two lines', { name: 'a\nb', search: {} }],
    ['a long name', { name: 'x'.repeat(41), search: {} }],
  ])('refuse %s', async (_, body) => {
    const { status, refusal } = await admin.send('POST', '/api/admin/orders/views', { body })
    expect([status, refusal.code]).toEqual([422, 'INVALID_BODY'])
    expect(await namesOf(admin)).toEqual([])
  })
})
