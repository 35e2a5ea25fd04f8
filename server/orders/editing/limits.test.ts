import type { Input } from '@qatra/contract/endpoint'
import { changeOrderStatus, getAdminOrder } from '@qatra/contract/orders/admin'
import type { BuyerTexts } from '@qatra/contract/orders/buyer'
import { changeBuyer } from '@qatra/contract/orders/delivery'
import { editItems, editMyAddress, editMyItems } from '@qatra/contract/orders/editing'
import { getOrder } from '@qatra/contract/orders/orders'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { placeSalesOrder } from '@qatra/contract/sales'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeHousehold, makeVisitor } from '../../test/fixtures/make.ts'
import type { Visitor } from '../../test/visitor.ts'
import { ERASED } from '../status/rules.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
})

async function withStaff() {
  const home = await makeHousehold(shop)
  return { ...home, office: await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor }) }
}
type Items = { productId: number; quantity: number }[]

const edit = (by: Visitor, id: string, items: Items, version = 1) =>
  by.call(editMyItems, { params: { id }, body: { items, version } })
const editByStaff = (by: Visitor, id: string, items: Items, version = 1) =>
  by.call(editItems, { params: { id }, body: { items, version } })
const linesOf = (id: string) =>
  shop.query<{ quantity: number; price: number }>(
    'select quantity, price::integer from order_items where order_id = $1 order by id',
    [id],
  )

/** As orders were numbered before their delivery, without a copy of their lines. */
const number = (id: string, vendor: number) =>
  shop.query(
    `insert into receipts (order_id, vendor_id, number, seller, issued_at)
     select $1, $2, coalesce(max(number), 0) + 1, '{}', now() from receipts where vendor_id = $2`,
    [id, vendor],
  )

/** Of the newest invoice. */
const paperCopyOf = async (id: string) => {
  const [row] = await shop.query<{ buyer: BuyerTexts }>(
    'select buyer from receipts where order_id = $1 order by number desc limit 1',
    [id],
  )
  return { poNumber: row?.buyer.poNumber, branch: row?.buyer.branch }
}
it('prints a PO number and branch that the office adds, and leaves an issued invoice as it is', async () => {
  const { office, order } = await withStaff()
  const boss = await makeVisitor(shop, { role: 'super_admin' })
  const id = await order()
  const change = (body: Input<typeof changeBuyer>['body']) => office.call(changeBuyer, { params: { id }, body })
  const become = (status: 'delivered' | 'shipped') =>
    boss.call(changeOrderStatus, { params: { id }, body: { status, notes: 'The wrong door' } })
  const added = await change({ poNumber: ' PO-17 ', branch: 'Seef' })
  expect(added.body).toMatchObject({ poNumber: 'PO-17', branch: 'Seef', version: 2 })
  expect((await change({ poNumber: 'PO-17', branch: 'Seef', version: 1 })).body.version).toBe(2)
  expect((await change({ poNumber: 'PO-18', version: 1 })).refusal.code).toBe('VERSION_CONFLICT')
  await become('delivered')
  const { body: changed } = await change({ poNumber: 'PO-99', branch: '' })
  expect(changed).toMatchObject({ poNumber: 'PO-99', branch: null, status: 'delivered' })
  expect(await paperCopyOf(id)).toEqual({ poNumber: 'PO-17', branch: 'Seef' })
  await become('shipped')
  await become('delivered')
  expect(await paperCopyOf(id)).toEqual({ poNumber: 'PO-99', branch: null })
  const { body: timeline } = await boss.call(getTimeline, { params: { id } })
  expect(timeline.filter(({ field }) => field === 'buyer').map(({ notes }) => notes)).toEqual(['PO-17 · Seef', null])
  await shop.query(`update orders set phone = $2 where id = $1`, [id, ERASED])
  expect((await change({ branch: 'Riffa' })).refusal.code).toBe('ORDER_NOT_FOUND')
})

describe('an order with a receipt', () => {
  it('keeps its items, whoever edits, and no page offers it', async () => {
    const { customer, office, vendor, water, order } = await withStaff()
    const id = await order()
    expect((await customer.call(getOrder, { params: { id } })).body.can.items).toBe(true)
    await number(id, vendor)
    const items = [{ productId: water, quantity: 9 }]
    for (const answer of [await edit(customer, id, items), await editByStaff(office, id, items)]) {
      expect([answer.status, answer.refusal.code]).toEqual([409, 'EDIT_CLOSED'])
      expect(answer.refusal.details).toMatchObject({ hasReceipt: true })
    }
    expect((await customer.call(getOrder, { params: { id } })).body.can.items).toBe(false)
    expect((await office.call(getAdminOrder, { params: { id } })).body.can.items).toBe(false)
    expect(await linesOf(id)).toMatchObject([{ quantity: 3 }])
  })

  it('has the lines that it had when the number was issued, also after an edit at the same moment', async () => {
    const { customer, vendor, water, order } = await withStaff()
    for (let round = 0; round < 5; round += 1) {
      const id = await order()
      const [edited, lines] = await Promise.all([
        edit(customer, id, [{ productId: water, quantity: 7 }]),
        number(id, vendor).then(() => linesOf(id)),
      ])
      expect(edited.status === 200 || edited.refusal.code === 'EDIT_CLOSED').toBe(true)
      expect(lines).toMatchObject([{ quantity: edited.status === 200 ? 7 : 3 }])
      expect(await linesOf(id)).toEqual(lines)
    }
  })

  it('refuses an edit that has waited for the number', async () => {
    const { customer, vendor, water, order } = await withStaff()
    const id = await order()
    const client = await shop.app.pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into receipts (order_id, vendor_id, number, seller, issued_at) values ($1, $2, 1, '{}', now())`,
        [id, vendor],
      )
      const editing = edit(customer, id, [{ productId: water, quantity: 7 }])
      const first = await Promise.race([editing, new Promise((done) => setTimeout(done, 500, 'waits'))])
      expect(first).toBe('waits')
      await client.query('commit')
      expect((await editing).refusal.code).toBe('EDIT_CLOSED')
    } finally {
      client.release()
    }
    expect(await linesOf(id)).toMatchObject([{ quantity: 3 }])
  })
})

describe('an agreed price', () => {
  async function sold(quantity = 2) {
    const home = await withStaff()
    const { office, customer, water, gallon, body: place } = home
    const { body } = await office.call(placeSalesOrder, {
      body: {
        ...place,
        phone: customer.phone,
        items: [
          { productId: water, quantity, customPrice: 1, reason: 'Sample' },
          { productId: gallon, quantity: 5 },
        ],
      },
    })
    const rest = { productId: gallon, quantity: 5 }
    return { ...home, id: body.id, rest }
  }

  it('is for its quantity: the customer can neither raise nor lower it, but remove the item', async () => {
    const { customer, water, gallon, rest, id } = await sold()
    for (const quantity of [100, 1]) {
      const { status, refusal } = await edit(customer, id, [{ productId: water, quantity }, rest])
      expect([status, refusal.code]).toEqual([409, 'EDIT_CLOSED'])
      expect(refusal.details).toMatchObject({ products: [{ id: water }] })
    }
    const { body } = await edit(customer, id, [
      { productId: water, quantity: 2 },
      { productId: gallon, quantity: 6 },
    ])
    expect(body.items).toMatchObject([{ quantity: 2, price: 1 }, { quantity: 6 }])
    expect((await edit(customer, id, [{ productId: gallon, quantity: 9 }], 2)).body.items).toHaveLength(1)
    // Back again, the product has its usual price.
    const again = await edit(customer, id, [rest, { productId: water, quantity: 9 }], 3)
    expect(again.body.items).toMatchObject([{ quantity: 5 }, { quantity: 9, price: 1.505 }])
  })

  it('is changed for another quantity by people who may agree on prices, above the floor of today', async () => {
    const { office, vendor, water, rest, id } = await sold()
    const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: vendor })
    const five = [{ productId: water, quantity: 5 }, rest]
    const one = [{ productId: water, quantity: 1 }, rest]
    for (const items of [five, one]) expect((await editByStaff(staff, id, items)).status).toBe(403)
    await shop.query('update vendors set custom_price_floor = 90 where id = $1', [vendor])
    for (const items of [five, one]) {
      const { status, refusal } = await editByStaff(office, id, items)
      expect([status, refusal.code]).toEqual([422, 'PRICE_BELOW_FLOOR'])
      expect(Object.keys(refusal.details['fields'] as object)).toEqual(['items.0.quantity'])
    }
    // What is not changed is not asked about.
    const kept = [
      { productId: water, quantity: 2 },
      { ...rest, quantity: 6 },
    ]
    expect((await editByStaff(staff, id, kept)).status).toBe(200)
    await shop.query('update vendors set custom_price_floor = 50 where id = $1', [vendor])
    expect((await editByStaff(office, id, five, 2)).body.items).toMatchObject([{ quantity: 5, price: 1 }, {}])
  })
})

describe('the number of edits', () => {
  it('by the customer is limited, items and address together; the office goes on', async () => {
    const { customer, office, water, order } = await withStaff()
    const id = await order()
    const itemsOf = (n: number) => [{ productId: water, quantity: 20 + n }]
    const move = (n: number) =>
      customer.call(editMyAddress, { params: { id }, body: { address: `House ${n}, Road 8, Block 7` } })
    await editByStaff(office, id, itemsOf(50))
    for (let n = 0; n < 10; n += 1)
      expect((n % 3 === 0 ? await move(n) : await edit(customer, id, itemsOf(n), n + 2)).status).toBe(200)
    const version = 12
    for (const answer of [await move(99), await edit(customer, id, itemsOf(60), version)]) {
      expect([answer.status, answer.refusal.code]).toEqual([409, 'EDIT_CLOSED'])
      expect(answer.refusal.details).toMatchObject({ mostEdits: 10 })
    }
    expect((await editByStaff(office, id, itemsOf(70), version)).status).toBe(200)
  })
})
