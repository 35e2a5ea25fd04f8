import {
  addToCart,
  clearCart,
  getCart,
  removeCartItem,
  restoreCart,
  swapCart,
  switchCart,
  updateCartItem,
} from '@qatra/contract/cart/cart'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
let vendor: number
let other: number
let water: number
let gallon: number
let foreign: number

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendor = await makeVendor(shop, { deliveryFee: 750 })
  other = await makeVendor(shop)
  water = await makeProduct(shop, vendor, { price: 1505, vatPercentage: 10 })
  gallon = await makeProduct(shop, vendor, { price: 900, vatPercentage: 0 })
  foreign = await makeProduct(shop, other)
})

const add = (productId: number, quantity = 1, more: object = {}) => ({ body: { productId, quantity, ...more } })

describe('a visitor without a cookie', () => {
  it('has an empty cart with total 0 and no row', async () => {
    const before = await shop.query('select count(*) from carts')
    const { status, body, headers } = await shop.visitor().call(getCart)
    expect([status, body.items, body.total, body.deliveryFee, body.id]).toEqual([200, [], 0, 0, null])
    expect(headers['set-cookie']).toBeUndefined()
    expect(await shop.query('select count(*) from carts')).toEqual(before)
  })

  it('gets a cookie for 30 days with the first product; only its hash is stored', async () => {
    const visitor = shop.visitor()
    const { body, headers } = await visitor.call(addToCart, add(water))
    expect(String(headers['set-cookie'])).toMatch(
      /^sid=g\.[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    const [row] = await shop.query<{ session_id: string; user_id: number | null }>(
      'select session_id, user_id from carts where id = $1',
      [body.id],
    )
    expect(row?.session_id).toMatch(/^[0-9a-f]{64}$/)
    expect(row?.user_id).toBeNull()
    const again = await visitor.call(addToCart, add(water))
    expect(again.headers['set-cookie']).toBeUndefined()
    expect(again.body.items.map((item) => item.quantity)).toEqual([2])
  })

  it('gets no cookie if the product was refused', async () => {
    const { status, headers } = await shop.visitor().call(addToCart, add(999_999))
    expect([status, headers['set-cookie']]).toEqual([404, undefined])
  })

  it('gets 404 for changing, removing and restoring, and may clear', async () => {
    const visitor = shop.visitor()
    expect((await visitor.call(updateCartItem, { params: { itemId: '1' }, body: { quantity: 1 } })).status).toBe(404)
    expect((await visitor.call(removeCartItem, { params: { itemId: '1' } })).refusal.code).toBe('CART_ITEM_NOT_FOUND')
    expect((await visitor.call(restoreCart)).refusal.code).toBe('NO_PARKED_CART')
    expect((await visitor.call(clearCart)).body.items).toEqual([])
  })
})

describe('adding an item', () => {
  it('returns names, prices and sums of the server, whatever was sent', async () => {
    const sent = add(water, 3, { price: 0.001, name: 'Free', vendorId: vendor, total: 0 })
    const { body } = await shop.visitor().call(addToCart, sent)
    expect(body.items[0]).toMatchObject({
      price: 1.505,
      quantity: 3,
      vendorId: vendor,
      vatPercentage: 10,
      isAvailable: true,
    })
    // 3 × 1.505 = 4.515; 10 % of it is 0.4515, half up 0.452
    expect(body).toMatchObject({
      subtotal: 4.515,
      deliveryFee: 0.75,
      productVAT: 0.452,
      total: 5.717,
      vendorId: vendor,
    })
  })

  it('increments the version with every change', async () => {
    const visitor = shop.visitor()
    const first = await visitor.call(addToCart, add(water))
    const second = await visitor.call(addToCart, add(gallon))
    const itemId = String(second.body.items[0]?.id)
    const third = await visitor.call(updateCartItem, { params: { itemId }, body: { quantity: 4 } })
    expect(second.body.version).toBeGreaterThan(first.body.version)
    expect(third.body.version).toBeGreaterThan(second.body.version)
  })

  it('refuses a product of another vendor with the specified message, and changes nothing', async () => {
    const visitor = shop.visitor()
    const before = await visitor.call(addToCart, add(water))
    const refused = await visitor.call(addToCart, add(foreign))
    expect([refused.status, refused.refusal.code]).toEqual([409, 'CART_VENDOR_CONFLICT'])
    expect(refused.refusal.message).toContain('Please finish your current order first')
    expect((await visitor.call(getCart)).body).toEqual(before.body)
  })

  it('refuses more than 100 in sum, and changes nothing', async () => {
    const visitor = shop.visitor()
    const full = await visitor.call(addToCart, add(water, 100))
    const refused = await visitor.call(addToCart, add(water, 1))
    expect([refused.status, refused.refusal.code]).toEqual([409, 'QUANTITY_LIMIT'])
    expect((await visitor.call(getCart)).body).toEqual(full.body)
  })

  it("refuses a vendorId that is not the product's", async () => {
    const { status, refusal } = await shop.visitor().call(addToCart, add(water, 1, { vendorId: other }))
    expect([status, refusal.code]).toEqual([422, 'VENDOR_MISMATCH'])
  })

  it('refuses unknown, deactivated and deleted products and those of a deactivated vendor', async () => {
    const off = await makeProduct(shop, vendor)
    const deleted = await makeProduct(shop, vendor)
    const closed = await makeVendor(shop)
    const ofClosed = await makeProduct(shop, closed)
    await shop.query('update products set is_active = false where id = $1', [off])
    await shop.query('update products set deleted_at = now() where id = $1', [deleted])
    await shop.query('update vendors set is_active = false where id = $1', [closed])
    for (const productId of [off, deleted, ofClosed, 2_000_000_000]) {
      const { status, refusal } = await shop.visitor().call(addToCart, add(productId))
      expect([status, refusal.message]).toEqual([404, 'Product not found'])
    }
  })

  it.each([0, -1, 101, 1.5, '2', null, true, [1], {}, 1e309])(
    'refuses the quantity %j and names the field',
    async (quantity) => {
      const { status, refusal } = await shop.visitor().send('POST', '/api/cart/add', {
        raw: `{"productId": ${water}, "quantity": ${quantity === Number.POSITIVE_INFINITY ? '1e309' : JSON.stringify(quantity)}}`,
        headers: { 'content-type': 'application/json', 'accept-language': 'en' },
      })
      expect(status).toBe(422)
      expect(refusal.details.fields).toEqual({ quantity: 'Choose a quantity from 1 to 100' })
    },
  )
})

describe('changing an item', () => {
  it('removes it at 0 or less, and the vendor with the last item', async () => {
    const visitor = shop.visitor()
    const { body } = await visitor.call(addToCart, add(water, 2))
    const itemId = String(body.items[0]?.id)
    const emptied = await visitor.call(updateCartItem, { params: { itemId }, body: { quantity: -5 } })
    expect(emptied.body).toMatchObject({ items: [], vendorId: null, total: 0, deliveryFee: 0 })
    const late = await visitor.call(updateCartItem, { params: { itemId }, body: { quantity: 3 } })
    expect([late.status, late.refusal.code]).toEqual([404, 'CART_ITEM_NOT_FOUND'])
    expect((await visitor.call(addToCart, add(foreign))).body.vendorId).toBe(other)
  })

  it('refuses more than 100 and items of other carts', async () => {
    const visitor = shop.visitor()
    const stranger = shop.visitor()
    const { body } = await visitor.call(addToCart, add(water, 2))
    await stranger.call(addToCart, add(gallon))
    const params = { itemId: String(body.items[0]?.id) }
    expect((await visitor.call(updateCartItem, { params, body: { quantity: 101 } })).refusal.code).toBe(
      'QUANTITY_LIMIT',
    )
    expect((await stranger.call(updateCartItem, { params, body: { quantity: 9 } })).status).toBe(404)
    expect((await stranger.call(removeCartItem, { params })).status).toBe(404)
    expect((await visitor.call(getCart)).body).toEqual(body)
  })

  it('returns 404 for an invalid id', async () => {
    const visitor = shop.visitor()
    await visitor.call(addToCart, add(water))
    for (const itemId of ['0', '-1', 'abc', '1.5', '99999999999', '١'])
      expect((await visitor.call(removeCartItem, { params: { itemId } })).status).toBe(404)
  })
})

describe('clearing', () => {
  it('empties the cart and is idempotent', async () => {
    const visitor = shop.visitor()
    await visitor.call(addToCart, add(water, 2))
    const first = await visitor.call(clearCart)
    expect(first.body).toMatchObject({ items: [], vendorId: null, total: 0 })
    expect((await visitor.call(clearCart)).body).toEqual(first.body)
  })
})

describe('swapping the cart', () => {
  const swap = (...items: [productId: number, quantity: number][]) => ({
    body: { items: items.map(([productId, quantity]) => ({ productId, quantity })) },
  })

  it('parks the cart and starts one with all products in one step; restoring undoes it', async () => {
    const visitor = shop.visitor()
    const before = await visitor.call(addToCart, add(foreign, 2))
    const swapped = await visitor.call(swapCart, swap([water, 3], [gallon, 1]))
    expect(swapped.status).toBe(200)
    expect(swapped.body).toMatchObject({ vendorId: vendor, parked: { vendorId: other, itemCount: 1 } })
    expect(swapped.body.items.map((item) => [item.productId, item.quantity])).toEqual([
      [water, 3],
      [gallon, 1],
    ])
    expect(swapped.body.version).toBeGreaterThan(before.body.version)
    const undone = await visitor.call(restoreCart)
    expect(undone.body.items.map((item) => [item.productId, item.quantity])).toEqual([[foreign, 2]])
  })

  it('twice keeps the parked cart of the first time', async () => {
    const visitor = shop.visitor()
    await visitor.call(addToCart, add(foreign, 2))
    const [one, two] = await Promise.all([
      visitor.call(swapCart, swap([water, 3])),
      visitor.call(swapCart, swap([water, 3])),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    expect((await visitor.call(getCart)).body).toMatchObject({
      vendorId: vendor,
      items: [{ productId: water, quantity: 3 }],
      parked: { vendorId: other, itemCount: 1 },
    })
  })

  it('changes nothing if a product is unknown or of another vendor', async () => {
    const visitor = shop.visitor()
    const before = await visitor.call(addToCart, add(foreign, 2))
    const unknown = await visitor.call(swapCart, swap([water, 3], [999_999, 1]))
    expect([unknown.status, unknown.refusal.code]).toEqual([404, 'PRODUCT_NOT_FOUND'])
    const mixed = await visitor.call(swapCart, swap([water, 3], [foreign, 1]))
    expect([mixed.status, mixed.refusal.code]).toEqual([422, 'VENDOR_MISMATCH'])
    for (const bad of [swap(), swap([water, 0]), swap([water, 101]), swap([water, 1.5])])
      expect((await visitor.call(swapCart, bad)).status).toBe(422)
    expect((await visitor.call(getCart)).body).toEqual(before.body)
  })
})

describe('switching the vendor', () => {
  it('parks the old cart, starts one with the product, and restoring swaps them', async () => {
    const visitor = shop.visitor()
    const before = await visitor.call(addToCart, add(water, 2))
    const switched = await visitor.call(switchCart, add(foreign, 3))
    expect(switched.body).toMatchObject({ vendorId: other, parked: { vendorId: vendor, itemCount: 1 } })
    expect(switched.body.items.map((item) => [item.productId, item.quantity])).toEqual([[foreign, 3]])
    expect(switched.body.version).toBeGreaterThan(before.body.version)
    const restored = await visitor.call(restoreCart)
    expect(restored.body).toMatchObject({ vendorId: vendor, parked: { vendorId: other, itemCount: 1 } })
    expect(restored.body.items).toEqual(before.body.items)
    expect((await visitor.call(restoreCart)).body.items).toEqual(switched.body.items)
  })

  it('keeps the parked cart when repeated', async () => {
    const visitor = shop.visitor()
    await visitor.call(addToCart, add(water, 2))
    await visitor.call(switchCart, add(foreign, 3))
    const second = await visitor.call(switchCart, add(foreign, 3))
    expect(second.body).toMatchObject({ vendorId: other, parked: { vendorId: vendor, itemCount: 1 } })
  })

  it('keeps only the newest parked cart, for 30 days', async () => {
    const visitor = await makeVisitor(shop)
    await visitor.call(addToCart, add(water, 2))
    await visitor.call(switchCart, add(foreign, 3))
    await visitor.call(switchCart, add(gallon, 1))
    expect((await visitor.call(getCart)).body.parked).toEqual({ vendorId: other, itemCount: 1 })
    await shop.query(
      `update carts set parked_at = now() - interval '30 days 1 second' where user_id = $1 and parked_at is not null`,
      [visitor.id],
    )
    expect((await visitor.call(getCart)).body.parked).toBeNull()
    expect((await visitor.call(restoreCart)).refusal.code).toBe('NO_PARKED_CART')
  })

  it('refuses an unknown product and changes nothing', async () => {
    const visitor = shop.visitor()
    const before = await visitor.call(addToCart, add(water, 2))
    const { status, refusal } = await visitor.call(switchCart, add(2_000_000_000))
    expect([status, refusal.code]).toEqual([404, 'PRODUCT_NOT_FOUND'])
    expect((await visitor.call(getCart)).body).toEqual(before.body)
  })

  it('works for a new visitor without a cart', async () => {
    const visitor = shop.visitor()
    const { body } = await visitor.call(switchCart, add(water, 2))
    expect(body.items.map((item) => item.quantity)).toEqual([2])
    expect((await visitor.call(getCart)).body).toEqual(body)
  })
})

describe('a deactivated product', () => {
  it('stays in the cart, marked, and is not in any sum', async () => {
    const [kept, off, deleted] = [
      await makeProduct(shop, vendor),
      await makeProduct(shop, vendor),
      await makeProduct(shop, vendor),
    ]
    const visitor = shop.visitor()
    for (const productId of [kept, off, deleted]) await visitor.call(addToCart, add(productId, 2))
    await shop.query('update products set is_active = false where id = $1', [off])
    await shop.query('update products set deleted_at = now() where id = $1', [deleted])
    await shop.catalogue.reload()
    const { body } = await visitor.call(getCart)
    expect(body.items.map((item) => [item.productId, item.isAvailable])).toEqual([
      [kept, true],
      [off, false],
      [deleted, false],
    ])
    expect(body).toMatchObject({ subtotal: 3, productVAT: 0.3, deliveryFee: 0.75, total: 4.05 })
  })
})
