import { getOrder } from '@qatra/contract/orders/orders'
import { findSalesCustomer, getSalesOrder, listSalesDays, listSalesOrders } from '@qatra/contract/sales'
import { describe, expect, it } from 'vitest'
import { startShop } from '../../test/app.ts'
import { newPhone, signInByCode } from '../../test/fixtures/codes.ts'
import { makeOrder, makeProduct, makeUser, makeVisitor } from '../../test/fixtures/make.ts'
import { openSalesDesk } from '../../test/fixtures/sales-desk.ts'

const shop = await startShop({ databasePoolSize: 10 })
const { vendor, other, water, gallon, foreign, areaId, point, agent, boss, saleInput, sell, history, expectRefusal } =
  await openSalesDesk(shop)

describe('a phone order', () => {
  it("belongs to the customer, names the agent, and has the shop's prices, fee and promise", async () => {
    const body = saleInput({
      items: [
        { productId: water, quantity: 3 },
        { productId: gallon, quantity: 1 },
      ],
    })
    const { status, body: placed } = await sell(body)
    expect(status).toBe(200)
    expect(placed).toMatchObject({
      vendorId: vendor,
      status: 'new',
      paymentStatus: 'pending',
      paymentMethod: 'cash',
      subtotal: 5.415,
      deliveryFee: 2.5,
      // 4515 × 10 % rounded half up
      productVAT: 0.452,
      total: 8.367,
      placedBy: agent.id,
      phone: body.phone,
      customerName: 'Maryam Ali',
      areaId: areaId,
      minimumLeft: 0,
    })
    const [user] = await shop.query(
      'select u.*, a.address, a.lat from users u join addresses a on a.user_id = u.id and a.is_default where u.phone = $1',
      [body.phone],
    )
    expect(user).toMatchObject({ id: placed.userId, name: 'Maryam Ali', role: 'customer', is_verified: false })
    expect(user).toMatchObject({ address: body.address, lat: point.lat, created_by: agent.id, vendor_id: null })
    expect(await history(placed.id)).toEqual([
      {
        action: 'created',
        changed_by: agent.id,
        on_behalf_of: placed.userId,
        field_changed: 'status',
        old_value: null,
        new_value: 'new',
        notes: null,
      },
    ])
    const customer = await signInByCode(shop, body.phone)
    expect((await customer.call(getOrder, { params: { id: placed.id } })).body.total).toBe(8.367)
  })

  it('notifies only a customer whose phone is verified', async () => {
    const phone = newPhone()
    await signInByCode(shop, phone)
    const { body: notified } = await sell(saleInput({ phone }))
    const { body: unnotified } = await sell(saleInput())
    const messages = (id: string) =>
      shop.query('select to_number from whatsapp_messages where dedupe_key = $1', [`order:${id}:1`])
    await expect.poll(() => messages(notified.id)).toEqual([{ to_number: phone }])
    expect(await messages(unnotified.id)).toEqual([])
  })

  it("finds the customer for every spelling of the number, and keeps the customer's own data", async () => {
    const { id, phone } = await makeUser(shop)
    await shop.query(`update users set name = 'Own Name' where id = $1`, [id])
    await shop.query(`insert into addresses (user_id, address, is_default) values ($1, 'Own address 12, Seef', true)`, [
      id,
    ])
    const local = phone.slice(4)
    for (const typed of [
      phone,
      local,
      `00973 ${local}`,
      `973-${local}`,
      local.replace(/\d/g, (d) => '٠١٢٣٤٥٦٧٨٩'[Number(d)] ?? d),
    ]) {
      const { body } = await sell(saleInput({ phone: typed }))
      expect(body).toMatchObject({ userId: id, phone, customerName: 'Maryam Ali' })
      expect((await agent.call(findSalesCustomer, { query: { phone: typed } })).body.id).toBe(id)
    }
    const rows = await shop.query(
      'select u.name, a.address from users u join addresses a on a.user_id = u.id where u.id = $1',
      [id],
    )
    expect(rows).toEqual([{ name: 'Own Name', address: 'Own address 12, Seef' }])
  })

  it('fills in missing data of a customer, and never changes staff', async () => {
    const [customer, driver] = [await makeUser(shop), await makeUser(shop, { role: 'driver', vendorId: vendor })]
    await sell(saleInput({ phone: customer.phone }))
    await sell(saleInput({ phone: driver.phone }))
    const rows = await shop.query(
      `select u.id, u.name, a.address, u.role from users u left join addresses a on a.user_id = u.id and a.is_default
       where u.id = any($1) order by u.id`,
      [[customer.id, driver.id]],
    )
    expect(rows).toEqual([
      { id: customer.id, name: 'Maryam Ali', address: 'House 12, Road 34, Block 567', role: 'customer' },
      { id: driver.id, name: null, address: null, role: 'driver' },
    ])
  })

  it('creates one account for concurrent orders of one new number', async () => {
    const phone = newPhone()
    const answers = await Promise.all(Array.from({ length: 8 }, () => sell(saleInput({ phone }))))
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map((answer) => answer.body.userId)).size).toBe(1)
  })

  it('warns below the minimum without enforcing it', async () => {
    const { status, body } = await sell(saleInput({ items: [{ productId: gallon, quantity: 1 }], deliveryFee: 0 }))
    expect([status, body.minimumLeft, body.deliveryFee, body.total]).toEqual([200, 4.1, 0, 0.9])
    expect((await history(body.id)).slice(1)).toMatchObject([
      { field_changed: 'deliveryFee', old_value: '0.75', new_value: '0', changed_by: agent.id },
    ])
  })

  it('has 100 lines at most', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, () => makeProduct(shop, vendor, { price: 10_000_000 })))
    const items = ids.map((productId) => ({ productId, quantity: 100 }))
    const { status, body } = await sell(saleInput({ items }))
    expect([status, body.items.length, body.subtotal]).toEqual([200, 100, 100_000_000])
    await expectRefusal(saleInput({ items: [...items, { productId: water, quantity: 1 }] }), 422, 'INVALID_BODY')
  })
})

describe('a custom price', () => {
  it('is charged, stored with its reason, in the history with both values; the customer sees only the price', async () => {
    const phone = newPhone()
    const { body } = await sell(
      saleInput({ phone, items: [{ productId: water, quantity: 10, customPrice: 1.2, reason: 'Mosque' }] }),
    )
    expect(body).toMatchObject({ subtotal: 12, productVAT: 1.2, total: 15.7 })
    expect(body.items).toMatchObject([{ price: 1.2, listPrice: 1.505, priceReason: 'Mosque' }])
    expect((await history(body.id)).slice(1)).toEqual([
      {
        action: 'updated',
        changed_by: agent.id,
        on_behalf_of: body.userId,
        field_changed: `items.${water}.price`,
        old_value: '1.505',
        new_value: '1.2',
        notes: 'Mosque',
      },
    ])
    const customer = await signInByCode(shop, phone)
    const seen = (await customer.call(getOrder, { params: { id: body.id } })).body
    expect(seen.items[0]).toMatchObject({ price: 1.2 })
    expect(seen).toMatchObject({ placedBy: null, assignedDriverId: null, syncStatus: null, syncErrors: null })
    expect(JSON.stringify(seen)).not.toMatch(/Mosque|listPrice|1\.505/)
  })

  it('equal to the price is not stored', async () => {
    const { body } = await sell(
      saleInput({ items: [{ productId: water, quantity: 1, customPrice: 1.505, reason: 'x' }] }),
    )
    expect(body.items).toMatchObject([{ price: 1.505, listPrice: null, priceReason: null }])
    expect(await history(body.id)).toHaveLength(1)
  })

  it.each([0, -1, 0.0001, 1.2345, 10_000.001, 1e15, Number.NaN, '1.2', true])(
    'of %j is refused',
    async (customPrice) => {
      const items = [{ productId: water, quantity: 1, customPrice }]
      if (Number.isNaN(customPrice)) return expect((await sell(saleInput({ items }))).status).toBe(200) // JSON has no NaN: null
      const { details } = await expectRefusal(saleInput({ items }), 422, 'INVALID_BODY')
      expect(Object.keys(details.fields ?? {})).toEqual(['items.0.customPrice'])
    },
  )

  it.each([0.001, 10_000])('of %j is accepted', async (customPrice) => {
    const { body } = await sell(saleInput({ items: [{ productId: water, quantity: 1, customPrice }] }))
    expect(body.items).toMatchObject([{ price: customPrice, listPrice: 1.505, priceReason: null }])
  })

  it("of another vendor's product is refused by line", async () => {
    const items = [
      { productId: water, quantity: 1 },
      { productId: foreign, quantity: 1, customPrice: 0.1 },
    ]
    const { details } = await expectRefusal(saleInput({ items }), 422, 'VENDOR_MISMATCH')
    expect(Object.keys(details.fields ?? {})).toEqual(['items.1.productId'])
  })
})

describe('a super admin', () => {
  it('sells for the vendor of the items, all of one', async () => {
    const owner = await makeVisitor(shop, { role: 'super_admin' })
    const { body } = await sell(saleInput(), owner)
    expect([body.vendorId, body.placedBy]).toEqual([vendor, owner.id])
    const mixed = [
      { productId: water, quantity: 1 },
      { productId: foreign, quantity: 1 },
    ]
    await expectRefusal(saleInput({ items: mixed }), 422, 'VENDOR_MISMATCH', owner)
    await expectRefusal(saleInput({ vendorId: other }), 422, 'VENDOR_MISMATCH', owner)
  })

  it('who impersonates an agent is in the history beside the agent', async () => {
    const [owner, seller] = [
      await makeUser(shop, { role: 'super_admin' }),
      await makeVisitor(shop, { role: 'vendor_sales', vendorId: vendor }),
    ]
    await shop.query('update sessions set impersonator_id = $1 where user_id = $2', [owner.id, seller.id])
    const { body } = await sell(saleInput(), seller)
    expect(body.placedBy).toBe(seller.id)
    expect(await history(body.id)).toMatchObject([{ changed_by: owner.id, on_behalf_of: seller.id }])
  })
})

describe('an Idempotency-Key', () => {
  it('creates one order for 20 concurrent requests; a refusal releases it, another body is refused', async () => {
    const key = { 'idempotency-key': 'call-1' }
    const body = saleInput()
    expect((await sell({ ...body, items: [] }, agent, key)).status).toBe(422)
    const answers = await Promise.all(Array.from({ length: 20 }, () => sell(body, agent, key)))
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    const rows = await shop.query('select id from orders where phone = $1', [body.phone])
    expect(rows).toHaveLength(1)
    const changed = await sell({ ...body, deliveryFee: 1 }, agent, key)
    expect([changed.status, changed.refusal.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    // Keys belong to a person; without a key two requests are two orders.
    expect((await sell(body, boss, key)).body.id).not.toBe(rows[0]?.['id'])
    await Promise.all([sell(body), sell(body)])
    expect(await shop.query('select id from orders where phone = $1', [body.phone])).toHaveLength(4)
  })
})

describe('the lists', () => {
  it("show an agent the own orders, an admin the vendor's, and nobody the shop's own orders", async () => {
    const [one, two] = [
      await makeVisitor(shop, { role: 'vendor_sales', vendorId: vendor }),
      await makeVisitor(shop, { role: 'vendor_sales', vendorId: vendor }),
    ]
    const stranger = await makeVisitor(shop, { role: 'vendor_admin', vendorId: other })
    const { body: first } = await sell(saleInput(), one)
    const { body: second } = await sell(saleInput(), one)
    const { body: theirs } = await sell(saleInput(), two)
    const ofShop = await makeOrder(shop, { userId: one.id, vendorId: vendor })
    const list = (await one.call(listSalesOrders, { query: { limit: 1 } })).body
    expect(list).toMatchObject({ total: 2, page: 1, limit: 1, items: [{ id: second.id }] })
    expect((await one.call(listSalesDays)).body).toMatchObject([{ orders: 2, total: first.total + second.total }])
    const read = async (by: typeof one, id: string) => (await by.call(getSalesOrder, { params: { id } })).status
    expect([await read(one, first.id), await read(one, theirs.id), await read(boss, theirs.id)]).toEqual([
      200, 404, 200,
    ])
    const superAdmin = await makeVisitor(shop, { role: 'super_admin' })
    for (const by of [one, boss, superAdmin]) expect(await read(by, ofShop)).toBe(404)
    expect([await read(stranger, first.id), (await stranger.call(listSalesOrders)).body.total]).toEqual([404, 0])
  })
})

describe('looking up a phone', () => {
  it("finds only the vendor's customers for its staff, with data of the vendor's orders", async () => {
    const { id, phone } = await makeUser(shop)
    await shop.query(`update users set name = 'Noura' where id = $1`, [id])
    await shop.query(
      `insert into addresses (user_id, address, lat, lng, is_default) values ($1, 'Profile address 1', 26.2, 50.5, true)`,
      [id],
    )
    const elsewhere = await makeOrder(shop, { userId: id, vendorId: other })
    await shop.query(`update orders set address = 'Canary Villa 9', lat = 26.21 where id = $1`, [elsewhere])
    expect((await agent.call(findSalesCustomer, { query: { phone } })).status).toBe(404)
    const market = await makeVisitor(shop, { role: 'super_admin' })
    expect((await market.call(findSalesCustomer, { query: { phone } })).body).toMatchObject({ id, name: 'Noura' })
    const { body: placed } = await sell(saleInput({ phone }))
    const known = (await agent.call(findSalesCustomer, { query: { phone } })).body
    expect(known).toMatchObject({ orderCount: 1, address: placed.address, mapCoordinates: point })
    expect(JSON.stringify(known)).not.toContain('Canary')
    // The name entered in the order, not the account's name.
    expect(known.name).toBe(placed.customerName)
    expect(known.lastOrder?.items).toMatchObject([{ productId: water, quantity: 2 }])
  })

  it("returns the same response for unknown phones, other vendors' customers, staff and super admins", async () => {
    const people = [
      { phone: newPhone() },
      await makeUser(shop),
      await makeUser(shop, { role: 'vendor_admin', vendorId: other }),
      await makeUser(shop, { role: 'driver', vendorId: vendor }),
      await makeUser(shop, { role: 'super_admin' }),
    ]
    await shop.query(`update users set name = 'Canary' where phone = any($1)`, [people.map(({ phone }) => phone)])
    const [, , , driver] = people
    await sell(saleInput({ phone: driver?.phone ?? '' }))
    const answers: string[] = []
    for (const { phone } of people) {
      const { status, body } = await agent.call(findSalesCustomer, { query: { phone } })
      answers.push(`${status} ${JSON.stringify(body)}`)
    }
    expect([...new Set(answers)]).toEqual([expect.stringContaining('404 {"code":"CUSTOMER_NOT_FOUND"')])
  })

  it('returns 404 for an unknown and 400 for an invalid number', async () => {
    const { status, refusal } = await agent.call(findSalesCustomer, { query: { phone: newPhone() } })
    expect([status, refusal.code]).toEqual([404, 'CUSTOMER_NOT_FOUND'])
    expect((await agent.call(findSalesCustomer, { query: { phone: '12' } })).status).toBe(400)
  })
})
