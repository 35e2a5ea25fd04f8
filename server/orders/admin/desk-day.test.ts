import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { readDashboard } from '@qatra/contract/dashboard/dashboard'
import { reportAttempt } from '@qatra/contract/drivers'
import { changeManyOrders, countOrders, getAdminOrder, listOrders } from '@qatra/contract/orders/admin'
import { changePromise } from '@qatra/contract/orders/delivery'
import { rescheduleOrder } from '@qatra/contract/orders/orders'
import { getTimeline } from '@qatra/contract/orders/timeline'
import { getDeliveryDays } from '@qatra/contract/vendors/vendors'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeOrder, makeProduct, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'

let shop: TestShop
const today = bahrainDate(new Date())
const day = (n: number) => addDays(today, n)

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
})

interface Facts {
  promised?: string
  status?: string
  driver?: number
  area?: [string, string]
  block?: string
}

/** A vendor with its office, a driver, and orders by name. */
async function withStaff(facts: Record<string, Facts>) {
  const vendorId = await makeVendor(shop)
  const office = await makeVisitor(shop, { role: 'vendor_staff', vendorId })
  const driver = await makeVisitor(shop, { role: 'driver', vendorId })
  const names = new Map<string, string>()
  for (const [name, { promised = today, status = 'new', driver: driverId = null, area, block }] of Object.entries(
    facts,
  )) {
    const id = await makeOrder(shop, { userId: null, vendorId, status, assignedDriverId: driverId })
    await shop.query(
      `update orders set promised_date = $2, area_name = coalesce($3, area_name), area_name_ar = coalesce($4, area_name_ar),
         address_parts = $5 where id = $1`,
      [id, promised, area?.[0] ?? null, area?.[1] ?? null, block ? { block, building: '1' } : null],
    )
    names.set(id, name)
  }
  const idOf = (name: string) => [...names].find(([, one]) => one === name)?.[0] ?? ''
  const list = async (query: Record<string, string>, who = office) => {
    const { body } = await who.call(listOrders, { query: query as never })
    return { day: body.day, names: body.items.map(({ id }) => names.get(id) ?? 'foreign'), items: body.items }
  }
  const fail = (name: string) =>
    office.call(reportAttempt, { params: { id: idOf(name) }, body: { reason: 'absent' } }).then(({ status }) => status)
  return { vendorId, office, driver, idOf, list, fail }
}

describe('a delivery day', () => {
  it('has its orders by area in the language of the reader, in an area the oldest first', async () => {
    const { list } = await withStaff({
      zallaq: { area: ['Zallaq', 'الزلاق'] },
      first: { area: ['Adliya', 'العدلية'] },
      second: { area: ['Adliya', 'العدلية'] },
      late: { area: ['Zallaq', 'الزلاق'], promised: day(-1) },
      done: { area: ['Adliya', 'العدلية'], status: 'delivered' },
      riffa: { area: ['Riffa', 'الرفاع'] },
    })
    const read = async (lang: string) => (await list({ day: today, sort: 'due', lang } as never)).names
    expect((await read('ar')).filter((name) => name !== 'late')).toEqual(['riffa', 'zallaq', 'first', 'second', 'done'])
    expect((await read('ar'))[0]).toBe('late')
  })

  it('of today contains the open orders of earlier days, late and failed first', async () => {
    const { list, fail } = await withStaff({
      done: { status: 'delivered' },
      cancelled: { status: 'cancelled' },
      packed: { status: 'in-progress' },
      tried: { status: 'shipped' },
      fresh: {},
      late: { promised: day(-2), status: 'in-progress' },
      doneEarlier: { promised: day(-2), status: 'delivered' },
      tomorrow: { promised: day(1) },
    })
    expect(await fail('tried')).toBe(200)
    expect((await list({ day: today, sort: 'due' })).names).toEqual([
      'late',
      'tried',
      'packed',
      'fresh',
      'done',
      'cancelled',
    ])
    expect((await list({ day: day(1) })).names).toEqual(['tomorrow'])
    expect((await list({ day: day(-2) })).names.sort()).toEqual(['doneEarlier', 'late'])
  })

  it.each<[string, Record<string, Facts>, number]>([
    ['today, if an open order is promised for it', { open: {}, later: { promised: day(3) } }, 0],
    ['today, if an open order is late', { late: { promised: day(-1) }, later: { promised: day(3) } }, 0],
    ['the next day with an open order', { done: { status: 'delivered' }, later: { promised: day(3) } }, 3],
    ['today, without open orders', { done: { status: 'cancelled', promised: day(2) } }, 0],
  ])('`next` is %s', async (_, facts, expected) => {
    const { list, office } = await withStaff(facts)
    const found = await list({ day: 'next' })
    expect(found.day).toBe(day(expected))
    expect(found.names).toEqual((await list({ day: day(expected) })).names)
    const { body } = await office.call(countOrders, { query: { day: 'next' } })
    expect(body.all).toBe(found.names.length)
    expect(body.today).toBe(today)
  })
})

describe('orders that need action', () => {
  it('are late, failed until they are delivered or their customer answers, or open without a driver', async () => {
    const { vendorId, list, fail, office, driver, idOf } = await withStaff({
      late: { promised: day(-1) },
      lateDone: { promised: day(-1), status: 'delivered' },
      tried: { status: 'shipped', promised: day(1) },
      triedAndShippedAgain: { status: 'in-progress' },
      triedAndCancelled: { status: 'shipped' },
      triedAndMoved: { status: 'shipped' },
      triedAndAnswered: { status: 'shipped' },
      triedAndDelivered: { status: 'shipped' },
      movedAndConfirmed: { status: 'shipped' },
      taken: {},
    })
    const failing = ['tried', 'triedAndShippedAgain', 'triedAndCancelled', 'triedAndMoved', 'triedAndAnswered']
    for (const name of [...failing, 'triedAndDelivered', 'movedAndConfirmed']) expect(await fail(name)).toBe(200)
    const move = (name: string, status: string) =>
      office.send('PATCH', `/api/admin/orders/${idOf(name)}/status`, { body: { status } })
    expect((await move('triedAndShippedAgain', 'shipped')).status).toBe(200)
    expect((await move('triedAndCancelled', 'cancelled')).status).toBe(200)
    expect((await move('triedAndDelivered', 'delivered')).status).toBe(200)
    const days = await office.call(getDeliveryDays, { query: { vendorId: String(vendorId) } })
    const moved = { params: { id: idOf('triedAndMoved') }, body: { date: days.body[5]?.date ?? '' } }
    expect((await office.call(changePromise, moved)).body).toMatchObject({
      status: 'in-progress',
      failedAttempts: 1,
      asksForDay: false,
    })
    const customer = await makeVisitor(shop)
    const answer = { params: { id: idOf('triedAndAnswered') }, body: { date: days.body[5]?.date ?? '' } }
    await shop.query('update orders set user_id = $2 where id = $1', [answer.params.id, customer.id])
    expect((await customer.call(rescheduleOrder, answer)).body).toMatchObject({ failedAttempts: 1, asksForDay: false })
    const confirmed = { ...moved, params: { id: idOf('movedAndConfirmed') } }
    await shop.query('update orders set user_id = $2 where id = $1', [confirmed.params.id, customer.id])
    expect((await office.call(changePromise, confirmed)).body.lastAttemptAt).not.toBeNull()
    for (const _ of ['once', 'again'])
      expect((await customer.call(rescheduleOrder, confirmed)).body).toMatchObject({ lastAttemptAt: null })
    const events = await office.call(getTimeline, { params: confirmed.params })
    expect(events.body.filter(({ field }) => field === 'dayConfirmed')).toMatchObject([
      { to: confirmed.body.date, by: { id: customer.id } },
    ])
    await shop.query('update orders set assigned_driver_id = $2 where id = any($1)', [
      [idOf('taken'), idOf('tried'), idOf('triedAndMoved'), idOf('triedAndAnswered'), idOf('movedAndConfirmed')],
      driver.id,
    ])
    const { names, items } = await list({ attention: 'failed' })
    expect(names.sort()).toEqual(['tried', 'triedAndMoved', 'triedAndShippedAgain'])
    for (const item of items) expect(item).toMatchObject({ failedAttempts: 1, lastAttemptAt: expect.any(String) })
    expect(await fail('triedAndShippedAgain')).toBe(200)
    const again = await office.call(getAdminOrder, { params: { id: idOf('triedAndShippedAgain') } })
    expect(again.body).toMatchObject({ failedAttempts: 2, lastAttemptAt: expect.any(String) })
    expect((await list({ attention: 'late' })).names).toEqual(['late'])
    expect((await list({ ids: [idOf('late'), idOf('taken')].join(',') })).names.sort()).toEqual(['late', 'taken'])
    expect((await list({ attention: 'unassigned' })).names.sort()).toEqual(['late', 'triedAndShippedAgain'])
    expect((await list({ attention: 'unassigned', day: day(-1) })).names).toEqual(['late'])
    const { body } = await office.call(countOrders, { query: { status: 'new' } as never })
    // late, triedAndShippedAgain, triedAndCancelled, triedAndDelivered and taken are today's.
    expect(body.chips).toEqual({ today: 5, tomorrow: 1, day: 0, late: 1, failed: 3, unassigned: 2 })
    const ofDay = await office.call(countOrders, { query: { day: day(1) } })
    // Those of the chosen day; a late order is today's.
    expect(ofDay.body.chips).toEqual({ today: 5, tomorrow: 1, day: 1, late: 1, failed: 1, unassigned: 0 })
  })

  it('are unconfirmed until a driver is chosen where processing is left out, as the dashboard counts', async () => {
    const driver = await makeVisitor(shop, { role: 'driver', vendorId: await makeVendor(shop) })
    const { vendorId, list, office } = await withStaff({ ready: { driver: driver.id }, waiting: {} })
    const seen = async () => {
      const { body } = await office.call(readDashboard, { query: {} })
      return [(await list({ attention: 'unconfirmed' })).names.sort(), body.waiting.new]
    }
    expect(await seen()).toEqual([['ready', 'waiting'], 2])
    await shop.query(
      'insert into vendor_business (vendor_id, processing, version, updated_at) values ($1, false, 1, now())',
      [vendorId],
    )
    expect(await seen()).toEqual([['waiting'], 1])
  })

  it('are failed by the same rule as `lastAttemptAt`, whatever happened to them', async () => {
    const customer = await makeVisitor(shop)
    const orders = Array.from({ length: 40 }, (_, n) => String(n))
    const { idOf, list, office } = await withStaff(
      Object.fromEntries(orders.map((n) => [n, { status: Number(n) % 4 === 0 ? 'cancelled' : 'shipped' }])),
    )
    const change = fc.record({
      field: fc.constantFrom('attempt', 'status', 'promisedDate', 'dayConfirmed', 'notes'),
      to: fc.constantFrom('shipped', 'in-progress'),
      author: fc.constantFrom(customer.id, office.id, null),
      subject: fc.constantFrom(customer.id, null),
    })
    const histories = fc.sample(fc.array(change, { minLength: 1, maxLength: 5 }), { numRuns: orders.length, seed: 1 })
    await shop.query('update orders set user_id = $2 where id = any($1)', [orders.map(idOf), customer.id])
    await shop.query(
      `insert into order_audit_history (order_id, action, field_changed, new_value, changed_by, on_behalf_of)
       select id, 'updated', field, "to", author, subject
       from jsonb_to_recordset($1) as t (id text, field text, "to" text, author integer, subject integer)`,
      [JSON.stringify(histories.flatMap((changes, n) => changes.map((one) => ({ id: idOf(String(n)), ...one }))))],
    )
    const { items, names } = await list({ limit: '100' })
    const failed = names.filter((_, at) => items[at]?.status === 'shipped' && items[at]?.lastAttemptAt !== null)
    expect((await list({ attention: 'failed', limit: '100' })).names.sort()).toEqual(failed.sort())
    expect([names.length, failed.length > 5, failed.length < 25]).toEqual([40, true, true])
  })
})

describe('the search', () => {
  it('finds area, block and product, in both languages', async () => {
    const { list, vendorId, idOf } = await withStaff({
      riffa: { area: ['Riffa', 'الرفاع'], block: '912' },
      hamad: { area: ['Hamad Town', 'مدينة حمد'], block: '1206' },
    })
    const product = await makeProduct(shop, vendorId, { name: 'Zamzam Gallon' })
    await shop.query(
      `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
       values ($1, $2, 'Zamzam Gallon', '5g', 1000, 0, 1)`,
      [idOf('hamad'), product],
    )
    const found = async (search: string) => (await list({ search })).names
    expect(await found('riffa')).toEqual(['riffa'])
    expect(await found('الرفاع 912')).toEqual(['riffa'])
    expect(await found('مجمع 912')).toEqual(['riffa'])
    expect(await found('Block 1206')).toEqual(['hamad'])
    expect(await found('zamzam')).toEqual(['hamad'])
    expect(await found('ماء زمزم')).toEqual([])
    expect(await found('ماء zamzam')).toEqual(['hamad'])
    const stranger = await makeVisitor(shop, { role: 'vendor_staff', vendorId: await makeVendor(shop) })
    expect((await list({ search: 'zamzam' }, stranger)).names).toEqual([])
    await shop.query(`update orders set area_name = 'Seef', area_name_ar = 'السيف' where id = $1`, [idOf('riffa')])
    expect(await found('riffa')).toEqual([])
  })
})

describe('assigning and shipping in one action', () => {
  it('changes each order wholly or not at all', async () => {
    const { office, driver, idOf, list } = await withStaff({
      fresh: {},
      packed: { status: 'in-progress' },
      done: { status: 'delivered' },
      kept: {},
    })
    const ship = async (driverId: number, ...names: string[]) => {
      const body = { ids: names.map(idOf), status: 'shipped' as const, driverId }
      return (await office.call(changeManyOrders, { body })).body.results.map(({ code, status }) => code ?? status)
    }
    expect(await ship(driver.id, 'fresh', 'packed', 'done')).toEqual(['shipped', 'shipped', 'ORDER_CLOSED'])
    const { items } = await list({ status: 'shipped' })
    expect(items.map(({ driver: given }) => given?.id)).toEqual([driver.id, driver.id])
    const stranger = await makeVisitor(shop, { role: 'driver', vendorId: await makeVendor(shop) })
    expect(await ship(stranger.id, 'kept')).toEqual(['DRIVER_NOT_AVAILABLE'])
    expect((await list({ status: 'new' })).names).toEqual(['kept'])
  })

  it('leaves an order that cannot be shipped with its former driver', async () => {
    const { office, driver, idOf } = await withStaff({ kept: { status: 'in-progress' } })
    // The trigger makes the second step fail, after the driver was set.
    await shop.query(`create function refuse_kept() returns trigger language plpgsql as $$
      begin if new.id = '${idOf('kept')}' and new.status = 'shipped' then raise exception 'refused'; end if; return new; end $$`)
    await shop.query('create trigger refuse_kept before update on orders for each row execute function refuse_kept()')
    const body = { ids: [idOf('kept')], status: 'shipped' as const, driverId: driver.id }
    expect((await office.call(changeManyOrders, { body })).status).toBe(500)
    await shop.query('drop trigger refuse_kept on orders')
    expect(await shop.query('select assigned_driver_id as driver from orders where id = $1', [idOf('kept')])).toEqual([
      { driver: null },
    ])
  })
})
