import type { Cart } from '@qatra/contract/cart/cart'
import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { defaultCentre } from '@qatra/contract/places/geo'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeArea, makeProduct, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'

let shop: TestShop
let vendor: number
let nearby: number
let water: number
let gallon: number
let place: { lat: number; lng: number; areaId: number }
let customer: Awaited<ReturnType<typeof makeVisitor>>

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
})

beforeEach(async () => {
  vendor = await makeVendor(shop, { deliveryFee: 750, minDeliveryAmount: 3000 })
  nearby = await makeVendor(shop)
  water = await makeProduct(shop, vendor, { price: 1505, vatPercentage: 10 })
  gallon = await makeProduct(shop, vendor, { price: 900, vatPercentage: 0 })
  place = await makeArea(shop, [vendor, nearby])
  customer = await makeVisitor(shop)
})

const order = (more: object = {}) => ({
  customerName: 'Maryam Ali',
  address: 'House 12, Road 34, Block 567',
  mapCoordinates: { lat: place.lat, lng: place.lng },
  ...more,
})
const fill = (quantity = 3, productId = water) => customer.call(addToCart, { body: { productId, quantity } })
const submit = (more: object = {}, headers: Record<string, string> = {}) =>
  customer.call(placeOrder, { body: order(more) }, headers)
const ordersOfCustomer = () => shop.query('select * from orders where user_id = $1', [customer.id])

/** Expects this error, no order and an unchanged cart. */
async function expectRefusal(more: object, status: number, code: string) {
  const before = await customer.call(getCart)
  const answer = await submit(more)
  expect([answer.status, answer.refusal.code]).toEqual([status, code])
  expect(await ordersOfCustomer()).toEqual([])
  const after = await customer.call(getCart)
  expect(after.body.version).toBe(before.body.version)
  expect(after.body.items.length).toBe(before.body.items.length)
  return answer.refusal
}

describe('placing an order', () => {
  it("creates an order of the cart at the server's prices and empties the cart", async () => {
    await fill(3)
    const { body: cart } = await fill(1, gallon)
    const { status, body } = await submit({ instructions: 'Ring twice', addressParts: { block: '567' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: cart.total, vendorId: vendor })
    expect(body.id).toMatch(/^[A-HJ-KM-NP-Z2-9]{16}$/)
    expect(Date.parse(body.cancellableUntil) - Date.parse(body.createdAt)).toBe(3_600_000)
    const after = await customer.call(getCart)
    expect(after.body).toMatchObject({ items: [], vendorId: null, total: 0 })
    expect(after.body.version).toBeGreaterThan(cart.version)

    const { body: placed } = await customer.call(getOrder, { params: { id: body.id } })
    expect(placed).toMatchObject({
      userId: customer.id,
      phone: customer.phone,
      status: 'new',
      paymentMethod: 'cash',
      paymentStatus: 'pending',
      subtotal: 5.415,
      deliveryFee: 0.75,
      productVAT: 0.452,
      total: 6.617,
      areaId: place.areaId,
      instructions: 'Ring twice',
      addressParts: { block: '567' },
      promisedDate: body.promisedDate,
      createdAt: body.createdAt,
      steps: [{ status: 'new', at: body.createdAt }],
      movedFrom: null,
      movedByClosure: false,
      failedAttempts: 0,
      asksForDay: false,
      lastAttemptAt: null,
      invoiceNumber: null,
      creditNotes: [],
      can: { cancel: true, reschedule: true, items: true, address: true, reorder: false, changeStatus: [] },
    })
    expect(placed.items.map((item) => [item.productId, item.quantity, item.price, item.vatPercentage])).toEqual([
      [water, 3, 1.505, 10],
      [gallon, 1, 0.9, 0],
    ])
  })

  it('writes one history row with its author', async () => {
    await fill()
    const { body } = await submit()
    const rows = await shop.query(
      'select action, changed_by, field_changed, new_value from order_audit_history where order_id = $1',
      [body.id],
    )
    expect(rows).toEqual([{ action: 'created', changed_by: customer.id, field_changed: 'status', new_value: 'new' }])
  })

  it('saves address and name for the next order, except while impersonating', async () => {
    await fill()
    await submit({ instructions: 'Ring twice', pinSource: 'search' })
    const saved = {
      name: 'Maryam Ali',
      address: 'House 12, Road 34, Block 567',
      lat: place.lat,
      lng: place.lng,
      pin_source: 'search',
      instructions: 'Ring twice',
      is_default: true,
    }
    const book = () =>
      shop.query(
        `select u.name, a.address, a.lat, a.lng, a.pin_source, a.instructions, a.is_default
         from users u join addresses a on a.user_id = u.id where u.id = $1`,
        [customer.id],
      )
    expect(await book()).toEqual([saved])
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    await shop.query('update sessions set impersonator_id = $1 where user_id = $2', [admin.id, customer.id])
    await fill()
    const { body } = await submit({ address: 'Another house altogether' })
    expect(await book()).toEqual([saved])
    const [history] = await shop.query('select changed_by, on_behalf_of from order_audit_history where order_id = $1', [
      body.id,
    ])
    expect(history).toEqual({ changed_by: admin.id, on_behalf_of: customer.id })
  })

  it('keeps the facts of a company in the account, except while impersonating, and puts them on an order without any', async () => {
    const company = { companyName: 'Delmon Trading', crNumber: '4711-1', vatNumber: '220004418700002' }
    await fill()
    const first = await submit({
      ...company,
      vatNumber: '٢٢٠٠ 0441 8700 002',
      poNumber: 'PO-17',
      branch: 'Seef',
      payingWith: 20,
    })
    const { body: order } = await customer.call(getOrder, { params: { id: first.body.id } })
    expect(order).toMatchObject({ ...company, poNumber: 'PO-17', branch: 'Seef', payingWith: 20 })
    await fill()
    const { body: next } = await customer.call(getOrder, { params: { id: (await submit()).body.id } })
    expect(next).toMatchObject({ ...company, poNumber: null, branch: null, payingWith: null })
    const kept = () => shop.query('select company_name, cr_number, vat_number from users where id = $1', [customer.id])
    const before = await kept()
    await shop.query('update sessions set impersonator_id = $1 where user_id = $2', [
      (await makeVisitor(shop, { role: 'super_admin' })).id,
      customer.id,
    ])
    await fill()
    await submit({ ...company, companyName: null })
    expect(await kept()).toEqual(before)
  })

  it.each([
    ['a VAT number of 14 digits', 'vatNumber', { vatNumber: '22000441870000' }],
    ['a name of two lines', 'companyName', { companyName: 'a\nb' }],
    ['no whole note', 'payingWith', { payingWith: 20.5 }],
  ])('refuses %s', async (_, field, more) => {
    await fill()
    const { details } = await expectRefusal(more, 422, 'INVALID_BODY')
    expect(Object.keys((details as { fields: object }).fields)).toEqual([field])
  })

  it("uses the database's clock for the promise, however wrong the process's is", async () => {
    await fill()
    const { now } = shop.app.clock
    shop.app.clock.now = () => new Date(now().getTime() - 5 * 86_400_000)
    const { status, body } = await submit()
    shop.app.clock.now = now
    expect(status).toBe(200)
    await fill()
    expect((await submit()).body.promisedDate).toBe(body.promisedDate)
  })

  it('copies names and unit, which later changes of the product do not affect', async () => {
    await shop.query(
      `update products set inventory_unit = 'Carton', inventory_unit_ar = 'كرتون', units_per_inventory_unit = 24
       where id = $1`,
      [water],
    )
    await fill()
    const { body } = await submit()
    const before = await customer.call(getOrder, { params: { id: body.id } })
    expect(before.body.items).toMatchObject([
      { inventoryUnit: 'Carton', inventoryUnitAr: 'كرتون', unitsPerInventoryUnit: 24 },
    ])
    await shop.query(
      `update products set name = 'Other', inventory_unit = 'Box', price = 9000, deleted_at = now() where id = $1`,
      [water],
    )
    await shop.query(`update vendors set name = 'Other' where id = $1`, [vendor])
    expect((await customer.call(getOrder, { params: { id: body.id } })).body).toEqual(before.body)
  })
})

describe('an order is refused', () => {
  it('signed out', async () => {
    expect((await shop.visitor().call(placeOrder, { body: order() })).status).toBe(401)
  })

  it('with an empty cart', () => expectRefusal({}, 409, 'CART_EMPTY'))

  it('with another payment than cash', async () => {
    await fill()
    for (const paymentMethod of ['card', 'online', 'bank_transfer'])
      await expectRefusal({ paymentMethod }, 422, 'PAYMENT_METHOD_NOT_OFFERED')
  })

  it('without a chosen point', async () => {
    await fill()
    await expectRefusal({ mapCoordinates: { lat: 0, lng: 0 } }, 422, 'ADDRESS_REQUIRED')
    const { message } = await expectRefusal({ mapCoordinates: defaultCentre }, 422, 'ADDRESS_REQUIRED')
    expect(message).toBe('Please select your delivery address on the map')
  })

  it('if a product is unavailable, naming it', async () => {
    await fill()
    await fill(1, gallon)
    await shop.query('update products set is_active = false where id = $1', [gallon])
    const { details } = await expectRefusal({}, 409, 'PRODUCT_UNAVAILABLE')
    expect(details.products).toEqual([expect.objectContaining({ id: gallon })])
    expect((details.cart as Cart).items.map((item) => item.isAvailable)).toEqual([true, false])
  })

  it('if the vendor was deactivated', async () => {
    await fill()
    await shop.query('update vendors set is_active = false where id = $1', [vendor])
    await expectRefusal({}, 409, 'PRODUCT_UNAVAILABLE')
  })

  it('below the minimum, with the missing amount; exactly the minimum passes', async () => {
    await fill(1)
    const { details, message } = await expectRefusal({}, 422, 'MINIMUM_NOT_MET')
    expect(details).toMatchObject({ required: 3, remaining: 1.495 })
    expect(message).toBe('Minimum Order Not Met')
    await shop.query('update vendors set min_delivery_amount = 1505 where id = $1', [vendor])
    expect((await submit()).status).toBe(200)
  })

  it('outside every area', async () => {
    await fill()
    const { message } = await expectRefusal({ mapCoordinates: { lat: -40, lng: 10 } }, 422, 'OUTSIDE_SERVICE_AREA')
    expect(message).toBe('Location outside service area')
  })

  it('if the vendor does not deliver there, naming those that do', async () => {
    await fill()
    await shop.query('delete from vendor_delivery_areas where vendor_id = $1', [vendor])
    await shop.catalogue.reload()
    const { details } = await expectRefusal({}, 422, 'VENDOR_DOES_NOT_DELIVER')
    expect(details.vendor).toMatchObject({ id: vendor, nameAr: expect.stringContaining('علامة') })
    expect(details.area).toMatchObject({ id: place.areaId, nameAr: expect.stringContaining('منطقة') })
    expect(details.vendors).toEqual([expect.objectContaining({ id: nearby })])
  })

  it.each([
    ['price', 'update products set price = price + 1 where vendor_id = $1'],
    ['VAT', 'update products set vat_percentage = 11 where vendor_id = $1'],
    ['fee', 'update vendors set delivery_fee = delivery_fee + 1 where id = $1'],
  ])('if the %s rose since the cart was read, with the new cart', async (_, change) => {
    const { body: seen } = await fill()
    await shop.query(change, [vendor])
    const { details } = await expectRefusal({ expectedTotal: seen.total }, 409, 'PRICE_CHANGED')
    const cart = details.cart as Cart
    expect(cart.total).toBeGreaterThan(seen.total)
    const { body } = await submit({ expectedTotal: cart.total })
    expect(body.total).toBe(cart.total)
  })

  it('not if it became cheaper: the lower price counts', async () => {
    const { body: seen } = await fill()
    await shop.query('update products set price = price - 100 where vendor_id = $1', [vendor])
    const { status, body } = await submit({ expectedTotal: seen.total })
    expect(status).toBe(200)
    expect(body.total).toBeLessThan(seen.total)
  })

  it.each([
    [{ customerName: 'Al' }, 'customerName'],
    [{ customerName: 'A\u202eli Ahmed' }, 'customerName'],
    [{ customerName: 'Ali 3600 1234' }, 'customerName'],
    [{ customerName: 'Prize at ali.com' }, 'customerName'],
    [{ customerName: undefined }, 'customerName'],
    [{ address: 'short' }, 'address'],
    [{ address: 'x'.repeat(501) }, 'address'],
    [{ mapCoordinates: { lat: 91, lng: 50 } }, 'mapCoordinates.lat'],
    [{ mapCoordinates: null }, 'mapCoordinates'],
    [{ instructions: 'x'.repeat(1001) }, 'instructions'],
    [{ instructions: 'a\u0001b' }, 'instructions'],
    [{ paymentMethod: 'gold' }, 'paymentMethod'],
    [{ expectedTotal: 'free' }, 'expectedTotal'],
  ])('for bad input %j', async (more, field) => {
    await fill()
    const { details } = await expectRefusal(more, 422, 'INVALID_BODY')
    expect(Object.keys(details.fields ?? {})).toEqual([field])
  })
})
