import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCashClosing } from '@qatra/contract/cash-closing'
import { getCash, getRun } from '@qatra/contract/drivers'
import { changeOrderStatus, changePayment } from '@qatra/contract/orders/admin'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { newKey } from '../../test/fixtures/driver-day.ts'
import { deliver as send, makeBottleCompany } from '../../test/fixtures/bottles.ts'
import { makeVisitor } from '../../test/fixtures/make.ts'
import type { Visitor } from '../../test/visitor.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ role: 'web' })
})
const today = bahrainDate(new Date())

/** A customer with six bottles, for each of which a deposit of 2.000 BHD is held, and a vendor that leaves the choice. */
async function company() {
  const home = await makeBottleCompany(shop)
  const { vendorId, typeId, office, driver, order } = home
  const deliver = (id: string, returned: number, more: object = {}, by: Visitor = driver) =>
    send(by, id, { bottles: [{ typeId, returned }], ...more })
  const business = (body: object) => office.call(saveBusiness, { params: { id: String(vendorId) }, body })
  await deliver(await order(6, 0), 0)
  await business({ refundChoice: true })
  const held = async () => (await home.held())[0]
  const cash = async () => (await driver.call(getCash, { params: { id: String(driver.id) } })).body.inHand
  const unexplained = async () =>
    (await office.call(getCashClosing, { params: { date: today } })).body.equation.unexplained
  return { ...home, deliver, business, held, cash, unexplained }
}
const paid = (...amounts: number[]) => amounts.map((amount) => ({ means: 'cash', amount, key: newKey() }))

describe('more empties than expected', () => {
  it('lower what is due and are paid back at once with «now»', async () => {
    const here = await company()
    const before = await here.cash()
    const id = await here.order(2, 1)
    // 3.300 + 0.500; the deposit of one bottle is gone, those of three are paid back.
    const { body } = await here.deliver(id, 5, { refund: 'now', payments: paid(3.8, -6) })
    expect(body).toMatchObject({ total: 3.8, due: 0, paymentStatus: 'paid' })
    expect(await here.held()).toEqual([3, 6000])
    expect(await here.cash()).toBe(Math.round((before + 3.8 - 6) * 1000) / 1000)
    expect(await here.unexplained()).toBe(0)
  })

  it('are credit with «credit», and the order keeps its deposit', async () => {
    const here = await company()
    const id = await here.order(2, 1)
    const { body } = await here.deliver(id, 5, { refund: 'credit', payments: paid(5.8) })
    expect(body).toMatchObject({ total: 5.8, deposit: 2, paymentStatus: 'paid' })
    expect(await here.held()).toEqual([3, 14_000])
    expect(await here.unexplained()).toBe(0)
  })

  it('fewer than expected are charged all the same', async () => {
    const here = await company()
    const { body } = await here.deliver(await here.order(3, 3), 1, { refund: 'credit', payments: paid(9.45) })
    expect(body).toMatchObject({ deposit: 4, due: 0 })
  })

  it('of an order that was paid before are paid back as far as deposits are held', async () => {
    const here = await company()
    const id = await here.order(1, 1)
    await here.office.call(changePayment, { params: { id }, body: { paymentStatus: 'paid' } })
    const { status, body } = await here.deliver(id, 3, { refund: 'now', payments: paid(-4) })
    expect([status, body]).toMatchObject([200, { total: 2.15 }])
    expect(await here.held()).toEqual([4, 8000])
    // Without deposits there is nothing to pay back.
    await shop.query(`update bottle_balances set deposit = 0 where customer_id = $1`, [here.customer.id])
    const next = await here.order(1, 1)
    const before = await here.cash()
    await here.deliver(next, 2, { refund: 'now', payments: paid(2.15) })
    expect(await here.cash()).toBe(Math.round((before + 2.15) * 1000) / 1000)
  })

  it('are paid back once for repeated reports, and stay paid when the delivery is taken back', async () => {
    const here = await company()
    const id = await here.order(2, 2)
    const at = new Date().toISOString()
    const report = { refund: 'now', payments: paid(3.8, -4).map((one) => ({ ...one, at })) }
    const send = () => here.deliver(id, 4, report)
    expect((await Promise.all([send(), send(), send()])).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await here.held()).toEqual([4, 8000])
    await here.office.call(changeOrderStatus, { params: { id }, body: { status: 'shipped', notes: 'Wrong house' } })
    expect(await here.held()).toEqual([6, 8000])
    expect((await send()).body).toMatchObject({ status: 'shipped' })
    expect(await here.held()).toEqual([6, 8000])
    const rows = await shop.query(
      `select amount::int from ledger_entries where kind = 'refunded' and ledger = 'money' and order_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ amount: -4000 }])
  })

  it('are paid back up to the driver’s limit of a day, which the phone reads, and at once only up to it', async () => {
    const here = await company()
    await here.business({ limits: { driver: 6 } })
    const limit = async () =>
      (await here.driver.call(getRun, { params: { id: String(here.driver.id) }, query: {} })).body.refundLimit
    expect(await limit()).toEqual({ limit: 6000, refunded: 0 })
    const ids = [await here.order(2, 2), await here.order(2, 2)]
    const answers = await Promise.all(ids.map((id) => here.deliver(id, 4, { refund: 'now', payments: paid(3.8, -4) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect([refused?.refusal.code, refused?.refusal.details]).toEqual(['REFUND_LIMIT', { limit: 6, left: 2 }])
    expect(await limit()).toEqual({ limit: 6000, refunded: 4000 })
    await here.business({ limits: {} })
    expect(await limit()).toBeNull()
  })

  it('are refused beyond the deposits of what came back, without the choice, and for staff without the right', async () => {
    const here = await company()
    const id = await here.order(2, 2)
    const beyond = await here.deliver(id, 3, { refund: 'now', payments: paid(3.8, -2.001) })
    expect([beyond.status, beyond.refusal.code, beyond.refusal.details]).toEqual([409, 'MORE_THAN_DUE', { due: 2 }])
    const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: here.vendorId })
    expect((await here.deliver(id, 3, { refund: 'now', payments: paid(-2) }, staff)).status).toBe(403)
    await here.business({ refundChoice: false })
    expect((await here.deliver(id, 3, { refund: 'now', payments: paid(3.8, -2) })).status).toBe(422)
    // What a phone reports was done.
    const at = new Date().toISOString()
    const late = paid(3.8, -2).map((one) => ({ ...one, at }))
    expect((await here.deliver(id, 3, { refund: 'now', payments: late })).status).toBe(200)
    expect(await here.held()).toEqual([5, 10_000])
  })
})
