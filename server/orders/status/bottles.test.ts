import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { getRun } from '@qatra/contract/drivers'
import { getOrderBottles } from '@qatra/contract/my-bottles'
import { changeManyOrders, changeOrderStatus, changePayment } from '@qatra/contract/orders/admin'
import type { BottleCount } from '@qatra/contract/orders/bottles'
import { editItems } from '@qatra/contract/orders/editing'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { deliver, makeBottleCompany } from '../../test/fixtures/bottles.ts'
import { makeBottleType, makeOrder, makeVendor, makeVisitor, tomorrow } from '../../test/fixtures/make.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})
const today = bahrainDate(new Date())
type Person = Awaited<ReturnType<typeof makeVisitor>>

const company = () => makeBottleCompany(shop)
const takeBack = (by: Person, id: string) =>
  by.call(changeOrderStatus, { params: { id }, body: { status: 'shipped', notes: 'Wrong house' } })
const entriesOf = (id: string) =>
  shop.query<{ kind: string; count: number; due: number; delivery: number; day: string; notes: string | null }>(
    `select kind, amount::int as count, due::int, delivery, day::text, notes from ledger_entries
     where ledger = 'bottles' and order_id = $1 order by id`,
    [id],
  )
const itemOf = async (id: string) => {
  const [item] = await shop.query<{ id: number; empties: number; expected: number | null }>(
    'select id, empties, ordered_empties as expected from order_items where order_id = $1',
    [id],
  )
  return item
}
const countsOf = async (by: Person, id: string) => (await by.call(getOrderBottles, { params: { id } })).body

describe('bottles in a run', () => {
  it('are those of the items and those that the customer has, with the vendor’s way of a difference', async () => {
    const { driver, vendorId: vendor, order, typeId, ...home } = await company()
    const other = await makeBottleType(shop, vendor, { deposit: 1000 })
    const plain = await makeOrder(shop, {
      userId: home.customer.id,
      vendorId: vendor,
      status: 'shipped',
      assignedDriverId: driver.id,
    })
    const runOf = async () => {
      const { body } = await driver.call(getRun, { params: { id: String(driver.id) }, query: { date: tomorrow() } })
      const stops = body.stops.filter(({ status }) => status === 'shipped')
      const held = Object.fromEntries(
        stops.map(({ id, bottles }) => [id, bottles.map((one) => [one.typeId, one.held])]),
      )
      return {
        held,
        difference: body.bottleDifference,
        deposits: stops.flatMap(({ bottles }) => bottles.map(({ deposit }) => deposit)),
      }
    }
    const [id, next] = [await order(), await order()]
    expect(await runOf()).toEqual({
      held: { [plain]: [], [id]: [[typeId, 0]], [next]: [[typeId, 0]] },
      difference: 'at-once',
      deposits: [2, 2],
    })
    await deliver(driver, id, {
      bottles: [
        { typeId, returned: 1 },
        { typeId: other, returned: 2 },
      ],
    })
    expect((await runOf()).held).toEqual({ [plain]: [[typeId, 3]], [next]: [[typeId, 3]] })
  })
})

describe('bottles of a delivery', () => {
  it.each(['driver', 'office', 'bulk'] as const)('without a count came back as expected (%s)', async (way) => {
    const home = await company()
    const id = await home.order(4, 3)
    if (way === 'bulk') await home.office.call(changeManyOrders, { body: { ids: [id], status: 'delivered' } })
    else expect((await deliver(home[way], id)).body).toMatchObject({ status: 'delivered', deposit: 2, total: 9.1 })
    expect(await entriesOf(id)).toMatchObject([
      { kind: 'delivered', count: 4, due: 2000, delivery: 1, day: today, notes: null },
      { kind: 'returned', count: -3, due: 0, delivery: 1, day: today, notes: null },
    ])
    expect(await itemOf(id)).toMatchObject({ empties: 3, expected: null })
    expect(await home.held()).toEqual([[1, 2000]])
  })

  it('counted otherwise change items, deposit, total, cash and paper at once', async () => {
    const { driver, typeId, order, ...home } = await company()
    const id = await order()
    const { body } = await deliver(driver, id, { bottles: [{ typeId, returned: 3 }] })
    expect(body).toMatchObject({ paymentStatus: 'paid', subtotal: 6, deposit: 2, total: 9.1, due: 0 })
    expect(await itemOf(id)).toMatchObject({ empties: 3, expected: 4 })
    const [paper] = await shop.query<{ totals: object }>(
      `select bill->'totals' as totals from receipts where order_id = $1`,
      [id],
    )
    expect(paper?.totals).toMatchObject({ deposit: 2000, total: 9100 })
    expect(await home.held()).toEqual([[1, 2000]])
    const fields = await shop.query<{ field: string }>(
      `select field_changed as field from order_audit_history where order_id = $1 and field_changed in ('items', 'deposit', 'total') order by id`,
      [id],
    )
    expect(fields.map(({ field }) => field)).toEqual(['deposit', 'total'])
  })

  it('counted otherwise are owed where the vendor says so, or the order was paid before', async () => {
    for (const how of ['owed', 'paid'] as const) {
      const { driver, office, vendorId: vendor, typeId, order, ...home } = await company()
      const id = await order()
      if (how === 'owed')
        await office.call(saveBusiness, {
          params: { id: String(vendor) },
          body: { bottleDifference: 'owed', version: 1 },
        })
      else await office.call(changePayment, { params: { id }, body: { paymentStatus: 'paid' } })
      const { body } = await deliver(driver, id, { bottles: [{ typeId, returned: 1 }] })
      expect(body).toMatchObject({ deposit: 0, total: 7.1, due: 0 })
      expect(await itemOf(id)).toMatchObject({ empties: 4, expected: null })
      expect(await home.held()).toEqual([[3, 0]])
    }
  })

  it('that came back beyond what was handed over change the balance alone; broken and foreign ones give nothing', async () => {
    const { driver, typeId, order, ...home } = await company()
    const id = await order(2)
    const { body } = await deliver(driver, id, { bottles: [{ typeId, returned: 5, broken: 1, foreign: 2 }] })
    expect(body).toMatchObject({ deposit: 0, total: 3.8 })
    expect(await entriesOf(id)).toMatchObject([{ count: 2 }, { count: -5, notes: 'broken=1 foreign=2' }])
    expect(await home.held()).toEqual([[-3, 0]])
  })

  it('of another type of the vendor come back without a line', async () => {
    const { driver, vendorId: vendor, order, ...home } = await company()
    const other = await makeBottleType(shop, vendor, { deposit: 1000 })
    const id = await order()
    await deliver(driver, id, { bottles: [{ typeId: other, returned: 2 }] })
    expect(await home.held()).toEqual([
      [0, 0],
      [-2, 0],
    ])
  })

  it('are expected for fewer bottles if fewer were handed over', async () => {
    const { driver, order, ...home } = await company()
    const id = await order()
    const { id: itemId } = (await itemOf(id)) ?? { id: 0 }
    const { body } = await deliver(driver, id, { delivered: [{ itemId, quantity: 3 }], version: 1 })
    expect(body).toMatchObject({ deposit: 0, total: 5.45 })
    expect(await itemOf(id)).toMatchObject({ empties: 3, expected: 4 })
    expect(await home.held()).toEqual([[0, 0]])
    await deliver(driver, id, { delivered: [{ itemId, quantity: 3 }] })
    expect(await entriesOf(id)).toHaveLength(2)
  })

  it('are posted once by a repeated report; another count is refused', async () => {
    const { driver, office, typeId, order, ...home } = await company()
    const id = await order()
    const bottles = [{ typeId, returned: 3 }]
    const cash = { amount: 9.1, key: 'bottle-cash-1' }
    const answers = await Promise.all([1, 2, 3].map(() => deliver(driver, id, { bottles, cash })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await home.held()).toEqual([[1, 2000]])
    for (const other of [undefined, [{ typeId, returned: 4 }], [{ typeId, returned: 0 }]])
      for (const by of [driver, office]) {
        const { status, refusal } = await deliver(by, id, { bottles: other })
        expect([status, refusal.code]).toEqual([409, 'DELIVERED_OTHERWISE'])
        expect(refusal.details).toMatchObject({ bottles: [{ typeId, returned: 3 }] })
      }
    expect(await entriesOf(id)).toHaveLength(2)
  })

  it('are taken back by the opposite entries, and expected again at the next delivery', async () => {
    const { driver, office, typeId, order, ...home } = await company()
    const id = await order(4, 2)
    await deliver(driver, id, { bottles: [{ typeId, returned: 4 }] })
    expect(await home.held()).toEqual([[0, 0]])
    expect((await takeBack(office, id)).body).toMatchObject({ deposit: 4, total: 11.1, paymentStatus: 'unpaid' })
    expect(await home.held()).toEqual([[0, 0]])
    expect(await itemOf(id)).toMatchObject({ empties: 2, expected: null })
    await deliver(driver, id)
    expect(await home.held()).toEqual([[2, 4000]])
    expect((await entriesOf(id)).map(({ kind, count, due, delivery }) => [kind, count, due, delivery])).toEqual([
      ['delivered', 4, 0, 1],
      ['returned', -4, 0, 1],
      ['delivered', -4, 0, 1],
      ['returned', 4, 0, 1],
      ['delivered', 4, 4000, 2],
      ['returned', -2, 0, 2],
    ])
    await takeBack(office, id)
    expect(await home.held()).toEqual([[0, 0]])
  })

  it('that are reported after the day was closed count on the next open day', async () => {
    const { driver, office, vendorId: vendor, typeId, order, ...home } = await company()
    const id = await order()
    await shop.query(`update orders set created_at = now() - interval '2 days' where id = $1`, [id])
    const yesterday = addDays(today, -1)
    await shop.query('insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, $3, now())', [
      vendor,
      yesterday,
      office.id,
    ])
    const cash = { amount: 9.1, key: 'bottle-cash-2', at: `${yesterday}T09:00:00.000Z` }
    await deliver(driver, id, { bottles: [{ typeId, returned: 3 }], cash })
    expect((await entriesOf(id)).map(({ day }) => day)).toEqual([today, today])
    expect(await home.held()).toEqual([[1, 2000]])
  })

  it('are those of the order whatever becomes of product, type and switch before it is delivered', async () => {
    for (const [text, of] of [
      [
        `update products p set bottle_terms = 'sold', bottle_type_id = t.id from bottle_types t where t.vendor_id = $1 and p.vendor_id = $1`,
        'vendorId',
      ],
      [`update products set bottle_type_id = null, bottle_terms = null where vendor_id = $1`, 'vendorId'],
      [`update bottle_types set is_active = false, deposit = 9000 where id = $1`, 'typeId'],
      [`update vendor_business set bottles = false where vendor_id = $1`, 'vendorId'],
    ] as const) {
      const { driver, order, ...home } = await company()
      const { typeId } = home
      const id = await order(4, 3)
      await shop.query(text, [home[of]])
      await shop.catalogue.reload()
      const { body: run } = await driver.call(getRun, {
        params: { id: String(driver.id) },
        query: { date: tomorrow() },
      })
      expect(run.stops[0]).toMatchObject({ items: [{ bottleTypeId: typeId, bottleDeposit: 2, empties: 3 }] })
      expect(run.stops[0]?.bottles).toMatchObject([{ typeId, held: 0 }])
      const { body } = await deliver(driver, id, { bottles: [{ typeId, returned: 2 }] })
      expect(body).toMatchObject({ deposit: 4, total: 11.1 })
      expect(await home.held()).toEqual([[2, 4000]])
      await takeBack(home.office, id)
      expect(await home.held()).toEqual([[0, 0]])
    }
  })

  it('of one customer at two addresses are counted at each, and known at both doors', async () => {
    const { driver, typeId, order, ...home } = await company()
    const [villa, shopDoor] = [await order(4, 1), await order(2, 0)]
    const [first, second] = await Promise.all(
      [villa, shopDoor].map(async (id, at) => {
        const address = `House ${at}`
        await shop.query('update orders set address = $2 where id = $1', [id, address])
        const [saved] = await shop.query<{ id: number }>(
          `insert into addresses (user_id, label, address, lat, lng)
           select user_id, $2, address, lat, lng from orders where id = $1 returning id`,
          [id, address],
        )
        return saved?.id ?? 0
      }),
    )
    await deliver(driver, villa, { bottles: [{ typeId, returned: 1 }] })
    const { body } = await driver.call(getRun, { params: { id: String(driver.id) }, query: { date: tomorrow() } })
    expect(body.stops.find(({ id }) => id === shopDoor)?.bottles).toMatchObject([{ typeId, held: 3 }])
    await deliver(driver, shopDoor, { bottles: [{ typeId, returned: 4 }] })
    const at = await shop.query('select address_id as id, count from bottle_balances where customer_id = $1', [
      home.customer.id,
    ])
    expect(at).toEqual(
      expect.arrayContaining([
        { id: first, count: 3 },
        { id: second, count: -2 },
      ]),
    )
    expect(await home.held()).toEqual([[1, 6000]])
  })

  it('are expected as the order was last edited', async () => {
    const { driver, office, vendorId: vendor, typeId, order, ...home } = await company()
    const id = await order()
    await shop.query(`update orders set status = 'new' where id = $1`, [id])
    const [product] = await shop.query<{ id: number }>('select id from products where vendor_id = $1', [vendor])
    const edited = await office.call(editItems, {
      params: { id },
      body: { items: [{ productId: product?.id ?? 0, quantity: 5, empties: 2 }], version: 1 },
    })
    expect(edited.body).toMatchObject({ deposit: 6 })
    await shop.query(`update orders set status = 'shipped' where id = $1`, [id])
    expect(await countsOf(home.customer, id)).toMatchObject([{ typeId, expected: 2, returned: null, by: null }])
    await deliver(driver, id)
    expect(await home.held()).toEqual([[3, 6000]])
  })

  it('counted otherwise are shown to the customer and on paper, with who counted and what followed', async () => {
    const { driver, office, vendorId: vendor, typeId, order, ...home } = await company()
    await shop.query(`update users set name = 'Bilal Hussain' where id = $1`, [driver.id])
    const id = await order()
    await deliver(driver, id, { bottles: [{ typeId, returned: 3, broken: 1 }] })
    const count = { typeId, expected: 4, returned: 3, broken: 1, foreign: 0, charged: 2, credit: 0 }
    const by = { isDriver: true, firstName: 'Bilal' }
    expect(await countsOf(home.customer, id)).toMatchObject([{ ...count, by, at: expect.any(String) }])
    const [paper] = await shop.query<{ bottles: object }>(
      `select bill->'bottles' as bottles from receipts where order_id = $1`,
      [id],
    )
    expect(paper?.bottles).toMatchObject([{ ...count, by: { isDriver: true, firstName: null } }])
    await takeBack(office, id)
    expect(await countsOf(home.customer, id)).toMatchObject([{ expected: 4, returned: null, charged: 0, by: null }])
    await shop.query(`update vendor_business set bottle_difference = 'owed' where vendor_id = $1`, [vendor])
    await deliver(office, id, { bottles: [{ typeId, returned: 6 }] })
    expect(await countsOf(home.customer, id)).toMatchObject([
      { expected: 4, returned: 6, charged: 0, credit: 4, by: { isDriver: false, firstName: null } },
    ])
    expect((await home.customer.call(getOrderBottles, { params: { id: await order() } })).status).toBe(200)
    const foreign = await (await makeVisitor(shop)).call(getOrderBottles, { params: { id } })
    expect(foreign.refusal.code).toBe('ORDER_NOT_FOUND')
  })

  it('of a test order leave with it', async () => {
    for (const before of [0, 2]) {
      const { driver, order, ...home } = await company()
      if (before > 0) await deliver(driver, await order(before, 1))
      await deliver(driver, await order(4, 1, true), { bottles: [] })
      expect(await home.held()).toEqual(before > 0 ? [[4, 8000]] : [[3, 6000]])
      await shop.query('select delete_test_orders()')
      expect(await home.held()).toEqual(before > 0 ? [[1, 2000]] : [])
    }
  })

  it('are refused for other types, twice, as negative counts, and without a delivery', async () => {
    const { driver, office, typeId, order } = await company()
    const id = await order()
    const foreign = await makeBottleType(shop, await makeVendor(shop))
    const refused = async (bottles: BottleCount[], status = 'delivered') => {
      const { refusal } = await office.call(changeOrderStatus, { params: { id }, body: { status, bottles } as never })
      return [refusal.code, ...Object.keys((refusal.details.fields ?? {}) as object)]
    }
    expect(
      await refused([
        { typeId, returned: 1 },
        { typeId: foreign, returned: 1 },
      ]),
    ).toEqual(['INVALID_BODY', 'bottles.1.typeId'])
    expect(
      await refused([
        { typeId, returned: 1 },
        { typeId, returned: 1 },
      ]),
    ).toEqual(['INVALID_BODY', 'bottles.1.typeId'])
    expect(await refused([{ typeId, returned: -1 }])).toEqual(['INVALID_BODY', 'bottles.0.returned'])
    expect(await refused([{ typeId, returned: 1 }], 'in-progress')).toEqual(['INVALID_BODY', 'bottles'])
    expect(await entriesOf(id)).toEqual([])
    expect((await deliver(driver, id)).status).toBe(200)
  })
})
