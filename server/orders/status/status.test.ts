import { FRIDAY, weekdayOf } from '@qatra/contract/calendar/calendar'
import { changeOrderStatus, countOrders, getAdminOrder } from '@qatra/contract/orders/admin'
import { changePromise } from '@qatra/contract/orders/delivery'
import { editItems } from '@qatra/contract/orders/editing'
import { canBecome, type OrderStatus, orderStatuses } from '@qatra/contract/orders/order-status'
import { getOrder } from '@qatra/contract/orders/orders'
import { getMyReceipt } from '@qatra/contract/orders/receipts'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeHousehold, makeOrder, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'
import { hasPoppler, managedPdf, textOf } from '../../test/fixtures/pdf.ts'
import { repeated, sample, sampleSeed } from '../../test/sample.ts'

let shop: TestShop
let home: Awaited<ReturnType<typeof makeHousehold>>
let people: Record<string, Awaited<ReturnType<typeof makeVisitor>>>

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  home = await makeHousehold(shop)
  const other = await makeVendor(shop)
  const [vendorId, elsewhere] = [home.vendor, other]
  people = {
    super: await makeVisitor(shop, { role: 'super_admin' }),
    admin: await makeVisitor(shop, { role: 'vendor_admin', vendorId }),
    staff: await makeVisitor(shop, { role: 'vendor_staff', vendorId }),
    driver: await makeVisitor(shop, { role: 'driver', vendorId }),
    otherDriver: await makeVisitor(shop, { role: 'driver', vendorId }),
    otherAdmin: await makeVisitor(shop, { role: 'vendor_admin', vendorId: elsewhere }),
    otherStaff: await makeVisitor(shop, { role: 'vendor_staff', vendorId: elsewhere }),
    sales: await makeVisitor(shop, { role: 'vendor_sales', vendorId }),
    customer: home.customer,
  }
})

const personOf = (name: string) => {
  const person = people[name]
  if (!person) throw new Error(`Nobody is ${name}`)
  return person
}
const rowOf = async (id: string) => (await shop.query('select * from orders where id = $1', [id]))[0]
const historyOf = (id: string) =>
  shop.query(
    'select field_changed, old_value, new_value, changed_by, notes from order_audit_history where order_id = $1 order by id',
    [id],
  )

/** Creates an order with this status, assigned to the driver. */
async function orderIn(status: OrderStatus) {
  const id = await home.order()
  await shop.query('update orders set status = $2, assigned_driver_id = $3 where id = $1', [
    id,
    status,
    personOf('driver').id,
  ])
  return id
}
const move = (name: string, id: string, status: OrderStatus, more: object = {}) =>
  personOf(name).call(changeOrderStatus, { params: { id }, body: { status, ...more } })

describe('a cancelled order that is opened again', () => {
  const reopen = (id: string, more: object = {}) => move('super', id, 'in-progress', { notes: 'Called back', ...more })
  const dayOf = async (sql: string) => {
    const [row] = await shop.query<{ day: string }>(
      `select ((now() at time zone 'Asia/Bahrain')::date ${sql})::text as day`,
    )
    return row?.day ?? ''
  }

  it('keeps its day while it can be kept', async () => {
    const id = await orderIn('cancelled')
    const { status, body } = await reopen(id)
    expect([status, body.status]).toEqual([200, 'in-progress'])
    expect((await historyOf(id)).some(({ field_changed }) => field_changed === 'promisedDate')).toBe(false)
  })

  it('needs an open day if its own is over or was closed meanwhile', async () => {
    const [over, shut] = [await orderIn('cancelled'), await orderIn('cancelled')]
    // No Friday, on which it would be refused as closed.
    const past = [await dayOf('- 3'), await dayOf('- 4')].find((day) => weekdayOf(day) !== FRIDAY)
    await shop.query('update orders set promised_date = $2 where id = $1', [over, past])
    await shop.query(
      `insert into holidays (vendor_id, day, name, name_ar)
       select vendor_id, promised_date, 'Stock-taking', 'جرد' from orders where id = $1`,
      [shut],
    )
    for (const id of [over, shut]) {
      const refused = await reopen(id)
      expect([refused.status, refused.refusal.code]).toEqual([422, 'DATE_NOT_AVAILABLE'])
      const [first = ''] = refused.refusal.details['days'] as string[]
      expect((await reopen(id, { promisedDate: await dayOf('- 1') })).refusal.code).toBe('DATE_NOT_AVAILABLE')
      expect((await reopen(id, { promisedDate: first })).body).toMatchObject({
        status: 'in-progress',
        promisedDate: first,
      })
      const { body: timeline } = await personOf('admin').call(getTimeline, { params: { id } })
      expect(
        timeline
          .slice(0, 2)
          .map(({ field }) => field)
          .sort(),
      ).toEqual(['promisedDate', 'status'])
    }
    await shop.query('delete from holidays where vendor_id = $1', [home.vendor])
  })
})

const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const))
const names = [
  'super',
  'admin',
  'staff',
  'driver',
  'otherDriver',
  'otherAdmin',
  'otherStaff',
  'sales',
  'customer',
] as const

/** The specified transitions, written independently of the code. */
function expected(name: (typeof names)[number], from: OrderStatus, to: OrderStatus, hasNote: boolean): number {
  if (name === 'sales' || name === 'customer') return 403
  if (name.startsWith('other')) return 404
  if (from === to) return 200
  if (name === 'driver' && to !== 'shipped' && to !== 'delivered') return 403
  if (name === 'super') return canBecome(from, to) || hasNote ? 200 : 422
  if (name === 'admin' && hasNote && from === 'delivered' && (to === 'in-progress' || to === 'shipped')) return 200
  return canBecome(from, to) ? 200 : 409
}

const cases = sample(
  names.flatMap((name) => pairs.flatMap(([from, to]) => [false, true].map((hasNote) => ({ name, from, to, hasNote })))),
  0.25,
)

describe.each(names)(`%s (seed ${sampleSeed})`, (name) => {
  it.each(cases.filter((one) => one.name === name))(
    'from $from to $to, with a note: $hasNote',
    async ({ from, to, hasNote }) => {
      const [userId, assignedDriverId] = [home.customer.id, personOf('driver').id]
      const id = await makeOrder(shop, { userId, vendorId: home.vendor, status: from, assignedDriverId })
      const before = await rowOf(id)
      const { status, refusal } = await move(name, id, to, hasNote ? { notes: 'Because' } : {})
      expect(status).toBe(expected(name, from, to, hasNote))
      const moved = status === 200 && from !== to
      expect(await rowOf(id)).toMatchObject(moved ? { status: to, version: 2 } : { ...before })
      const changes = (await historyOf(id)).filter((row) => row.field_changed === 'status')
      expect(changes).toHaveLength(moved ? 1 : 0)
      if (moved) {
        const notes = hasNote ? 'Because' : null
        expect(changes[0]).toMatchObject({ old_value: from, new_value: to, changed_by: personOf(name).id, notes })
      }
      if (status === 409) expect(refusal.code).toBe('ILLEGAL_TRANSITION')
    },
  )
})

describe('delivering', () => {
  it('marks a cash order paid with the time, unless the request says otherwise', async () => {
    const id = await orderIn('shipped')
    const { body } = await move('driver', id, 'delivered')
    expect(body).toMatchObject({ status: 'delivered', paymentStatus: 'paid', version: 2 })
    expect(Date.parse(body.deliveredAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect((await historyOf(id)).map((row) => [row.field_changed, row.old_value, row.new_value])).toEqual([
      ['status', null, 'new'],
      ['status', 'shipped', 'delivered'],
      ['paymentStatus', 'pending', 'paid'],
    ])
    const unpaid = await orderIn('shipped')
    expect((await move('driver', unpaid, 'delivered', { paymentStatus: 'unpaid' })).body.paymentStatus).toBe('unpaid')
    const card = await orderIn('shipped')
    await shop.query(`update orders set payment_method = 'card' where id = $1`, [card])
    expect((await move('admin', card, 'delivered')).body.paymentStatus).toBe('pending')
  })

  it('is refused with the states of the payment if the payment cannot change so', async () => {
    const id = await orderIn('shipped')
    await shop.query(`update orders set payment_status = 'paid' where id = $1`, [id])
    const { status, refusal } = await move('admin', id, 'delivered', { paymentStatus: 'pending' })
    expect([status, refusal.code]).toEqual([409, 'ILLEGAL_TRANSITION'])
    expect(refusal.details).toMatchObject({ from: 'paid', to: 'pending' })
    expect(await rowOf(id)).toMatchObject({ status: 'shipped', payment_status: 'paid' })
  })

  it('clears the date if a super admin reverts it', async () => {
    const id = await orderIn('shipped')
    await move('driver', id, 'delivered')
    expect((await move('super', id, 'shipped', { notes: 'Wrong door' })).body.deliveredAt).toBeNull()
  })
})

describe('two people', () => {
  it('with one version: the second is refused', async () => {
    const id = await orderIn('new')
    expect((await move('admin', id, 'in-progress', { version: 1 })).status).toBe(200)
    const { status, refusal } = await move('staff', id, 'shipped', { version: 1 })
    expect([status, refusal.code, refusal.details.version]).toEqual([409, 'VERSION_CONFLICT', 2])
    expect((await move('staff', id, 'shipped', { version: 2 })).status).toBe(200)
  })

  it('with concurrent moves keep the transition table at every step', async () => {
    for (let round = 0; round < repeated(20, 6); round += 1) {
      const id = await orderIn('new')
      const requested: OrderStatus[] = ['in-progress', 'shipped', 'delivered', 'cancelled']
      await Promise.all(requested.flatMap((to) => [move('admin', id, to), move('staff', id, to)]))
      const steps = (await historyOf(id)).filter((row) => row.field_changed === 'status').slice(1)
      let current: OrderStatus = 'new'
      for (const { old_value, new_value } of steps as { old_value: OrderStatus; new_value: OrderStatus }[]) {
        expect(old_value).toBe(current)
        expect(canBecome(old_value, new_value)).toBe(true)
        current = new_value
      }
      expect(await rowOf(id)).toMatchObject({ status: current, version: steps.length + 1 })
    }
  })
})

it('the timeline has one row more than the moves, and `can` matches what the server allows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...orderStatuses), { maxLength: 8 }), async (requested) => {
      const id = await home.order()
      let moves = 0
      for (const to of requested) {
        const before = (await rowOf(id)) as { status: OrderStatus }
        const allowed = canBecome(before.status, to)
        const { status, body } = await move('admin', id, to)
        expect(status === 200).toBe(allowed || before.status === to)
        if (status === 200)
          expect(body.can.changeStatus).toEqual(orderStatuses.filter((next) => canBecome(body.status, next)))
        if (allowed) moves += 1
      }
      const { body } = await home.customer.call(getOrder, { params: { id } })
      expect(body.steps).toHaveLength(moves + 1)
      expect(body.can.changeStatus).toEqual([])
    }),
    { numRuns: repeated(25, 10) },
  )
})

it('a vendor without processing ships new orders, and one that is moved to another day is new again', async () => {
  const [id, waiting, forced] = [await orderIn('new'), await orderIn('in-progress'), await orderIn('new')]
  const setSteps = (processing: boolean) =>
    personOf('admin').call(saveBusiness, { params: { id: String(home.vendor) }, body: { processing } })
  await setSteps(false)
  const { body: counts } = await personOf('staff').call(countOrders, { query: {} })
  expect(counts.processing).toBe(false)
  expect((await move('staff', id, 'in-progress')).refusal.code).toBe('ILLEGAL_TRANSITION')
  const { body: shipped } = await move('staff', id, 'shipped')
  expect(shipped).toMatchObject({ status: 'shipped', processing: false })
  const { body: days } = await home.customer.call(getDeliveryDays, { query: { vendorId: String(home.vendor) } })
  const date = days.find(({ date: day }) => day !== shipped.promisedDate)?.date ?? ''
  const { body: moved } = await personOf('admin').call(changePromise, { params: { id }, body: { date } })
  expect([moved.status, moved.can.changeStatus.includes('in-progress')]).toEqual(['new', false])
  expect((await move('staff', waiting, 'shipped')).body.status).toBe('shipped')
  expect((await move('super', forced, 'in-progress')).status).toBe(422)
  expect((await move('super', forced, 'in-progress', { notes: 'For the auditor' })).body.status).toBe('in-progress')
  await setSteps(true)
})

describe('bad input', () => {
  it.each([{ status: 'lost' }, {}, { status: 'shipped', notes: 'x'.repeat(1001) }, { status: 'shipped', version: 0 }])(
    'is refused: %j',
    async (body) => {
      const id = await orderIn('new')
      const { status } = await personOf('admin').send('PATCH', `/api/admin/orders/${id}/status`, { body })
      expect(status).toBe(422)
      expect(await rowOf(id)).toMatchObject({ status: 'new' })
    },
  )
  it("names the missing note in the reader's language", async () => {
    const id = await orderIn('delivered')
    const { status, refusal } = await move('super', id, 'new')
    expect(status).toBe(422)
    expect(Object.keys(refusal.details.fields ?? {})).toEqual(['notes'])
  })
})

describe('a delivery that is taken back', () => {
  const deliver = (id: string) => move('super', id, 'delivered')
  const notes = 'The wrong door'
  const takeBack = (id: string, to: OrderStatus = 'shipped') => move('super', id, to, { notes })
  const pdf = (id: string, query: string) => managedPdf(shop, personOf('super'))(id, query)
  const receiptsOf = (vendorId: number) =>
    shop.query('select number from receipts where vendor_id = $1 order by number', [vendorId])

  it('is credited and has a new number when it is delivered again, so that each number names one bill', async () => {
    const { order, vendor, water, customer } = await makeHousehold(shop)
    const id = await order(5)
    const view = async () => (await customer.call(getOrder, { params: { id } })).body
    const papers: [number: string, total: string][] = []
    const totals: number[] = []
    for (const [round, quantity] of [5, 3, 7].entries()) {
      if (round > 0) {
        expect((await takeBack(id, 'in-progress')).body).toMatchObject({ invoiceNumber: null, can: { items: true } })
        const { version } = await view()
        const edit = { items: [{ productId: water, quantity }], version }
        expect((await personOf('super').call(editItems, { params: { id }, body: edit })).status).toBe(200)
      }
      await deliver(id)
      const { invoiceNumber, total } = await view()
      expect(invoiceNumber).toBe(`${vendor}-00000${round + 1}`)
      papers.push([invoiceNumber ?? '', String(total)])
      totals.push(total)
    }
    const { creditNotes } = await view()
    const [first = 0, second = 0] = totals
    expect(new Set(totals).size).toBe(3)
    expect(creditNotes).toMatchObject([
      { number: `CN-${vendor}-000001`, amount: first, invoiceNumber: `${vendor}-000001` },
      { number: `CN-${vendor}-000002`, amount: second, invoiceNumber: `${vendor}-000002` },
    ])
    // What was billed and not credited is what was delivered.
    const [sums] = await shop.query<{ billed: number; total: number }>(
      `select (select sum((bill #>> '{totals,total}')::integer) from receipts where order_id = o.id)::integer
         - (select sum((bill #>> '{totals,total}')::integer) from credit_notes where order_id = o.id)::integer as billed,
         o.total::integer from orders o where o.id = $1`,
      [id],
    )
    expect(sums?.billed).toBe(sums?.total)
    papers.push(...creditNotes.map(({ number, amount }): [string, string] => [number, String(amount)]))
    if (hasPoppler)
      for (const [number, total] of papers) {
        const text = textOf((await pdf(id, `lang=en&number=${number}`)).bytes)
        expect(text).toContain(number)
        expect(text).toContain(total)
      }
    for (const number of papers.map(([number]) => number))
      expect((await customer.call(getMyReceipt, { params: { id }, query: { number } })).status).toBe(200)
    const stranger = await makeVisitor(shop)
    const number = `CN-${vendor}-000001`
    expect((await stranger.call(getMyReceipt, { params: { id }, query: { number } })).status).toBe(404)
    for (const wrong of [`${vendor}-000009`, '1-000001', 'x'])
      expect((await pdf(id, `number=${encodeURIComponent(wrong)}`)).status).toBe(404)
  })

  it('by the vendor’s own manager is offered and credited like any; others are refused and change nothing', async () => {
    const id = await orderIn('shipped')
    await deliver(id)
    const { invoiceNumber, version, can } = (await personOf('admin').call(getAdminOrder, { params: { id } })).body
    expect(can.takeBack).toBe(true)
    expect((await personOf('staff').call(getAdminOrder, { params: { id } })).body.can.takeBack).toBe(false)
    const refused = await Promise.all(
      (['staff', 'driver', 'sales', 'otherAdmin', 'otherStaff'] as const).map((name) =>
        move(name, id, 'shipped', { notes }),
      ),
    )
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 403, 404, 404])
    expect((await move('admin', id, 'shipped')).refusal.code).toBe('ILLEGAL_TRANSITION')
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', version })
    const { body } = await move('admin', id, 'in-progress', { notes, version })
    expect(body).toMatchObject({ status: 'in-progress', invoiceNumber: null, creditNotes: [{ invoiceNumber }] })
    expect(body.can.takeBack).toBe(false)
    expect((await historyOf(id)).at(-1)).toMatchObject({ changed_by: personOf('admin').id, notes })
  })

  it('is credited when the order is cancelled; its papers remain', async () => {
    const { order, vendor, customer } = await makeHousehold(shop)
    const id = await order()
    await deliver(id)
    const { body } = await takeBack(id, 'cancelled')
    expect(body).toMatchObject({
      status: 'cancelled',
      invoiceNumber: null,
      creditNotes: [{ invoiceNumber: `${vendor}-000001` }],
    })
    const note = { params: { id }, query: { number: `CN-${vendor}-000001` } }
    const { status, headers } = await customer.call(getMyReceipt, note)
    expect([status, headers['content-disposition']]).toEqual([200, expect.stringContaining('credit-note-CN-')])
    await expect(shop.query('delete from credit_notes where order_id = $1', [id])).rejects.toThrow('never changed')
  })

  it('of a receipt without a copy, of an earlier version, gives the copy to the note', async () => {
    const { order, vendor } = await makeHousehold(shop)
    const id = await order(4)
    await shop.query(
      `insert into receipts (order_id, vendor_id, number, seller, issued_at) values ($1, $2, 1, '{"name": "V"}', now())`,
      [id, vendor],
    )
    await shop.query(`update orders set status = 'delivered', delivered_at = now() where id = $1`, [id])
    await takeBack(id)
    await shop.query(`update order_items set quantity = 9 where order_id = $1`, [id])
    await deliver(id)
    expect(await receiptsOf(vendor)).toMatchObject([{ number: 1 }, { number: 2 }])
    const [note] = await shop.query<{ bill: { lines: object[] } }>(
      'select bill from credit_notes where order_id = $1',
      [id],
    )
    expect(note?.bill.lines).toMatchObject([{ quantity: 4, vat: 602 }])
    if (hasPoppler) {
      const old = textOf((await pdf(id, `lang=en&number=${vendor}-000001`)).bytes)
      expect(old).toContain(`CN-${vendor}-000001`)
      expect(old).toContain('6.020')
    }
  })
})
