import { getCart } from '@qatra/contract/cart/cart'
import { getCash, getRun } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import {
  assignDriver,
  changeManyOrders,
  changeOrderStatus,
  changePayment,
  exportOrders,
  getAdminOrder,
} from '@qatra/contract/orders/admin'
import { parseItemList } from '@qatra/contract/orders/history'
import { getOrder, reorder } from '@qatra/contract/orders/orders'
import { addPayment, listPayments } from '@qatra/contract/orders/payments'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { beforeAll, describe, expect, it } from 'vitest'
import { listSimulatedMessages } from '../../../demo/contract/simulator.ts'
import { readOrderBody } from '../../legacy-sync/order-body.queries.ts'
import { startShop, type TestShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { makeHousehold, makeProduct, makeVendor, makeVisitor, soldOf } from '../../test/fixtures/make.ts'
import { receiptDocument } from '../receipt/document.ts'
import { findReceiptOrder } from '../receipt/queries.ts'

let shop: TestShop
let made = 0
const newKey = () => `partial-key-${(made += 1)}`
beforeAll(async () => {
  shop = await startShop()
})

type Person = Awaited<ReturnType<typeof makeVisitor>>
type Delivered = { itemId: number; quantity: number }[]

/** A shipped order of five cartons with its driver. */
async function shipped() {
  const home = await makeHousehold(shop)
  const [office, driver] = [
    await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor }),
    await makeVisitor(shop, { role: 'driver', vendorId: home.vendor }),
  ]
  async function order() {
    const id = await home.order(5)
    await office.call(assignDriver, { params: { id }, body: { driverId: driver.id } })
    await office.call(changeOrderStatus, { params: { id }, body: { status: 'shipped' } })
    return id
  }
  const id = await order()
  return { ...home, office, driver, order, id }
}

async function itemOf(id: string): Promise<number> {
  const [item] = await shop.query<{ id: number }>('select id from order_items where order_id = $1', [id])
  return item?.id ?? 0
}
const part = async (id: string, quantity: number): Promise<Delivered> => [{ itemId: await itemOf(id), quantity }]
const deliver = (by: Person, id: string, body: object = {}) =>
  by.call(changeOrderStatus, { params: { id }, body: { status: 'delivered', ...body } })
const cashOf = async (id: string) =>
  (
    await shop.query<{ amount: number }>(
      `select amount::integer from ledger_entries where order_id = $1 and holder = 'driver' order by id`,
      [id],
    )
  ).map(({ amount }) => amount)
const stored = async (id: string) => {
  const [found] = await shop.query<{ status: string; quantity: number; ordered: number | null; total: number }>(
    `select o.status, i.quantity, i.ordered_quantity as ordered, o.total::integer
     from orders o join order_items i on i.order_id = o.id where o.id = $1`,
    [id],
  )
  return found
}
const back = { status: 'shipped' as const, notes: 'Wrong house' }
// Fees 0.750, VAT of 10 % of 1.505 for each carton.
const [WHOLE, THREE, TWO] = [9.028, 5.717, 4.061]

describe('a partial delivery by the driver', () => {
  it('sets quantities, totals, cash, history, receipt, files and the older system’s order to what was handed over', async () => {
    const { driver, office, customer, water, id } = await shipped()
    const delivered = await part(id, 3)
    const { status, body } = await deliver(driver, id, { delivered, cash: { amount: THREE, key: newKey() } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'delivered', paymentStatus: 'paid', subtotal: 4.515, total: THREE })
    expect(body.items).toMatchObject([{ quantity: 3, orderedQuantity: 5 }])
    expect(await cashOf(id)).toEqual([5717])

    const entries = (await office.call(getTimeline, { params: { id } })).body
    const entry = (field: string) => entries.find((one) => one.field === field)
    expect(parseItemList(entry('items')?.from ?? null)).toMatchObject([{ quantity: 5 }])
    expect(parseItemList(entry('items')?.to ?? null)).toMatchObject([{ quantity: 3 }])
    expect(entry('total')).toMatchObject({ from: String(WHOLE), to: String(THREE), by: { id: driver.id } })

    const own = (await customer.call(getOrder, { params: { id } })).body
    expect([own.total, own.items[0]?.quantity, own.items[0]?.orderedQuantity]).toEqual([THREE, 3, 5])
    const found = await findReceiptOrder(shop.app, shop.catalogue.current(), id)
    const receipt = found && receiptDocument(found, { lang: 'en', size: 'a4' })
    expect(receipt?.lines.map(({ quantity }) => quantity)).toEqual(['3'])
    expect(receipt?.total).toBe(formatMoney(fromBhd(THREE), 'en'))
    expect(receipt?.payment).toBe('Cash · Paid')
    expect(String((await office.call(exportOrders, { query: { lang: 'en' } })).body)).toContain('3 × ')
    expect(await readOrderBody(shop.app, id, 'order.status-changed')).toMatchObject({
      total: THREE,
      items: [{ quantity: 3 }],
    })
    // The customer wanted five.
    await customer.call(reorder, { params: { id } })
    expect((await customer.call(getCart)).body.items).toMatchObject([{ productId: water, quantity: 5 }])
  })

  it('without a cash report collects the new total', async () => {
    const { driver, id } = await shipped()
    expect((await deliver(driver, id, { delivered: await part(id, 2) })).body).toMatchObject({ total: TWO })
    expect(await cashOf(id)).toEqual([4061])
  })

  it('with everything handed over is a usual delivery', async () => {
    const { driver, id } = await shipped()
    const { body } = await deliver(driver, id, { delivered: await part(id, 5) })
    expect(body).toMatchObject({ total: WHOLE, items: [{ quantity: 5, orderedQuantity: null }] })
    const fields = await shop.query(
      `select 1 from order_audit_history where order_id = $1 and field_changed in ('items', 'total')`,
      [id],
    )
    expect(fields).toEqual([])
  })
})

describe('a delivery of more than was ordered', () => {
  it('costs the order’s price for items and today’s for added products, in total, cash, paper and history', async () => {
    const { driver, office, customer, vendor, water, order, id } = await shipped()
    const juice = await makeProduct(shop, vendor, { price: 900, vatPercentage: 10 })
    await shop.query('update products set price = 2000 where id = $1', [water])
    // 7 cartons of 1.505, 2 of 0.900, VAT 1.054 + 0.180, fee 0.750.
    const TOTAL = 14.319
    const report = { delivered: await part(id, 7), added: [{ productId: juice, quantity: 2 }] }
    const { status, body } = await deliver(driver, id, { ...report, cash: { amount: TOTAL, key: newKey() } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: TOTAL, productVAT: 1.234, paymentStatus: 'paid', cashDue: 0 })
    expect(body.items).toMatchObject([
      { quantity: 7, orderedQuantity: 5 },
      { productId: juice, quantity: 2, orderedQuantity: 0, price: 0.9 },
    ])
    expect(await cashOf(id)).toEqual([14319])
    const found = await findReceiptOrder(shop.app, shop.catalogue.current(), id)
    const receipt = found && receiptDocument(found, { lang: 'en', size: 'a4' })
    expect(receipt?.lines.map(({ quantity }) => quantity)).toEqual(['7', '2'])
    expect(receipt?.total).toBe(formatMoney(fromBhd(TOTAL), 'en'))
    const entries = (await office.call(getTimeline, { params: { id } })).body
    expect(parseItemList(entries.find(({ field }) => field === 'items')?.to ?? null)).toMatchObject([
      { quantity: 7 },
      { quantity: 2 },
    ])
    // Repeated it is the same; without what was added it is another.
    expect((await deliver(driver, id, report)).body.version).toBe(body.version)
    expect((await deliver(driver, id, { delivered: report.delivered })).refusal.code).toBe('DELIVERED_OTHERWISE')
    const { body: run } = await driver.call(getRun, { params: { id: String(driver.id) } })
    expect(run.products.map((product) => product.id)).toContain(juice)
    const second = await order()
    await customer.call(reorder, { params: { id } })
    expect((await customer.call(getCart)).body.items).toMatchObject([
      { quantity: 5 },
      { productId: juice, quantity: 2 },
    ])

    const foreign = await makeProduct(shop, await makeVendor(shop))
    const add = (productId: number) => deliver(driver, second, { added: [{ productId, quantity: 1 }] })
    expect((await add(foreign)).refusal.code).toBe('VENDOR_MISMATCH')
    await shop.query('update products set is_active = false where id = $1', [juice])
    expect((await add(juice)).refusal.code).toBe('PRODUCT_UNAVAILABLE')
    expect(await stored(second)).toMatchObject({ status: 'shipped', quantity: 5, ordered: null })
  })

  it('that is taken back three times has the ordered items each time, and the cash that was paid stays', async () => {
    const { driver, vendor, id } = await shipped()
    const juice = await makeProduct(shop, vendor, { price: 900, vatPercentage: 0 })
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const itemId = await itemOf(id)
    for (const [round, quantity] of [7, 1, 0].entries()) {
      const report = { delivered: [{ itemId, quantity }], added: [{ productId: juice, quantity: quantity + 1 }] }
      const { body } = await deliver(driver, id, report)
      expect(body.items.map((item) => item.quantity)).toEqual([quantity, quantity + 1])
      expect(await soldOf(shop, id)).toEqual({ entries: 2 * round + 1, sum: Math.round(body.total * 1000) })
      const { body: again } = await owner.call(changeOrderStatus, { params: { id }, body: back })
      expect(again.items).toMatchObject([{ id: itemId, quantity: 5, orderedQuantity: null }])
      expect(again.total).toBe(WHOLE)
      expect(await soldOf(shop, id)).toEqual({ entries: 2 * round + 2, sum: 0 })
    }
  })

  it('of a paid order is due for what is more, and owed back for what is less', async () => {
    const { driver, office, order, id } = await shipped()
    for (const one of [id, await order()]) {
      await office.call(changePayment, { params: { id: one }, body: { paymentStatus: 'paid' } })
      const isMore = one === id
      const { body } = await deliver(driver, one, { delivered: await part(one, isMore ? 6 : 3) })
      const total = isMore ? 10.683 : THREE
      expect(body).toMatchObject({ total, paymentStatus: 'paid', amountPaid: isMore ? total : WHOLE, cashDue: 0 })
      expect(await cashOf(one)).toEqual(isMore ? [1655] : [])
      const { body: paid } = await office.call(listPayments, { params: { id: one } })
      expect(paid.due).toBe(isMore ? 0 : -3.311)
    }
  })
})

describe('a partial delivery is refused', () => {
  it('for nothing, unknown items, more than 100, another status and another driver, and changes nothing', async () => {
    const { driver, vendor, id, order } = await shipped()
    const other = await part(await order(), 1)
    const [itemId, stranger] = [await itemOf(id), await makeVisitor(shop, { role: 'driver', vendorId: vendor })]
    const refusal = async (by: Person, body: object) => {
      const answer = await deliver(by, id, body)
      const fields = Object.keys((answer.refusal.details['fields'] ?? {}) as object)
      return [answer.status, answer.refusal.code, ...fields].join(' ')
    }
    const cash = { amount: THREE, key: newKey() }
    expect(await refusal(driver, { delivered: [{ itemId, quantity: 0 }], cash })).toBe('422 NOTHING_DELIVERED')
    expect(await refusal(driver, { delivered: other, cash })).toBe('422 INVALID_BODY delivered.0.itemId')
    for (const quantity of [1.5, -1, 101])
      expect(await refusal(driver, { delivered: [{ itemId, quantity }] })).toBe('422 INVALID_BODY delivered.0.quantity')
    for (const field of ['delivered', 'added'])
      expect(await refusal(driver, { status: 'shipped', [field]: [] })).toBe(`422 INVALID_BODY ${field}`)
    expect(await refusal(stranger, { delivered: [{ itemId, quantity: 3 }] })).toBe('404 ORDER_NOT_FOUND')
    expect(await stored(id)).toEqual({ status: 'shipped', quantity: 5, ordered: null, total: 9028 })
    expect(await cashOf(id)).toEqual([])
  })

  it('for a cancelled order, and for an order that changed since it was seen', async () => {
    const { office, driver, order, id } = await shipped()
    // The item may be one that the office has removed.
    for (const delivered of [await part(id, 3), [{ itemId: 2_000_000_000, quantity: 3 }]])
      expect((await deliver(office, id, { delivered, version: 1 })).refusal.code).toBe('VERSION_CONFLICT')
    const gone = await order()
    await office.call(changeOrderStatus, { params: { id: gone }, body: { status: 'cancelled' } })
    const { refusal } = await deliver(driver, gone, { delivered: await part(gone, 3) })
    expect([refusal.code, refusal.details['from']]).toEqual(['ILLEGAL_TRANSITION', 'cancelled'])
    for (const one of [id, gone]) expect(await stored(one)).toMatchObject({ quantity: 5, ordered: null, total: 9028 })
  })
})

describe('a second report of a delivery', () => {
  it('that says the same changes nothing', async () => {
    const { driver, id } = await shipped()
    const report = { delivered: await part(id, 3), cash: { amount: THREE, key: newKey() } }
    const versions = []
    for (let times = 0; times < 3; times += 1) versions.push((await deliver(driver, id, report)).body.version)
    expect(new Set(versions).size).toBe(1)
    expect(await cashOf(id)).toEqual([5717])
  })

  it('with other quantities is refused with the recorded ones, and books no cash', async () => {
    const { driver, office, id } = await shipped()
    await deliver(office, id, { delivered: await part(id, 3), cashHeldBy: 'nobody' })
    for (const report of [{ delivered: await part(id, 2) }, {}]) {
      const cash = { amount: TWO, key: newKey() }
      const { status, refusal } = await deliver(driver, id, { ...report, cash })
      expect([status, refusal.code]).toEqual([409, 'DELIVERED_OTHERWISE'])
      expect(refusal.details['delivered']).toEqual(await part(id, 3))
    }
    expect(await stored(id)).toEqual({ status: 'delivered', quantity: 3, ordered: 5, total: 5717 })
    expect(await cashOf(id)).toEqual([])
  })

  it('of the driver after the office’s books the cash once if it says the same', async () => {
    const { driver, office, id } = await shipped()
    const delivered = await part(id, 3)
    const first = await deliver(office, id, { delivered, cashHeldBy: 'nobody' })
    expect(first.body).toMatchObject({ total: THREE, paymentStatus: 'unpaid' })
    for (let times = 0; times < 2; times += 1) {
      const { body } = await deliver(driver, id, { delivered, cash: { amount: THREE, key: newKey() } })
      expect(body).toMatchObject({ total: THREE, paymentStatus: 'paid' })
    }
    expect(await cashOf(id)).toEqual([5717])
  })

  it('at the same moment: one is recorded with its cash, the other is refused', async () => {
    const { driver, office, order } = await shipped()
    for (let round = 0; round < 5; round += 1) {
      const id = await order()
      const [three, two] = [await part(id, 3), await part(id, 2)]
      const answers = await Promise.all([
        deliver(driver, id, { delivered: three, cash: { amount: THREE, key: newKey() } }),
        deliver(office, id, { delivered: two, cashHeldBy: 'driver' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('DELIVERED_OTHERWISE')
      const row = await stored(id)
      expect(row?.total).toBe(row?.quantity === 3 ? 5717 : 4061)
      expect(await cashOf(id)).toEqual([row?.total])
    }
  })
})

describe('a partial delivery by the office', () => {
  it('books the new total where the office says the cash is', async () => {
    const { office, vendor, order, id } = await shipped()
    const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: vendor })
    const byStaff = await deliver(staff, id, { delivered: await part(id, 3), cashHeldBy: 'office' })
    expect(byStaff.body).toMatchObject({ total: THREE, paymentStatus: 'paid' })
    expect(await cashOf(id)).toEqual([])
    const second = await order()
    await deliver(office, second, { delivered: await part(second, 2), cashHeldBy: 'driver' })
    expect(await cashOf(second)).toEqual([4061])
  })
})

describe.each(['ar', 'en'] as const)('the customer of a partial delivery (%s)', (lang) => {
  it('is sent the delivered items and the new total', async () => {
    const { driver, customer, id } = await shipped()
    await shop.query('update users set language = $2 where phone = $1', [customer.phone, lang])
    await deliver(driver, id, { delivered: await part(id, 3) })
    const messageText = async () =>
      (await shop.visitor().call(listSimulatedMessages, { query: { phone: customer.phone } })).body
        .map(({ body }) => body)
        .find((text) => text.includes('3 × '))
    await until('the message', async () => (await messageText()) !== undefined)
    expect(await messageText()).toContain(formatMoney(fromBhd(THREE), lang))
  })
})

describe('a delivery that is taken back', () => {
  const ONE = 2.406
  async function ofToday() {
    const all = await shipped()
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    await shop.query(`update orders set promised_date = (now() at time zone 'Asia/Bahrain')::date where id = $1`, [
      all.id,
    ])
    const { office, driver, id } = all
    return {
      ...all,
      owner,
      takeBack: () => owner.call(changeOrderStatus, { params: { id }, body: back }),
      bulk: () =>
        office.call(changeManyOrders, {
          body: { ids: [id], status: 'delivered' as const, cashHeldBy: 'driver' as const },
        }),
      shown: async () => (await office.call(getAdminOrder, { params: { id } })).body,
      day: async () => (await office.call(getCash, { params: { id: String(driver.id) } })).body,
    }
  }

  it.each(['driver', 'office'] as const)(
    'after a part was paid to the %s is due for the rest alone, for driver, desk and command',
    async (holder) => {
      const { driver, office, id, takeBack, bulk, shown, day } = await ofToday()
      const first = await deliver(office, id, { delivered: await part(id, 1), cashHeldBy: holder })
      expect(first.body).toMatchObject({ total: ONE, paymentStatus: 'paid' })
      await takeBack()
      for (const paymentStatus of ['paid', 'unpaid'] as const)
        await office.call(changePayment, { params: { id }, body: { paymentStatus } })
      const open = { total: WHOLE, paymentStatus: 'unpaid', amountPaid: ONE, cashDue: 6.622 }
      expect(await shown()).toMatchObject(open)
      const { body } = await driver.call(getRun, { params: { id: String(driver.id) } })
      expect(body.stops[0]).toMatchObject({ cashToCollect: 6.622, amountPaid: ONE })
      expect((await bulk()).body.results[0]?.code).toBeNull()
      expect(await shown()).toMatchObject({ paymentStatus: 'paid', amountPaid: WHOLE, cashDue: 0 })
      const inHand = holder === 'driver' ? WHOLE : 6.622
      expect(await day()).toMatchObject({ expected: inHand, collected: inHand })
    },
  )

  it.each([1, 5])('after cash for %i of 5 was reported by mistake and corrected is due in full', async (quantity) => {
    const { owner, office, id, takeBack, shown } = await ofToday()
    const { body } = await deliver(office, id, { delivered: await part(id, quantity), cashHeldBy: 'driver' })
    const back = { means: 'cash', holder: 'driver', amount: -body.total, reason: 'Nothing was paid' } as const
    const booked = await owner.call(addPayment, { params: { id }, body: { ...back, key: newKey() } })
    expect(booked.status).toBe(200)
    await takeBack()
    expect(await shown()).toMatchObject({ paymentStatus: 'unpaid', amountPaid: 0, cashDue: WHOLE })
  })

  it('takes a corrected report, also under the key of the first; the first one again delivers nothing', async () => {
    const { driver, id, takeBack } = await ofToday()
    const key = newKey()
    const [row] = await shop.query<{ at: Date }>('select created_at as at from orders where id = $1', [id])
    const first = { cash: { amount: 9, key, at: row?.at.toISOString() } }
    await deliver(driver, id, first)
    await takeBack()
    expect((await deliver(driver, id, first)).body).toMatchObject({ status: 'shipped', cashDue: 0.028 })
    for (let times = 0; times < 2; times++)
      expect((await deliver(driver, id, { cash: { amount: 0.028, key } })).body).toMatchObject({
        status: 'delivered',
        paymentStatus: 'paid',
      })
    expect(await cashOf(id)).toEqual([9000, 28])
  })

  it('beside other deliveries is never paid twice', async () => {
    for (let round = 0; round < 5; round++) {
      const { driver, id, takeBack, bulk, shown } = await ofToday()
      await deliver(driver, id, { cash: { amount: 9, key: newKey() } })
      await Promise.all([takeBack(), deliver(driver, id, { cash: { amount: 0.028, key: newKey() } }), bulk()])
      const { amountPaid, cashDue } = await shown()
      const taken = (await cashOf(id)).reduce((sum, amount) => sum + amount, 0)
      expect(Math.round(amountPaid * 1000)).toBe(taken)
      expect(taken).toBe(cashDue === 0 ? 9028 : 9000)
    }
  })
})
