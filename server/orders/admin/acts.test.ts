import { listNotifications } from '@qatra/contract/notifications/notifications'
import {
  assignDriver,
  changeManyOrders,
  changeOrderStatus,
  changePayment,
  getAdminOrder,
  unassignDriver,
} from '@qatra/contract/orders/admin'
import { getConfirmation, sendConfirmation } from '@qatra/contract/orders/confirmation'
import { addOrderNote, getTimeline } from '@qatra/contract/orders/timeline'
import { eraseAccount } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { listSimulatedMessages } from '../../../demo/contract/simulator.ts'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeArea, makeHousehold, makeOrder, makeUser, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { runDelayedJobs } from '../../test/jobs.ts'
import { repeated } from '../../test/sample.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>
let admin: Awaited<ReturnType<typeof makeVisitor>>
let staff: typeof admin
let driver: typeof admin
let superAdmin: typeof admin
let otherVendor: number

beforeAll(async () => {
  shop = await startShop({ databasePoolSize: 20 })
  home = await makeHousehold(shop)
  otherVendor = await makeVendor(shop)
  const vendorId = home.vendor
  admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
  staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId })
  driver = await makeVisitor(shop, { role: 'driver', vendorId })
  superAdmin = await makeVisitor(shop, { role: 'super_admin' })
})

const order = (overrides: { status?: string; userId?: number | null; assignedDriverId?: number } = {}) =>
  makeOrder(shop, { userId: home.customer.id, vendorId: home.vendor, ...overrides })
const rowOf = async (id: string) => (await shop.query('select * from orders where id = $1', [id]))[0]
const historyOf = (id: string) => shop.query('select * from order_audit_history where order_id = $1 order by id', [id])
const messagesTo = async (phone: string) =>
  (await shop.visitor().call(listSimulatedMessages, { query: { phone } })).body.map(({ body }) => body)

describe('a driver', () => {
  it('is assigned, notified, and unassigned again', async () => {
    const id = await order()
    const given = await staff.call(assignDriver, { params: { id }, body: { driverId: driver.id, version: 1 } })
    expect(given.body).toMatchObject({ assignedDriverId: driver.id, driver: { id: driver.id }, version: 2 })
    expect((await driver.call(getAdminOrder, { params: { id } })).status).toBe(200)
    await expect.poll(() => messagesTo(driver.phone)).toHaveLength(1)
    // Repeating it changes nothing.
    const again = await admin.call(assignDriver, { params: { id }, body: { driverId: driver.id } })
    expect(again.body.version).toBe(2)
    const taken = await admin.call(unassignDriver, { params: { id }, query: { version: '2' } })
    expect(taken.body).toMatchObject({ assignedDriverId: null, driver: null, version: 3 })
    expect((await driver.call(getAdminOrder, { params: { id } })).status).toBe(404)
    expect(
      (await historyOf(id)).map((row) => [row.field_changed, row.old_value, row.new_value, row.changed_by]),
    ).toEqual([
      ['assignedDriverId', null, String(driver.id), staff.id],
      ['assignedDriverId', String(driver.id), null, admin.id],
    ])
  })

  it('must be an active driver of that vendor', async () => {
    const id = await order()
    const { id: foreign } = await makeUser(shop, { role: 'driver', vendorId: otherVendor })
    const { id: asleep } = await makeUser(shop, { role: 'driver', vendorId: home.vendor })
    await shop.query('update users set is_active = false where id = $1', [asleep])
    for (const driverId of [foreign, asleep, staff.id, 2_000_000_000]) {
      for (const person of [admin, superAdmin]) {
        const { status, refusal } = await person.call(assignDriver, { params: { id }, body: { driverId } })
        expect([status, refusal.code]).toEqual([422, 'DRIVER_NOT_AVAILABLE'])
      }
    }
    expect(await rowOf(id)).toMatchObject({ assigned_driver_id: null, version: 1 })
  })

  it.each(['delivered', 'cancelled'])('stays with a %s order', async (status) => {
    const id = await order({ status, assignedDriverId: driver.id })
    const { id: another } = await makeUser(shop, { role: 'driver', vendorId: home.vendor })
    const given = await admin.call(assignDriver, { params: { id }, body: { driverId: another } })
    const taken = await admin.call(unassignDriver, { params: { id } })
    expect([given.refusal.code, taken.refusal.code]).toEqual(['ORDER_CLOSED', 'ORDER_CLOSED'])
  })

  it('is not assigned with a stale version or an invalid body', async () => {
    const id = await order()
    const stale = await admin.call(assignDriver, { params: { id }, body: { driverId: driver.id, version: 7 } })
    expect([stale.status, stale.refusal.code, stale.refusal.details.version]).toEqual([409, 'VERSION_CONFLICT', 1])
    expect((await admin.call(unassignDriver, { params: { id }, query: { version: '7' } })).status).toBe(200)
    for (const body of [{}, { driverId: 'x' }, { driverId: 0 }, { driverId: null }])
      expect((await admin.send('PUT', `/api/admin/orders/${id}/driver`, { body })).status).toBe(422)
  })
})

describe('payment', () => {
  it('is recorded with its author, along the table of payment transitions', async () => {
    const id = await order()
    const { body } = await staff.call(changePayment, {
      params: { id },
      body: { paymentStatus: 'paid', paymentMethod: 'card', notes: 'Terminal 4' },
    })
    expect(body).toMatchObject({ paymentStatus: 'paid', paymentMethod: 'card', version: 2 })
    expect((await historyOf(id)).map((row) => [row.field_changed, row.new_value, row.changed_by, row.notes])).toEqual([
      ['paymentMethod', 'card', staff.id, 'Terminal 4'],
      ['paymentStatus', 'paid', staff.id, 'Terminal 4'],
    ])
    const back = await staff.call(changePayment, { params: { id }, body: { paymentStatus: 'pending' } })
    expect([back.status, back.refusal.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    const same = await staff.call(changePayment, { params: { id }, body: { paymentStatus: 'paid' } })
    expect(same.body.version).toBe(2)
    const stale = await staff.call(changePayment, { params: { id }, body: { paymentStatus: 'unpaid', version: 1 } })
    expect(stale.refusal.code).toBe('VERSION_CONFLICT')
    for (const wrong of [{}, { paymentStatus: 'late' }, { paymentMethod: 'shells' }, { notes: 'only' }])
      expect((await staff.send('PATCH', `/api/admin/orders/${id}/payment`, { body: wrong })).status).toBe(422)
  })

  it('without a status reads as unpaid', async () => {
    const id = await order()
    await shop.query('update orders set payment_status = null where id = $1', [id])
    const { body } = await staff.call(changePayment, { params: { id }, body: { paymentStatus: 'paid' } })
    expect(body.paymentStatus).toBe('paid')
    expect((await historyOf(id))[0]).toMatchObject({ old_value: 'unpaid', new_value: 'paid' })
  })
})

describe('bulk changes', () => {
  it('authorize each order alone: a refused one does not affect the others', async () => {
    const ids = [await order(), await order({ status: 'cancelled' }), await order({ status: 'in-progress' })]
    const foreign = await makeOrder(shop, { userId: null, vendorId: otherVendor })
    const { body } = await staff.call(changeManyOrders, {
      body: { ids: [...ids, foreign, 'nonsense', ids[0] ?? ''], status: 'shipped', notes: 'Van 2' },
    })
    expect(body.results.map(({ code }) => code)).toEqual([
      null,
      'ILLEGAL_TRANSITION',
      null,
      'ORDER_NOT_FOUND',
      'ORDER_NOT_FOUND',
    ])
    expect(body.changed).toBe(2)
    expect(await rowOf(foreign)).toMatchObject({ status: 'new', version: 1 })
    expect((await historyOf(ids[0] ?? '')).map((row) => [row.new_value, row.notes])).toEqual([['shipped', 'Van 2']])
  })

  it('assign all to one driver with one notification', async () => {
    const fresh = await makeUser(shop, { role: 'driver', vendorId: home.vendor })
    const ids = await Promise.all(Array.from({ length: 12 }, () => order()))
    const { body } = await admin.call(changeManyOrders, { body: { ids, driverId: fresh.id } })
    expect(body.changed).toBe(12)
    await runDelayedJobs(shop, 'order-messages', 'send-messages')
    const messages = await messagesTo(fresh.phone)
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('12')
    const off = await admin.call(changeManyOrders, { body: { ids, driverId: null } })
    expect(off.body.results.every(({ driverId }) => driverId === null)).toBe(true)
  })

  it.each([
    {},
    { ids: [], status: 'shipped' },
    { ids: ['A'] },
    { ids: ['A'], status: 'delivered', driverId: 1 },
    { ids: ['A'], status: 'shipped', driverId: null },
    { ids: ['A'], status: 'shipped', driverId: 1, promisedDate: '2026-11-24' },
    { ids: ['A'], status: 'lost' },
    { ids: Array.from({ length: 101 }, (_, n) => `A${n}`), status: 'shipped' },
  ])('refuses %j', async (body) => {
    expect((await admin.send('POST', '/api/admin/orders/bulk', { body })).status).toBe(422)
  })
})

describe('the timeline', () => {
  it('shows author, customer, change and reason, and keeps staff notes', async () => {
    const id = await order({ assignedDriverId: driver.id })
    await shop.query('update users set name = $2 where id = $1', [driver.id, 'Bilal'])
    await admin.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress', notes: '<b>Early</b>' } })
    await admin.call(unassignDriver, { params: { id } })
    await admin.call(assignDriver, { params: { id }, body: { driverId: driver.id } })
    const { body: noted } = await staff.call(addOrderNote, {
      params: { id },
      body: { text: '  Gate code 12\nring twice ' },
    })
    expect(noted[0]).toMatchObject({ action: 'note', notes: 'Gate code 12\nring twice', by: { id: staff.id } })
    const { body } = await admin.call(getTimeline, { params: { id } })
    expect(
      body.map(({ action, field, to, toName, fromName, notes }) => [action, field, to, toName ?? fromName, notes]),
    ).toEqual([
      ['note', null, null, null, 'Gate code 12\nring twice'],
      ['updated', 'assignedDriverId', String(driver.id), 'Bilal', null],
      ['updated', 'assignedDriverId', null, 'Bilal', null],
      ['updated', 'status', 'in-progress', null, '<b>Early</b>'],
    ])
    const { body: drivers } = await driver.call(getTimeline, { params: { id } })
    expect(drivers.map(({ action }) => action)).not.toContain('note')
    for (const text of ['', '   ', 'x'.repeat(1001)])
      expect((await staff.send('POST', `/api/admin/orders/${id}/notes`, { body: { text } })).status).toBe(422)
  })

  it('names the system for changes without an actor, and cannot be rewritten', async () => {
    const id = await order()
    await shop.query(
      `insert into order_audit_history (order_id, action, field_changed, new_value) values ($1, 'updated', 'status', 'shipped')`,
      [id],
    )
    const { body } = await admin.call(getTimeline, { params: { id } })
    expect(body[0]).toMatchObject({ by: null, onBehalfOf: null, to: 'shipped' })
    await expect(shop.query('update order_audit_history set notes = $1', ['x'])).rejects.toThrow(/never changed/)
    await expect(shop.query('delete from order_audit_history')).rejects.toThrow(/never changed/)
  })
})

describe('the confirmation', () => {
  it("is sent once a minute in the customer's language, with its delivery status", async () => {
    await shop.query(`update users set language = 'en' where id = $1`, [home.customer.id])
    const id = await order()
    await shop.query('update orders set phone = $2 where id = $1', [id, home.customer.phone])
    expect((await admin.call(getConfirmation, { params: { id } })).body.status).toBe('none')
    const presses = await Promise.all(
      [admin, staff, superAdmin].map((who) => who.call(sendConfirmation, { params: { id } })),
    )
    expect(presses.map(({ status }) => status).sort()).toEqual([200, 429, 429])
    const late = presses.find(({ status }) => status === 429)
    expect(Number(late?.headers['retry-after'])).toBeGreaterThan(50)
    expect(Number(late?.headers['retry-after'])).toBeLessThan(70)
    const confirmed = async () => (await messagesTo(home.customer.phone)).filter((text) => text.includes('confirms'))
    await expect.poll(confirmed).toHaveLength(1)
    await expect
      .poll(async () => (await admin.call(getConfirmation, { params: { id } })).body.status)
      .toMatch(/sent|delivered|read/)
    expect((await historyOf(id)).filter(({ action }) => action === 'confirmation')).toHaveLength(1)
  })

  it("shows the provider's error", async () => {
    const id = await order()
    await shop.query('update orders set phone = $2 where id = $1', [id, '+97336009990'])
    await admin.call(sendConfirmation, { params: { id } })
    await expect
      .poll(async () => (await admin.call(getConfirmation, { params: { id } })).body)
      .toMatchObject({ status: 'failed', problem: expect.any(String) })
  })

  it('is refused if it cannot be delivered', async () => {
    const [cancelled, erased] = [await order({ status: 'cancelled' }), await order({ userId: null })]
    await shop.query(`update orders set phone = '—' where id = $1`, [erased])
    for (const id of [cancelled, erased]) {
      const { status, refusal } = await admin.call(sendConfirmation, { params: { id } })
      expect([status, refusal.code]).toEqual([422, 'CUSTOMER_NOT_REACHABLE'])
    }
  })
})

describe('concurrent changes', () => {
  it('of twenty conflicting moves one wins, with one history row', async () => {
    for (let round = 0; round < repeated(5, 3); round += 1) {
      const id = await order({ status: 'shipped' })
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 4 < 2 ? admin : staff).call(changeOrderStatus, {
            params: { id },
            body: { status: n % 2 ? 'delivered' : 'cancelled' },
          }),
        ),
      )
      const moves = (await historyOf(id)).filter((row) => row.field_changed === 'status')
      expect(moves).toHaveLength(1)
      const row = await rowOf(id)
      expect(row).toMatchObject({ status: moves[0]?.new_value, version: 2 })
      // Requests for the winning status succeed, all others are refused.
      for (const { status, body, refusal } of answers)
        if (status === 200) expect(body.status).toBe(row?.status)
        else expect([status, refusal.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    }
  })

  it('would let several win if the status were read and then written', async () => {
    const id = await order({ status: 'shipped' })
    let moves = 0
    const naive = async (to: string) => {
      const row = await rowOf(id)
      if (row?.['status'] !== 'shipped') return
      moves += 1
      await shop.query('update orders set status = $2 where id = $1', [id, to])
    }
    await Promise.all(Array.from({ length: 20 }, (_, n) => naive(n % 2 ? 'delivered' : 'cancelled')))
    expect(moves).toBeGreaterThan(1)
  })

  it('let one of two dispatchers with one version assign, and refuse the other', async () => {
    const { id: first } = await makeUser(shop, { role: 'driver', vendorId: home.vendor })
    const { id: second } = await makeUser(shop, { role: 'driver', vendorId: home.vendor })
    for (let round = 0; round < repeated(10, 4); round += 1) {
      const id = await order()
      const answers = await Promise.all([
        admin.call(assignDriver, { params: { id }, body: { driverId: first, version: 1 } }),
        staff.call(assignDriver, { params: { id }, body: { driverId: second, version: 1 } }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('VERSION_CONFLICT')
      expect(await historyOf(id)).toHaveLength(1)
      expect((await rowOf(id))?.version).toBe(2)
    }
  })

  it('let one of assignment and move on one version win, and refuse the other', async () => {
    for (let round = 0; round < repeated(10, 4); round += 1) {
      const id = await order()
      const answers = await Promise.all([
        admin.call(assignDriver, { params: { id }, body: { driverId: driver.id, version: 1 } }),
        staff.call(changeOrderStatus, { params: { id }, body: { status: 'in-progress', version: 1 } }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await rowOf(id))?.version).toBe(2)
    }
  })
})

describe('the address of an open order', () => {
  const change = (who: typeof admin, id: string, body: object) =>
    who.send('PATCH', `/api/admin/orders/${id}/address`, { body: { address: 'Block 555, road 12, house 3', ...body } })

  it('is corrected with pin and area, recorded in the timeline, and notifies the driver', async () => {
    const id = await order({ assignedDriverId: driver.id, status: 'shipped' })
    await shop.query(`update orders set address = 'Block 1, road 2', instructions = 'Ring twice' where id = $1`, [id])
    const to = await makeArea(shop, [home.vendor])
    const place = { lat: to.lat, lng: to.lng }
    const parts = { block: '555', road: '12', building: '3' }
    const input = { addressParts: parts, mapCoordinates: place, instructions: '', version: 1 }
    const { status, body } = await change(staff, id, input)
    expect([status, body]).toMatchObject([
      200,
      {
        address: 'Block 555, road 12, house 3',
        addressParts: parts,
        mapCoordinates: place,
        areaId: to.areaId,
        version: 2,
      },
    ])
    expect(body).toMatchObject({ instructions: null, status: 'shipped', total: 2.15 })
    const { body: timeline } = await staff.call(getTimeline, { params: { id } })
    expect(timeline[0]).toMatchObject({ field: 'address', notes: 'Block 1, road 2\nRing twice', by: { id: staff.id } })
    // Repeating it changes nothing.
    expect((await change(admin, id, { addressParts: parts, mapCoordinates: place })).body).toMatchObject({ version: 2 })
    expect(await historyOf(id)).toHaveLength(1)
    const bell = async () =>
      (await driver.call(listNotifications)).body.items.map(({ kind, orderId }) => [kind, orderId])
    await expect.poll(bell).toContainEqual(['order-address-changed', id])
  })

  it('keeps pin and instructions that are not named', async () => {
    const id = await order()
    const before = await rowOf(id)
    await change(staff, id, {})
    expect(await rowOf(id)).toMatchObject({ lat: before?.['lat'], area_id: before?.['area_id'], address_parts: null })
  })

  it("is refused outside the vendor's areas, for a closed order and on a stale version", async () => {
    const id = await order()
    const foreign = await makeArea(shop, [otherVendor])
    const at = { lat: foreign.lat, lng: foreign.lng }
    const refusals: [object, number, string][] = [
      [{ mapCoordinates: at }, 422, 'VENDOR_DOES_NOT_DELIVER'],
      [{ mapCoordinates: { lat: -40, lng: 10 } }, 422, 'OUTSIDE_SERVICE_AREA'],
      [{ mapCoordinates: { lat: 0, lng: 0 } }, 422, 'ADDRESS_REQUIRED'],
      [{ version: 9 }, 409, 'VERSION_CONFLICT'],
      [{ address: 'short' }, 422, 'INVALID_BODY'],
    ]
    for (const [body, status, code] of refusals) {
      const answer = await change(admin, id, body)
      expect([body, answer.status, answer.refusal.code]).toEqual([body, status, code])
    }
    for (const status of ['delivered', 'cancelled']) {
      const answer = await change(admin, await order({ status }), {})
      expect([answer.status, answer.refusal.code]).toEqual([409, 'ORDER_CLOSED'])
    }
    expect(await rowOf(id)).toMatchObject({ version: 1 })
  })

  it('is erased with the person, in the history too', async () => {
    const customer = await makeVisitor(shop)
    const id = await makeOrder(shop, { userId: customer.id, vendorId: home.vendor })
    await change(staff, id, {})
    expect((await customer.call(eraseAccount)).status).toBe(200)
    expect(JSON.stringify([await rowOf(id), await historyOf(id)])).not.toMatch(/[Rr]oad|Seef/)
  })
})
