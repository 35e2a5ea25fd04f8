import { findSalesCustomer, getSalesOrder, listSalesOrders } from '@qatra/contract/sales'
import type { Role } from '@qatra/contract/users/roles'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { makeArea, makeProduct, makeUser, makeVisitor } from '../../test/fixtures/make.ts'
import { openSalesDesk } from '../../test/fixtures/sales-desk.ts'

const shop = await startShop({ role: 'web' })
const { vendor, other, water, areaId, agent, boss, saleInput, sell, history, expectRefusal } = await openSalesDesk(shop)

describe('a sales order is refused without any change for', () => {
  it('no items, with the specified message', async () => {
    for (const items of [[], undefined]) {
      const refusal = await expectRefusal(saleInput({ items }), 422, 'ORDER_EMPTY')
      expect(refusal.message).toBe('An order must have at least one item')
      expect(Object.keys(refusal.details.fields ?? {})).toEqual(['items'])
    }
  })

  it.each([
    [{ phone: '123' }, 'phone'],
    [{ phone: null }, 'phone'],
    [{ customerName: 'ab' }, 'customerName'],
    [{ customerName: 'a\u202eb c' }, 'customerName'],
    [{ address: 'short' }, 'address'],
    [{ mapCoordinates: { lat: 91, lng: 0 } }, 'mapCoordinates.lat'],
    [{ deliveryFee: -0.001 }, 'deliveryFee'],
    [{ deliveryFee: 0.0005 }, 'deliveryFee'],
    [{ instructions: 'x'.repeat(1001) }, 'instructions'],
    [{ items: [{ productId: 1, quantity: 0 }] }, 'items.0.quantity'],
    [{ items: [{ productId: 1, quantity: 101 }] }, 'items.0.quantity'],
    [{ items: [{ productId: 1, quantity: 1.5 }] }, 'items.0.quantity'],
    [{ items: [{ productId: '1', quantity: 1 }] }, 'items.0.productId'],
    [{ items: 'all' }, 'items'],
    [{ items: [{ productId: 1, quantity: 1, reason: 'x'.repeat(301) }] }, 'items.0.reason'],
    [{ items: [{ productId: 2_000_000_000, quantity: 1 }] }, 'items.0.productId'],
    [{ ignoreCoverage: 'yes' }, 'ignoreCoverage'],
  ])('%j', async (more, field) => {
    const { details } = await expectRefusal(saleInput(more), 422, 'INVALID_BODY')
    expect(Object.keys(details.fields ?? {})).toEqual([field])
  })

  it('a product in two lines, an unavailable one, and a foreign vendor', async () => {
    const one = { productId: water, quantity: 1 }
    const { details } = await expectRefusal(saleInput({ items: [one, one] }), 422, 'INVALID_BODY')
    expect(Object.keys(details.fields ?? {})).toEqual(['items.1.productId'])
    const gone = await makeProduct(shop, vendor)
    await shop.query('update products set is_active = false where id = $1', [gone])
    const refusal = await expectRefusal(
      saleInput({ items: [{ productId: gone, quantity: 1 }] }),
      409,
      'PRODUCT_UNAVAILABLE',
    )
    expect(refusal.details.products).toMatchObject([{ id: gone }])
    await expectRefusal(saleInput({ vendorId: other }), 403, 'FORBIDDEN')
  })

  it('a deactivated account', async () => {
    const { id, phone } = await makeUser(shop)
    await shop.query('update users set is_active = false where id = $1', [id])
    await expectRefusal(saleInput({ phone }), 422, 'CUSTOMER_SWITCHED_OFF')
  })

  it('every role except sales and admins, with the specified message', async () => {
    for (const role of ['customer', 'vendor_staff', 'driver'] as Role[]) {
      const person = await makeVisitor(shop, role === 'customer' ? {} : { role, vendorId: vendor })
      for (const ask of [
        sell(saleInput(), person),
        person.call(listSalesOrders),
        person.call(findSalesCustomer, { query: { phone: '+97336000006' } }),
      ]) {
        const { status, refusal } = await ask
        expect([status, refusal.code]).toEqual([403, 'SALES_ONLY'])
        expect(refusal.message).toBe('Only vendor sales staff may use the sales pages')
      }
    }
    expect((await shop.visitor().call(listSalesOrders)).status).toBe(401)
  })

  it('the next request of a person who lost the role or changed the vendor', async () => {
    const one = await makeVisitor(shop, { role: 'vendor_sales', vendorId: vendor })
    expect((await sell(saleInput(), one)).status).toBe(200)
    await shop.query('update users set vendor_id = $2 where id = $1', [one.id, other])
    expect((await sell(saleInput(), one)).refusal.code).toBe('VENDOR_MISMATCH')
    expect((await one.call(listSalesOrders)).body.total).toBe(0)
    await shop.query(`update users set role = 'customer', vendor_id = null where id = $1`, [one.id])
    expect((await sell(saleInput(), one)).status).toBe(403)
  })

  it('staff without the grant; with it they sell for their own vendor and see what they placed themselves', async () => {
    const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: vendor })
    const theirs = (await sell(saleInput())).body.id
    const hold = (held: string[]) => shop.query('update users set permissions = $2 where id = $1', [staff.id, held])
    await hold(['sales.place'])
    const { status, body } = await sell(saleInput(), staff)
    expect([status, body.vendorId, body.placedBy]).toEqual([200, vendor, staff.id])
    expect((await staff.call(listSalesOrders)).body.items.map(({ id }) => id)).toEqual([body.id])
    expect((await staff.call(getSalesOrder, { params: { id: theirs } })).status).toBe(404)
    expect((await boss.call(listSalesOrders)).body.items.map(({ id }) => id)).toContain(body.id)
    await expectRefusal(saleInput({ vendorId: other }), 403, 'FORBIDDEN', staff)
    const items = [{ productId: water, quantity: 1, customPrice: 1 }]
    await expectRefusal(saleInput({ items }), 403, 'FORBIDDEN', staff)
    await hold([])
    await expectRefusal(saleInput(), 403, 'SALES_ONLY', staff)
  })
})

describe('coverage', () => {
  const far = { lat: 25.9, lng: 50.9 }

  it('is checked', async () => {
    await expectRefusal(saleInput({ mapCoordinates: far }), 422, 'OUTSIDE_SERVICE_AREA')
    const elsewhere = await makeArea(shop, [other])
    const mapCoordinates = { lat: elsewhere.lat, lng: elsewhere.lng }
    const { details } = await expectRefusal(saleInput({ mapCoordinates }), 422, 'VENDOR_DOES_NOT_DELIVER')
    expect(details.vendors).toMatchObject([{ id: other }])
    for (const unchosen of [
      { lat: 0, lng: 0 },
      { lat: 26.0667, lng: 50.5577 },
    ]) {
      await expectRefusal(saleInput({ mapCoordinates: unchosen }), 422, 'ADDRESS_REQUIRED')
      const overridden = { mapCoordinates: unchosen, ignoreCoverage: true, reason: 'Boat' }
      await expectRefusal(saleInput(overridden), 422, 'ADDRESS_REQUIRED', boss)
    }
  })

  it('is overridden only with the permission and a reason, both in the history', async () => {
    const beyond = { mapCoordinates: far, ignoreCoverage: true, reason: 'A boat waits' }
    await expectRefusal(saleInput(beyond), 403, 'FORBIDDEN')
    for (const reason of [undefined, null, '', '   ']) {
      const { details } = await expectRefusal(saleInput({ ...beyond, reason }), 422, 'INVALID_BODY', boss)
      expect(Object.keys(details.fields ?? {})).toEqual(['reason'])
    }
    const { status, body } = await sell(saleInput(beyond), boss)
    expect([status, body.areaId, body.placedBy]).toEqual([200, null, boss.id])
    expect((await history(body.id)).slice(1)).toMatchObject([
      { field_changed: 'coverage', old_value: 'checked', new_value: 'ignored', notes: 'A boat waits' },
    ])
    // The agent's own permission counts like the role's.
    await shop.query(`update users set permissions = '{sales.ignore-coverage}' where id = $1`, [agent.id])
    expect((await sell(saleInput(beyond))).status).toBe(200)
    await shop.query(`update users set permissions = '{}' where id = $1`, [agent.id])
    expect((await sell(saleInput(beyond))).status).toBe(403)
  })

  it('that exists needs no override, and records none', async () => {
    const { body } = await sell(saleInput({ ignoreCoverage: true, reason: 'To be sure' }), boss)
    expect(body.areaId).toBe(areaId)
    expect(await history(body.id)).toHaveLength(1)
  })
})
