import { addToCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../../lib/errors.ts'
import { startShop } from '../../test/app.ts'
import { makeArea, makeProduct, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { growthOf, seriesOf } from '../../test/metrics.ts'
import { countRefused } from './metrics.ts'

const shop = await startShop({ role: 'web' })
const vendor = await makeVendor(shop, { deliveryFee: 500, minDeliveryAmount: 1000 })
const other = await makeVendor(shop)
const product = await makeProduct(shop, vendor, { price: 1000, vatPercentage: 0 })
const place = await makeArea(shop, [vendor])
const foreign = await makeArea(shop, [other])

const placed = 'qatra_orders_placed_total{channel="shop"}'
const value = 'qatra_orders_placed_bhd_total{channel="shop"}'
const refused = (reason: string) => `qatra_orders_refused_total{channel="shop",reason="${reason}"}`

async function customerWithCart() {
  const customer = await makeVisitor(shop)
  await customer.call(addToCart, { body: { productId: product, quantity: 2 } })
  const submit = ({ lat, lng }: { lat: number; lng: number }, key?: string) =>
    customer.call(
      placeOrder,
      { body: { customerName: 'Maryam Ali', address: 'House 12, Road 34', mapCoordinates: { lat, lng } } },
      key ? { 'idempotency-key': key } : {},
    )
  return { customer, submit }
}

describe('metrics of orders', () => {
  it('count a placed order with its total once, also when the request is repeated', async () => {
    const { submit } = await customerWithCart()
    const growth = await growthOf(shop, [placed, value], async () => {
      expect((await submit(place, 'once-and-again')).status).toBe(200)
      expect((await submit(place, 'once-and-again')).status).toBe(200)
    })
    expect(growth).toEqual([1, expect.closeTo(2.5, 3)])
  })

  it('count a refused order by its error code', async () => {
    const { submit, customer } = await customerWithCart()
    await submit(place)
    expect(await growthOf(shop, [placed, refused('CART_EMPTY')], () => submit(place))).toEqual([0, 1])
    expect(customer.id).toBeGreaterThan(0)
  })

  it('count an order outside of the vendor’s areas by area and vendor', async () => {
    const { submit } = await customerWithCart()
    const pair = `qatra_coverage_misses_total{area="${foreign.areaId}",vendor="${vendor}"}`
    const nowhere = 'qatra_coverage_misses_total{area="none",vendor="none"}'
    expect(await growthOf(shop, [pair, nowhere], () => submit(foreign))).toEqual([1, 0])
    expect(await growthOf(shop, [pair, nowhere], () => submit({ lat: 10, lng: 10 }))).toEqual([0, 1])
  })

  it('count an order as unavailable while the database is away', async () => {
    const away = await startShop({ role: 'web' })
    const customer = await makeVisitor(away)
    const refusal = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const spies = [vi.spyOn(away.app.pool, 'query'), vi.spyOn(away.app.pool, 'connect')]
    for (const spy of spies) spy.mockImplementation(() => Promise.reject(refusal))
    const growth = await growthOf(away, [refused('UNAVAILABLE')], () =>
      customer.call(placeOrder, {
        body: {
          customerName: 'Maryam Ali',
          address: 'House 12, Road 34',
          mapCoordinates: { lat: place.lat, lng: place.lng },
        },
      }),
    )
    expect(growth).toEqual([1])
    for (const spy of spies) spy.mockRestore()
  })

  it('have at most 500 series of areas and vendors in a process', async () => {
    const named = (id: number) => ({ id, name: '', nameAr: null })
    for (let id = 1; id <= 600; id += 1) {
      const details = { area: named(900_000 + id), vendor: named(900_000), vendors: [] }
      countRefused('shop', new AppError('VENDOR_DOES_NOT_DELIVER', details))
    }
    const { body } = await shop.visitor().send('GET', '/metrics')
    expect(String(body).match(/^qatra_coverage_misses_total\{/gm)?.length).toBeLessThanOrEqual(502)
    expect(await seriesOf(shop, 'qatra_coverage_misses_total{area="other",vendor="other"}')).toBeGreaterThan(99)
  })
})
