import { addToCart } from '@qatra/contract/cart/cart'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { changeOrderStatus, changePayment, getAdminOrder } from '@qatra/contract/orders/admin'
import { changeAddress } from '@qatra/contract/orders/delivery'
import { editItems, editMyAddress, editMyItems } from '@qatra/contract/orders/editing'
import { parseItemList } from '@qatra/contract/orders/history'
import { cancelOrder, getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { placeSalesOrder } from '@qatra/contract/sales'
import { beforeAll, describe, expect, it } from 'vitest'
import { listSimulatedMessages } from '../../../demo/contract/simulator.ts'
import { startShop, type TestShop } from '../../test/app.ts'
import { until } from '../../test/fixtures/codes.ts'
import { makeHousehold, makeProduct, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { runDelayedJobs } from '../../test/jobs.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

async function withStaff() {
  const home = await makeHousehold(shop)
  return { ...home, office: await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor }) }
}
type Home = Awaited<ReturnType<typeof withStaff>>
type Items = { productId: number; quantity: number }[]

const edit = (
  by: Home['customer'],
  id: string,
  items: Items,
  more: { version?: number; expectedTotal?: number } = {},
) => by.call(editMyItems, { params: { id }, body: { items, version: 1, ...more } })
const editByStaff = (by: Home['office'], id: string, items: Items, version = 1) =>
  by.call(editItems, { params: { id }, body: { items, version } })
const setStatus = (by: Home['office'], id: string, status: 'in-progress' | 'shipped' | 'delivered') =>
  by.call(changeOrderStatus, { params: { id }, body: { status } })
const editsOf = (id: string) =>
  shop.query<{ field: string; from: string; to: string; by: number }>(
    `select field_changed as field, old_value as from, new_value as to, changed_by as by from order_audit_history
     where order_id = $1 and field_changed in ('items', 'total') order by id`,
    [id],
  )
/** Sums of the stored lines, to compare with the stored totals. */
const stored = async (id: string) => {
  const [row] = await shop.query<{ status: string; version: number; subtotal: number; lines: number; total: number }>(
    `select status, version, subtotal::integer, total::integer,
       (select sum(price * quantity)::integer from order_items where order_id = $1) as lines from orders where id = $1`,
    [id],
  )
  return row
}

describe('a customer who edits the items of an own order', () => {
  it('keeps the price of items that stay and pays today’s price for new ones', async () => {
    const { customer, water, gallon, order } = await withStaff()
    const id = await order(3)
    await shop.query('update products set price = 9999 where id = $1', [water])
    await shop.catalogue.reload()
    const { status, body } = await edit(customer, id, [
      { productId: water, quantity: 2 },
      { productId: gallon, quantity: 1 },
    ])
    expect(status).toBe(200)
    // 2 × 1.505 + 0.900, VAT of 10 % of the water, fee 0.750.
    expect(body).toMatchObject({ subtotal: 3.91, productVAT: 0.301, deliveryFee: 0.75, total: 4.961, version: 2 })
    expect(body.items.map(({ productId, quantity, price }) => [productId, quantity, price])).toEqual([
      [water, 2, 1.505],
      [gallon, 1, 0.9],
    ])
    const [items, total] = await editsOf(id)
    expect(parseItemList(items?.from ?? null)).toMatchObject([{ quantity: 3 }])
    expect(parseItemList(items?.to ?? null)).toMatchObject([{ quantity: 2 }, { quantity: 1 }])
    expect(total).toEqual({ field: 'total', from: '5.717', to: '4.961', by: customer.id })
  })

  it('can replace all items', async () => {
    const { customer, gallon, order } = await withStaff()
    const id = await order()
    const { body } = await edit(customer, id, [{ productId: gallon, quantity: 4 }])
    expect(body.items).toMatchObject([{ productId: gallon, quantity: 4, price: 0.9 }])
    expect(body.total).toBe(4.35)
  })

  it('who repeats a request changes nothing more', async () => {
    const { customer, water, order } = await withStaff()
    const id = await order()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => edit(customer, id, [{ productId: water, quantity: 5 }])),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await editsOf(id)).toHaveLength(2)
    expect((await stored(id))?.version).toBe(2)
  })

  it('is refused below the minimum, for an empty order and above the shown total, and nothing changes', async () => {
    const { customer, water, order } = await withStaff()
    const id = await order()
    const codes = [
      (await edit(customer, id, [{ productId: water, quantity: 1 }])).refusal.code,
      (await edit(customer, id, [])).refusal.code,
      (await edit(customer, id, [{ productId: water, quantity: 4 }], { expectedTotal: 7 })).refusal.code,
      (
        await edit(customer, id, [
          { productId: water, quantity: 4 },
          { productId: water, quantity: 5 },
        ])
      ).refusal.code,
    ]
    expect(codes).toEqual(['MINIMUM_NOT_MET', 'ORDER_EMPTY', 'PRICE_CHANGED', 'INVALID_BODY'])
    expect(await stored(id)).toMatchObject({ version: 1, subtotal: 4515, lines: 4515 })
    expect((await edit(customer, id, [{ productId: water, quantity: 4 }], { expectedTotal: 7.372 })).status).toBe(200)
  })

  it('can order less of a product that is no longer sold, but not more of it', async () => {
    const { customer, water, order } = await withStaff()
    const id = await order(4)
    await shop.query('update products set is_active = false where id = $1', [water])
    await shop.catalogue.reload()
    const more = await edit(customer, id, [{ productId: water, quantity: 5 }])
    expect([more.status, more.refusal.code]).toEqual([409, 'PRODUCT_UNAVAILABLE'])
    expect((await edit(customer, id, [{ productId: water, quantity: 3 }])).body.subtotal).toBe(4.515)
  })

  it('is refused for products of another vendor and unknown ones', async () => {
    const { customer, water, order } = await withStaff()
    const foreign = await makeProduct(shop, await makeVendor(shop))
    const id = await order()
    const keep = { productId: water, quantity: 3 }
    expect((await edit(customer, id, [keep, { productId: foreign, quantity: 1 }])).refusal.code).toBe('VENDOR_MISMATCH')
    expect((await edit(customer, id, [keep, { productId: 999_999, quantity: 1 }])).refusal.code).toBe('INVALID_BODY')
  })

  it('is refused once the order is shipped, paid, cancelled or older than an hour, and for a foreign one', async () => {
    const { office, customer, water, order } = await withStaff()
    const items = [{ productId: water, quantity: 5 }]
    const [shipped, paid, cancelled, old] = [await order(), await order(), await order(), await order()]
    await setStatus(office, shipped, 'shipped')
    await office.call(changePayment, { params: { id: paid }, body: { paymentStatus: 'paid' } })
    await customer.call(cancelOrder, { params: { id: cancelled }, body: {} })
    await shop.query(`update orders set created_at = now() - interval '61 minutes' where id = $1`, [old])
    for (const id of [shipped, paid, cancelled, old]) {
      const { status, refusal } = await edit(customer, id, items, { version: 2 })
      expect([status, refusal.code]).toEqual([409, 'EDIT_CLOSED'])
      expect((await customer.call(getOrder, { params: { id } })).body.can.items).toBe(false)
    }
    const fresh = await order()
    expect((await edit(await makeVisitor(shop), fresh, items)).status).toBe(404)
    expect((await customer.call(getOrder, { params: { id: fresh } })).body.can.items).toBe(true)
  })
})

describe('the office', () => {
  it('edits until the order is shipped, also after the hour, and agreed prices stay', async () => {
    const { office, customer, water, gallon, body: place } = await withStaff()
    const sold = await office.call(placeSalesOrder, {
      body: {
        ...place,
        phone: customer.phone,
        items: [{ productId: water, quantity: 1, customPrice: 1.2, reason: 'Regular customer' }],
      },
    })
    const { id } = sold.body
    await shop.query(`update orders set created_at = now() - interval '2 days' where id = $1`, [id])
    expect((await office.call(getAdminOrder, { params: { id } })).body.can.items).toBe(true)
    // Sales placed it below the minimum: it may grow, but not fall further.
    const { body } = await editByStaff(office, id, [
      { productId: water, quantity: 1 },
      { productId: gallon, quantity: 1 },
    ])
    expect(body).toMatchObject({ subtotal: 2.1, version: 2 })
    expect(body.items).toMatchObject([{ price: 1.2, listPrice: 1.505 }, { price: 0.9 }])
    expect((await editByStaff(office, id, [{ productId: gallon, quantity: 1 }], 2)).refusal.code).toBe(
      'MINIMUM_NOT_MET',
    )
    const [entry] = (await office.call(getTimeline, { params: { id } })).body
    expect(entry).toMatchObject({ field: 'total', by: { id: office.id } })
    await setStatus(office, id, 'shipped')
    expect((await editByStaff(office, id, [{ productId: water, quantity: 9 }], 3)).refusal.code).toBe('EDIT_CLOSED')
    const { office: stranger } = await withStaff()
    expect((await editByStaff(stranger, id, [{ productId: water, quantity: 9 }], 3)).status).toBe(404)
  })
})

describe('edits at the same moment', () => {
  it('by two people with the same version: one succeeds, the other gets VERSION_CONFLICT', async () => {
    const { customer, office, water, gallon, order } = await withStaff()
    for (let round = 0; round < 5; round += 1) {
      const id = await order()
      const answers = await Promise.all([
        edit(customer, id, [{ productId: water, quantity: 7 }]),
        editByStaff(office, id, [{ productId: gallon, quantity: 6 }]),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('VERSION_CONFLICT')
      const row = await stored(id)
      expect([row?.version, row?.lines]).toEqual([2, row?.subtotal])
      expect(await editsOf(id)).toHaveLength(2)
    }
  })

  it('as the shipping: the order is edited before it is shipped, or the edit is refused', async () => {
    const { customer, office, water, order } = await withStaff()
    for (let round = 0; round < 5; round += 1) {
      const id = await order()
      const [edited, shipped] = await Promise.all([
        edit(customer, id, [{ productId: water, quantity: 7 }]),
        setStatus(office, id, 'shipped'),
      ])
      expect(shipped.status).toBe(200)
      const row = await stored(id)
      const isEdited = edited.status === 200
      if (!isEdited) expect([edited.status, edited.refusal.code]).toEqual([409, 'EDIT_CLOSED'])
      expect(row).toMatchObject({ status: 'shipped', version: isEdited ? 3 : 2, lines: isEdited ? 10_535 : 4515 })
      expect(row?.subtotal).toBe(row?.lines)
      const fields = await shop.query<{ field: string }>(
        `select field_changed as field from order_audit_history where order_id = $1 order by id desc limit 1`,
        [id],
      )
      expect(fields).toEqual([{ field: 'status' }])
    }
  })
})

describe('the address of an order', () => {
  const move = (by: Home['customer'], id: string, more: object = {}) =>
    by.call(editMyAddress, { params: { id }, body: { address: 'House 9, Road 8, Block 7', ...more } })

  it('is changed by the customer within the hour and before shipping', async () => {
    const { office, customer, order, body } = await withStaff()
    const id = await order()
    const { lat, lng } = body.mapCoordinates
    const moved = await move(customer, id, { version: 1, instructions: 'Blue door' })
    expect(moved.body).toMatchObject({ address: 'House 9, Road 8, Block 7', instructions: 'Blue door', version: 2 })
    expect(moved.body).toMatchObject({ mapCoordinates: { lat, lng }, total: 5.717 })
    // The same again changes nothing; another address needs the current version.
    expect((await move(customer, id, { version: 1, instructions: 'Blue door' })).body.version).toBe(2)
    expect((await move(customer, id, { version: 1 })).status).toBe(200)
    expect((await move(customer, id, { version: 1, address: 'Building 1, Road 8, Block 7' })).refusal.code).toBe(
      'VERSION_CONFLICT',
    )
    expect((await move(customer, id, { mapCoordinates: { lat: 1, lng: 1 } })).refusal.code).toBe('OUTSIDE_SERVICE_AREA')
    expect((await move(await makeVisitor(shop), id)).status).toBe(404)
    await setStatus(office, id, 'shipped')
    expect((await move(customer, id, { address: 'Building 2, Road 8, Block 7' })).refusal.code).toBe('EDIT_CLOSED')
    expect((await customer.call(getOrder, { params: { id } })).body.can.address).toBe(false)
    // The office can still correct it for the driver.
    const byOffice = { params: { id }, body: { address: 'House 10, Road 8, Block 7' } }
    expect((await office.call(changeAddress, byOffice)).status).toBe(200)
  })
})

describe('the person who receives an order', () => {
  it('stays with another address if not sent, and can be replaced and taken out by customer and office', async () => {
    const { office, customer, water, body } = await withStaff()
    await customer.call(addToCart, { body: { productId: water, quantity: 3 } })
    const { body: placed } = await customer.call(placeOrder, {
      body: { ...body, receiverName: 'Umm Salem', receiverPhone: '36001234' },
    })
    const params = { id: placed.id }
    const address = 'House 9, Road 8, Block 7'
    const moved = await customer.call(editMyAddress, { params, body: { address } })
    expect(moved.body).toMatchObject({ address, receiverName: 'Umm Salem', receiverPhone: '+97336001234' })
    const other = await customer.call(editMyAddress, { params, body: { address, receiverName: 'Abu Salem' } })
    expect(other.body).toMatchObject({ receiverName: 'Abu Salem', receiverPhone: '+97336001234', version: 3 })
    const none = { address, receiverName: null, receiverPhone: null }
    expect((await office.call(changeAddress, { params, body: none })).body).toMatchObject({ ...none, version: 4 })
    expect((await customer.call(editMyAddress, { params, body: none })).body.version).toBe(4)
    expect(
      await shop.query(`select from order_audit_history where order_id = $1 and notes ~ 'Salem'`, [placed.id]),
    ).toEqual([])
  })
})

describe('the customer of an edited order', () => {
  const messagesTo = async (phone: string) =>
    (await shop.visitor().call(listSimulatedMessages, { query: { phone } })).body
      .filter(({ direction }) => direction === 'outgoing')
      .map(({ body }) => body)
      .reverse()

  it('gets one message about several edits, with the last total, in the own language', async () => {
    const { customer, office, water, order } = await withStaff()
    const { phone } = customer
    await shop.query(`update users set language = 'en' where phone = $1`, [phone])
    const id = await order()
    await until('the first message', async () => (await messagesTo(phone)).length === 1)
    await edit(customer, id, [{ productId: water, quantity: 5 }])
    const { body } = await editByStaff(office, id, [{ productId: water, quantity: 6 }], 2)
    await runDelayedJobs(shop, 'order-messages', 'send-messages')
    await until('the second message', async () => (await messagesTo(phone)).length >= 2)
    const [, edited, ...others] = await messagesTo(phone)
    expect(edited).toContain(formatMoney(fromBhd(body.total), 'en'))
    expect(edited).toContain('was changed')
    expect(others).toEqual([])
  })

  it('reads that the address was changed if nothing else was since the last message', async () => {
    const { customer, water, order } = await withStaff()
    await shop.query(`update users set language = 'en' where phone = $1`, [customer.phone])
    const id = await order()
    const params = { id }
    let version = 0
    const changeAddressTo = (address: string) => customer.call(editMyAddress, { params, body: { address } })
    const editItems = () => edit(customer, id, [{ productId: water, quantity: 4 + version }], { version: version || 1 })
    /** The message about these edits. */
    async function announced(...edits: (() => Promise<{ body: { version: number } }>)[]) {
      for (const one of edits) version = (await one()).body.version
      await shop.query(
        `update pgboss.job set start_after = now() where name = 'order-messages' and state = 'created' and data->>'id' = $1`,
        [id],
      )
      return until('the message', async () => {
        const [row] = await shop.query<{ text: string }>(
          `select coalesce(payload->>'text', content) as text from whatsapp_messages where dedupe_key = $1`,
          [`order:${id}:edit-${version - 1}`],
        )
        return row?.text
      })
    }
    const address = /^The address of your order .* was changed/
    expect(await announced(() => changeAddressTo('House 9, Road 34, Block 567'))).toMatch(address)
    expect(await announced(editItems)).toContain('The amount is now')
    expect(await announced(() => changeAddressTo('House 10, Road 34, Block 567'))).toMatch(address)
    expect(await announced(editItems, () => changeAddressTo('House 11, Road 34, Block 567'))).toContain(
      'The amount is now',
    )
  })

  it('gets no message while further edits follow, and one after the last', async () => {
    const { customer, water, order } = await withStaff()
    const id = await order()
    const step = (n: number) => edit(customer, id, [{ productId: water, quantity: 3 + n }], { version: n })
    const messages = () => shop.query(`select from whatsapp_messages where dedupe_key like $1`, [`order:${id}:edit-%`])
    /** The oldest waiting jobs of the order. */
    const run = async (count: number) => {
      await shop.query(
        `update pgboss.job set start_after = now() where id in (
           select id from pgboss.job where name = 'order-messages' and state = 'created' and start_after > now() and data->>'id' = $1
           order by created_on limit $2)`,
        [id, count],
      )
      await until('the jobs', async () => {
        const left = await shop.query(
          `select 1 from pgboss.job where name = 'order-messages' and state < 'completed' and start_after <= now() and data->>'id' = $1`,
          [id],
        )
        return left.length === 0
      })
    }
    await step(1)
    for (let n = 2; n <= 5; n += 1) {
      await step(n)
      await run(1)
      expect(await messages()).toHaveLength(0)
    }
    await run(5)
    expect(await messages()).toHaveLength(1)
  })
})
