import { cancelOrder } from '@qatra/contract/orders'
import { changeOrderStatus } from '@qatra/contract/orders-office'
import { listSimulatedMessages } from '@qatra/contract/simulator'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeHousehold, makeVisitor } from '../test/make.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>

beforeAll(async () => {
  shop = await startShop()
  home = await makeHousehold(shop)
})

const told = async (phone: string) => {
  const { body } = await shop.visitor().call(listSimulatedMessages, { query: { phone } })
  return body.map((message) => message.body).reverse()
}
const toldSoon = (phone: string, count: number) =>
  vi.waitFor(async () => expect(await told(phone)).toHaveLength(count), { timeout: 15_000, interval: 100 })

describe('order news', () => {
  it('reaches a verified phone, in its language, once for each move', async () => {
    const { phone } = home.customer
    await shop.query(`update users set language = 'en' where phone = $1`, [phone])
    const id = await home.order()
    await toldSoon(phone, 1)
    const staff = await makeVisitor(shop, { role: 'vendor_admin', vendorId: home.vendor })
    const move = (status: 'in-progress' | 'delivered') =>
      staff.call(changeOrderStatus, { params: { id }, body: { status } })
    await move('in-progress')
    await move('in-progress')
    await toldSoon(phone, 2)
    await move('delivered')
    await toldSoon(phone, 3)
    const [placed, preparing, delivered] = await told(phone)
    const grouped = id.replace(/(.{4})(?=.)/g, '$1 ')
    expect(placed).toContain(`order \u2066${grouped}\u2069. It arrives on`)
    expect(placed).toContain('BHD\u00a05.717')
    expect(preparing).toMatch(/is preparing your order/)
    expect(delivered).toMatch(/was delivered/)
    const jobs = await shop.query(`select data from pgboss.job where name = 'order-news' and data->>'id' = $1`, [id])
    expect(jobs).toHaveLength(3)
  })

  it('is sent once, however often the job runs', async () => {
    const { customer, order } = await makeHousehold(shop)
    const id = await order()
    await toldSoon(customer.phone, 1)
    await shop.app.queue.send('order-news', { event: 'order.placed', id, to: 'new', version: 1 })
    await customer.call(cancelOrder, { params: { id }, body: {} })
    await toldSoon(customer.phone, 2)
    expect((await told(customer.phone))[1]).toContain('أُلغي طلبك')
  })

  it('is kept from phones that are not verified and from those who want none', async () => {
    const [quiet, unverified] = [await makeHousehold(shop), await makeHousehold(shop)]
    await shop.query('update users set notification_enabled = false where id = $1', [quiet.customer.id])
    await shop.query('update users set is_verified = false where id = $1', [unverified.customer.id])
    const ids = [await quiet.order(), await unverified.order()]
    await vi.waitFor(
      async () => {
        const open = await shop.query(
          `select id from pgboss.job where data->>'id' = any ($1::text[]) and state <> 'completed'`,
          [ids],
        )
        expect(open).toEqual([])
      },
      { timeout: 15_000, interval: 100 },
    )
    expect([await told(quiet.customer.phone), await told(unverified.customer.phone)]).toEqual([[], []])
  })
})
