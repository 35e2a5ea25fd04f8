import { placeSalesOrder } from '@qatra/contract/sales'
import { expect } from 'vitest'
import type { TestShop } from './app.ts'
import { wholeState } from './ask.ts'
import { newPhone } from './codes.ts'
import { makeArea, makeProduct, makeVendor, makeVisitor } from './make.ts'
import type { Visitor } from './visitor.ts'

/** A vendor with sales: an agent, an admin, two products and an area; and another vendor with one product. */
export async function openSalesDesk(shop: TestShop) {
  const vendor = await makeVendor(shop, { deliveryFee: 750, minDeliveryAmount: 5000 })
  const other = await makeVendor(shop)
  const water = await makeProduct(shop, vendor, { price: 1505, vatPercentage: 10 })
  const gallon = await makeProduct(shop, vendor, { price: 900, vatPercentage: 0 })
  const foreign = await makeProduct(shop, other, { price: 700 })
  const { lat, lng, areaId } = await makeArea(shop, [vendor])
  const agent = await makeVisitor(shop, { role: 'vendor_sales', vendorId: vendor })
  const boss = await makeVisitor(shop, { role: 'vendor_admin', vendorId: vendor })

  const saleInput = (more: object = {}) => ({
    phone: newPhone(),
    customerName: 'Maryam Ali',
    address: 'House 12, Road 34, Block 567',
    mapCoordinates: { lat, lng },
    items: [{ productId: water, quantity: 2 }],
    ...more,
  })
  const sell = (body: object, by: Visitor = agent, headers: Record<string, string> = {}) =>
    // Some tests send invalid bodies.
    by.call(placeSalesOrder, { body: body as ReturnType<typeof saleInput> }, headers)
  const history = (id: string) =>
    shop.query(
      `select action, changed_by, on_behalf_of, field_changed, old_value, new_value, notes
       from order_audit_history where order_id = $1 order by id`,
      [id],
    )

  /** Expects this error code and status and unchanged rows, except for pending notifications. */
  async function expectRefusal(body: object, status: number, code: string, by: Visitor = agent) {
    const before = await wholeState(shop)
    const answer = await sell(body, by)
    expect([answer.status, answer.refusal.code]).toEqual([status, code])
    expect(await wholeState(shop)).toEqual(before)
    return answer.refusal
  }

  return {
    vendor,
    other,
    water,
    gallon,
    foreign,
    areaId,
    point: { lat, lng },
    agent,
    boss,
    saleInput,
    sell,
    history,
    expectRefusal,
  }
}
