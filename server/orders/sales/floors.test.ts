import { listPriceFloors } from '@qatra/contract/sales'
import { updateVendor } from '@qatra/contract/vendors/admin'
import { beforeEach, describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { makeVisitor } from '../../test/fixtures/make.ts'
import { openSalesDesk } from '../../test/fixtures/sales-desk.ts'

const shop = await startShop({ role: 'web' })
const { vendor, other, water, gallon, agent, boss, saleInput, sell, expectRefusal } = await openSalesDesk(shop)
const owner = await makeVisitor(shop, { role: 'super_admin' })

const setFloor = (percent: number | null, vendorId = vendor) =>
  shop.query('update vendors set custom_price_floor = $2 where id = $1', [vendorId, percent])
/** The product's own price is 1.505. */
const at = (customPrice: number) => saleInput({ items: [{ productId: water, quantity: 1, customPrice }] })

beforeEach(async () => {
  await setFloor(null)
  await setFloor(null, other)
})

describe('the floor of agreed prices', () => {
  it.each([
    // 70 % of 1505 fils are 1053.5: half up
    [70, 1.053, 1.054],
    [50, 0.752, 0.753],
    [1, 0.014, 0.015],
    [99, 1.489, 1.49],
    [100, 1.504, 1.505],
  ])('of %d percent refuses %f and accepts %f', async (percent, below, least) => {
    await setFloor(percent)
    const { details } = await expectRefusal(at(below), 422, 'PRICE_BELOW_FLOOR')
    expect(details.products).toMatchObject([{ id: water, floorPrice: least }])
    for (const price of [least, 1.6]) {
      const { status, body } = await sell(at(price))
      expect([status, body.items?.[0]?.price]).toEqual([200, price])
    }
  })

  it.each([[null], [0]])('of %j accepts every price', async (percent) => {
    await setFloor(percent)
    expect((await sell(at(0.001))).status).toBe(200)
  })

  it("is named only at its lines, in the agent's language", async () => {
    await setFloor(70)
    const items = [
      { productId: gallon, quantity: 1 },
      { productId: water, quantity: 1, customPrice: 0.5 },
    ]
    for (const [lang, words] of [
      ['ar', 'أقل سعر لهذا المنتج 1.054\u00a0د.ب'],
      ['en', 'The lowest price for this product is BHD\u00a01.054'],
    ] as const) {
      const { status, refusal } = await sell(saleInput({ items }), agent, { 'accept-language': lang })
      expect([status, refusal.details.fields]).toEqual([422, { 'items.1.customPrice': words }])
      expect(refusal.details.products).toMatchObject([{ id: water, floorPrice: 1.054 }])
    }
  })

  it('applies to admins and agents, and only of the vendor that set it', async () => {
    await setFloor(70)
    for (const person of [boss, owner]) await expectRefusal(at(1), 422, 'PRICE_BELOW_FLOOR', person)
    await setFloor(null)
    await setFloor(100, other)
    for (const person of [agent, boss, owner]) expect((await sell(at(0.5), person)).status).toBe(200)
  })

  it('is read at the time of the sale, not of the form', async () => {
    await setFloor(50)
    const key = { 'idempotency-key': 'before-the-floor-rose' }
    const wanted = at(0.9)
    const { body: first } = await sell(wanted, agent, key)
    expect((await agent.call(listPriceFloors)).body).toEqual([{ vendorId: vendor, percent: 50 }])
    const raised = await boss.call(updateVendor, { params: { id: String(vendor) }, body: { customPriceFloor: 80 } })
    expect([raised.status, raised.body.customPriceFloor]).toEqual([200, 80])
    await expectRefusal(at(0.9), 422, 'PRICE_BELOW_FLOOR')
    expect((await sell(at(1.204))).status).toBe(200)
    // An earlier sale is unchanged and returned again.
    expect((await sell(wanted, agent, key)).body.id).toBe(first.id)
    await boss.call(updateVendor, { params: { id: String(vendor) }, body: { customPriceFloor: null } })
    expect((await sell(at(0.9))).status).toBe(200)
  })

  it("is visible to the vendor's sales staff and to no other vendor", async () => {
    await setFloor(70)
    await setFloor(40, other)
    const stranger = await makeVisitor(shop, { role: 'vendor_sales', vendorId: other })
    const mine = { vendorId: vendor, percent: 70 }
    const theirs = { vendorId: other, percent: 40 }
    expect((await agent.call(listPriceFloors)).body).toEqual([mine])
    expect((await stranger.call(listPriceFloors)).body).toEqual([theirs])
    const { body } = await owner.call(listPriceFloors)
    expect(body.filter(({ vendorId }) => vendorId === vendor || vendorId === other)).toEqual([mine, theirs])
  })
})
