import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { cancelOrder, getOrder, listMyOrders, rateOrder, reorder } from '@qatra/contract/orders/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeHousehold, makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'
import { cancelOrder as cancel } from './status/commands.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
})
beforeEach(async () => {
  home = await makeHousehold(shop)
})

const historyOf = (id: string) =>
  shop.query(
    'select field_changed, old_value, new_value, changed_by, notes from order_audit_history where order_id = $1 order by id',
    [id],
  )
const setStatus = (id: string, status: string) =>
  shop.query('update orders set status = $2 where id = $1', [id, status])
const rowOf = async (id: string) => (await shop.query('select * from orders where id = $1', [id]))[0]

/** Jobs of the order's events. */
const jobsOf = (id: string) =>
  shop.query(`select id from pgboss.job where data->>'id' = $1 and data ? 'event' order by id`, [id])

describe('reading an order', () => {
  it('finds it for every spelling of its id', async () => {
    const id = await home.order()
    const grouped = id.replace(/(.{4})(?=.)/g, '$1 ')
    for (const typed of [id, id.toLowerCase(), grouped, ` ${grouped.replaceAll(' ', '-')} `])
      expect((await home.customer.call(getOrder, { params: { id: typed } })).body.id).toBe(id)
  })

  it('returns the same bytes for a foreign and an unknown order, for every role', async () => {
    const id = await home.order()
    const staff = ['super_admin', 'vendor_admin', 'vendor_staff', 'driver', 'vendor_sales', 'customer'] as const
    for (const role of staff) {
      const stranger = await makeVisitor(shop, { role, vendorId: home.vendor })
      const foreign = await stranger.call(getOrder, { params: { id } })
      const unknown = await stranger.call(getOrder, { params: { id: 'ABCDEFGHJKMNPQRS' } })
      expect([foreign.status, foreign.refusal.code]).toEqual([404, 'ORDER_NOT_FOUND'])
      expect(JSON.stringify(foreign.body)).toBe(JSON.stringify(unknown.body))
      expect(foreign.headers['cache-control']).toBe('no-store')
    }
    expect((await shop.visitor().call(getOrder, { params: { id } })).status).toBe(401)
  })

  it.each(['x'.repeat(21), 'ABC_DEF', "'; drop table orders", '%00', '💧', '..'])('does not find %j', async (id) => {
    expect((await home.customer.call(getOrder, { params: { id } })).status).toBe(404)
  })

  it('lists own orders, newest first, by pages', async () => {
    const ids = [await home.order(), await home.order(), await home.order()].reverse()
    const stranger = await makeHousehold(shop)
    await stranger.order()
    const { body } = await home.customer.call(listMyOrders)
    expect([body.items.map((order) => order.id), body.page, body.limit, body.total]).toEqual([ids, 1, 10, 3])
    expect(body.items.every((order) => order.items.length === 1 && order.steps.length === 1)).toBe(true)
    const second = await home.customer.call(listMyOrders, { query: { page: '2', limit: '2' } })
    expect([second.body.items.map((order) => order.id), second.body.total]).toEqual([ids.slice(2), 3])
    expect((await home.customer.call(listMyOrders, { query: { page: '9' } })).body).toMatchObject({
      items: [],
      total: 3,
    })
    for (const query of [{ page: '0' }, { limit: '101' }, { limit: '0' }, { page: 'x' }, { page: '1.5' }])
      expect((await home.customer.call(listMyOrders, { query })).refusal.code).toBe('INVALID_QUERY')
  })

  it('shows a missing payment status as unpaid', async () => {
    const id = await home.order()
    await shop.query('update orders set payment_status = null where id = $1', [id])
    expect((await home.customer.call(getOrder, { params: { id } })).body.paymentStatus).toBe('unpaid')
  })
})

describe('rating a delivery', () => {
  const rate = (id: string) => home.customer.call(rateOrder, { params: { id }, body: { water: 'fair' } })
  const deliveredBefore = async (time: string) => {
    const id = await home.order()
    await shop.query(`update orders set status = 'delivered', delivered_at = now() - $2::interval where id = $1`, [
      id,
      time,
    ])
    return id
  }

  it('keeps one for an order, with vendor and driver, and changes only what is given', async () => {
    const id = await deliveredBefore('6 days 23:59:00')
    const driver = await makeVisitor(shop, { role: 'driver', vendorId: home.vendor })
    await shop.query('update orders set assigned_driver_id = $2 where id = $1', [id, driver.id])
    expect((await rate(id)).body.rating).toMatchObject({ water: 'fair', driver: null })
    await home.customer.call(rateOrder, { params: { id }, body: { driver: 'good' } })
    await home.customer.call(rateOrder, { params: { id }, body: { water: 'good' } })
    await home.customer.call(rateOrder, { params: { id }, body: { water: 'good' } })
    const { body } = await home.customer.call(getOrder, { params: { id } })
    expect([body.rating, body.can.rate]).toEqual([{ water: 'good', driver: 'good', at: expect.any(String) }, true])
    expect(
      await shop.query('select vendor_id, driver_id, first_bad_at from order_ratings where order_id = $1', [id]),
    ).toEqual([{ vendor_id: home.vendor, driver_id: driver.id, first_bad_at: null }])
    expect((await historyOf(id)).filter(({ field_changed: field }) => String(field).endsWith('Rating'))).toHaveLength(3)
  })

  it('is refused after seven days, and for an order that is not delivered', async () => {
    const ids = [await deliveredBefore('7 days 00:01:00'), await home.order()]
    const cancelled = await home.order()
    await setStatus(cancelled, 'cancelled')
    for (const id of [...ids, cancelled]) {
      const { status, refusal } = await rate(id)
      expect([status, refusal.code]).toEqual([409, 'RATING_CLOSED'])
      expect((await home.customer.call(getOrder, { params: { id } })).body.can.rate).toBe(false)
    }
  })
})

describe('cancelling', () => {
  /** Runs the command with a fixed clock: the order is exactly this old. */
  const cancelAtAge = (id: string, milliseconds: number) =>
    inTransaction(shop.app.pool, async (db) => {
      await db.$client.query(
        `update orders set created_at = date_trunc('milliseconds', now()) - $2 * interval '1 millisecond' where id = $1`,
        [id, milliseconds],
      )
      const { rows } = await db.$client.query<{ now: Date }>('select now()')
      const user = { ...home.customer, role: 'customer' }
      const ctx = { db, now: rows[0]?.now, actor: { user, impersonator: null, lang: 'ar' }, afterCommit: () => {} }
      return cancel(ctx as unknown as Ctx, id, null) // the command reads only these parts
    })

  it.each([0, 3_599_999, 3_600_000])('succeeds %i ms after placing', async (age) => {
    expect((await cancelAtAge(await home.order(), age)).status).toBe('cancelled')
  })
  it.each([3_600_001, 3_601_000, 86_400_000])('is refused %i ms after placing', async (age) => {
    const id = await home.order()
    await expect(cancelAtAge(id, age)).rejects.toMatchObject({ code: 'CANCELLATION_CLOSED' })
    expect(await rowOf(id)).toMatchObject({ status: 'new', version: 1 })
  })

  it("uses the database's clock over HTTP too", async () => {
    const id = await home.order()
    await shop.query(`update orders set created_at = now() - interval '59 minutes' where id = $1`, [id])
    const { body } = await home.customer.call(getOrder, { params: { id } })
    expect(body.can.cancel).toBe(true)
    await shop.query(`update orders set created_at = now() - interval '60 minutes 1 second' where id = $1`, [id])
    const { body: late } = await home.customer.call(getOrder, { params: { id } })
    expect([late.can.cancel, Date.parse(late.cancellableUntil)]).toEqual([
      false,
      Date.parse(late.createdAt) + 3_600_000,
    ])
    expect((await home.customer.call(cancelOrder, { params: { id }, body: {} })).status).toBe(409)
  })

  it('records author and reason, and a repeated request changes nothing', async () => {
    const id = await home.order()
    const { status, body } = await home.customer.call(cancelOrder, {
      params: { id },
      body: { reason: 'Two by mistake' },
    })
    expect([status, body.status, body.can.cancel, body.version]).toEqual([200, 'cancelled', false, 2])
    expect(body.steps.map((step) => step.status)).toEqual(['new', 'cancelled'])
    const before = await historyOf(id)
    const jobs = await jobsOf(id)
    expect(jobs.length).toBeGreaterThanOrEqual(2)
    expect(before[1]).toMatchObject({
      old_value: 'new',
      new_value: 'cancelled',
      changed_by: home.customer.id,
      notes: 'Two by mistake',
    })
    const second = await home.customer.call(cancelOrder, { params: { id }, body: {} })
    expect([second.status, second.refusal.code]).toEqual([409, 'CANCELLATION_CLOSED'])
    expect(await historyOf(id)).toEqual(before)
    expect(await jobsOf(id)).toEqual(jobs)
  })

  it.each(['shipped', 'delivered', 'cancelled'])('is refused once the order is %s', async (status) => {
    const id = await home.order()
    await setStatus(id, status)
    expect((await home.customer.call(cancelOrder, { params: { id }, body: {} })).refusal.code).toBe(
      'CANCELLATION_CLOSED',
    )
  })

  it('works in progress, and never on a foreign order', async () => {
    const id = await home.order()
    await setStatus(id, 'in-progress')
    const stranger = await makeVisitor(shop)
    expect((await stranger.call(cancelOrder, { params: { id }, body: {} })).status).toBe(404)
    expect((await home.customer.call(cancelOrder, { params: { id }, body: {} })).status).toBe(200)
  })

  it('concurrently with delivering: one wins, with one timeline row', async () => {
    const staff = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
    for (let round = 0; round < repeated(20, 6); round += 1) {
      const id = await home.order()
      const params = { id }
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, n) =>
          n % 2
            ? home.customer.call(cancelOrder, { params, body: {} })
            : staff.call(changeOrderStatus, { params, body: { status: 'delivered' } }),
        ),
      )
      const { status } = (await rowOf(id)) as { status: string }
      const changes = (await historyOf(id)).filter((row) => row.field_changed === 'status')
      expect(changes.map((row) => row.new_value)).toEqual(['new', status])
      expect(answers.every((answer) => answer.status === 200 || answer.status === 409)).toBe(true)
      const cancelled = answers.filter((answer, n) => n % 2 && answer.status === 200)
      expect(cancelled.length).toBe(status === 'cancelled' ? 1 : 0)
    }
  })
})

describe('reordering', () => {
  const again = (id: string) => home.customer.call(reorder, { params: { id } })
  const delivered = async (quantity = 3) => {
    const id = await home.order(quantity)
    await setStatus(id, 'delivered')
    return id
  }
  const cart = async () => (await home.customer.call(getCart)).body

  it("fills the cart at today's prices and lists the changed ones", async () => {
    const id = await delivered()
    await shop.query('update products set price = 1600 where id = $1', [home.water])
    await shop.catalogue.reload()
    const { status, body } = await again(id)
    expect([status, body.results]).toEqual([200, { added: 1, failed: 0, failedItems: [] }])
    expect(body.priceChanges).toEqual([expect.objectContaining({ oldPrice: 1.505, newPrice: 1.6 })])
    expect((await cart()).items.map((item) => [item.productId, item.quantity, item.price])).toEqual([
      [home.water, 3, 1.6],
    ])
  })

  it('parks the active cart, also when repeated', async () => {
    const id = await delivered()
    const other = await makeVendor(shop)
    await home.customer.call(addToCart, { body: { productId: await makeProduct(shop, other), quantity: 2 } })
    await again(id)
    await again(id)
    expect(await cart()).toMatchObject({ vendorId: home.vendor, parked: { vendorId: other, itemCount: 1 } })
  })

  it("omits unavailable items with a reason each, in the reader's language", async () => {
    await home.customer.call(addToCart, { body: { productId: home.gallon, quantity: 1 } })
    const [deleted, tooMany] = [await makeProduct(shop, home.vendor), await makeProduct(shop, home.vendor)]
    for (const productId of [deleted, tooMany])
      await home.customer.call(addToCart, { body: { productId, quantity: 60 } })
    const id = await delivered()
    await shop.query(
      `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity) values ($1, $2, 'W', '1L', 1, 0, 60)`,
      [id, tooMany],
    )
    await shop.query('update products set is_active = false where id = $1', [home.gallon])
    await shop.query('update products set deleted_at = now() where id = $1', [deleted])
    const { body } = await home.customer.call(reorder, { params: { id } }, { 'accept-language': 'en' })
    expect(body.results.failedItems.map(({ code, reason }) => [code, reason])).toEqual([
      ['PRODUCT_INACTIVE', 'Not available right now'],
      ['PRODUCT_DELETED', 'No longer sold'],
      ['QUANTITY_LIMIT', 'More than 100 of it cannot be ordered at once'],
    ])
    expect([body.results.added, body.message]).toEqual([1, '1 item is in your cart'])
    expect((await cart()).items.map((item) => item.productId)).toEqual([home.water])
  })

  it('changes nothing if no item is available', async () => {
    const id = await delivered()
    const other = await makeVendor(shop)
    await home.customer.call(addToCart, { body: { productId: await makeProduct(shop, other), quantity: 2 } })
    const before = await cart()
    await shop.query('update vendors set is_active = false where id = $1', [home.vendor])
    const { status, refusal } = await again(id)
    expect([status, refusal.code]).toEqual([409, 'REORDER_FAILED'])
    expect(refusal.details.failedItems).toEqual([expect.objectContaining({ code: 'VENDOR_INACTIVE' })])
    expect(await cart()).toEqual(before)
  })

  it('requires an own delivered order', async () => {
    const id = await home.order()
    for (const status of ['new', 'in-progress', 'shipped', 'cancelled']) {
      await setStatus(id, status)
      expect((await again(id)).refusal.code).toBe('ORDER_NOT_DELIVERED')
    }
    await setStatus(id, 'delivered')
    expect((await (await makeVisitor(shop)).call(reorder, { params: { id } })).status).toBe(404)
  })
})
