import { exportAudit, listAudit } from '@qatra/contract/audit'
import { listNotifications } from '@qatra/contract/notifications/notifications'
import { exportOrders, getAdminOrder, listOrders } from '@qatra/contract/orders/admin'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { getSalesOrder, listSalesOrders } from '@qatra/contract/sales'
import { exportCustomers, getCustomer, listCustomers, tagCustomer } from '@qatra/contract/users/customers'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { openSalesDesk } from '../test/fixtures/sales-desk.ts'

const shop = await startShop({ role: 'web' })
const desk = await openSalesDesk(shop)
const CANARY = 'Zulaikha'

async function makeKnown(role: 'customer' | 'super_admin' = 'customer') {
  const person = await makeUser(shop, { role })
  await shop.query('update users set name = $2 where id = $1', [person.id, CANARY])
  return person
}

describe('the account name behind a phone order', () => {
  it.each(['customer', 'super_admin'] as const)('of a %s is in no response to the vendor', async (role) => {
    const { id: userId, phone } = await makeKnown(role)
    const { body: placed } = await desk.sell(desk.saleInput({ phone }))
    const [order, person] = [{ params: { id: placed.id } }, { params: { id: String(userId) } }]
    await desk.boss.call(tagCustomer, { ...person, body: { tags: ['probe'] } })
    const answers = [
      await desk.agent.call(getSalesOrder, order),
      await desk.agent.call(listSalesOrders),
      await desk.boss.call(getAdminOrder, order),
      await desk.boss.call(getTimeline, order),
      await desk.boss.call(listOrders),
      await desk.boss.call(exportOrders),
      await desk.boss.call(listCustomers, { query: { sort: 'name' } }),
      await desk.boss.call(getCustomer, person),
      await desk.boss.call(exportCustomers),
      await desk.boss.call(listAudit),
      await desk.boss.call(exportAudit),
      await desk.boss.call(listNotifications),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.flatMap(({ body }, n) => (JSON.stringify(body).includes(CANARY) ? [n] : []))).toEqual([])
    const timeline = await desk.boss.call(getTimeline, order)
    expect(timeline.body.at(-1)?.onBehalfOf).toEqual({ id: userId, name: placed.customerName, role: 'customer' })
    expect((await desk.boss.call(getCustomer, person)).body.name).toBe(placed.customerName)
  })

  it('is not searchable for the vendor, the phone is', async () => {
    const { phone } = await makeKnown()
    await desk.sell(desk.saleInput({ phone }))
    const found = async (search: string) => [
      (await desk.boss.call(listCustomers, { query: { search } })).body.total,
      (await desk.boss.call(listAudit, { query: { search } })).body.total > 0,
    ]
    expect(await found(CANARY)).toEqual([0, false])
    expect(await found(phone)).toEqual([1, true])
  })

  it('is shown to the vendor after an order by the customer, and always to super admins', async () => {
    const { id: userId, phone } = await makeKnown()
    await desk.sell(desk.saleInput({ phone }))
    const market = await makeVisitor(shop, { role: 'super_admin' })
    const person = { params: { id: String(userId) } }
    expect((await market.call(getCustomer, person)).body.name).toBe(CANARY)
    await makeOrder(shop, { userId, vendorId: desk.vendor })
    expect((await desk.boss.call(getCustomer, person)).body.name).toBe(CANARY)
    expect((await desk.boss.call(listCustomers, { query: { search: CANARY } })).body.items).toMatchObject([
      { id: userId },
    ])
  })
})
