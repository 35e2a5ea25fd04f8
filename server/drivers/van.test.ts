import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCashClosing } from '@qatra/contract/cash-closing'
import { getRun } from '@qatra/contract/drivers'
import { changeOrderStatus } from '@qatra/contract/orders/admin'
import { writeVan } from '@qatra/contract/van'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeBottleType, makeOrder, makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
})
const today = bahrainDate(new Date())
type Person = Awaited<ReturnType<typeof makeVisitor>>

let keys = 0
const newKey = () => `van-key-${(keys += 1)}`

async function company() {
  const vendor = await makeVendor(shop)
  await makeProduct(shop, vendor)
  const [office, driver, customer] = [
    await makeVisitor(shop, { role: 'vendor_admin', vendorId: vendor }),
    await makeVisitor(shop, { role: 'driver', vendorId: vendor }),
    await makeVisitor(shop),
  ]
  const typeId = await makeBottleType(shop, vendor)
  /** Shipped: four bottles, for which as many empties are expected. */
  const order = (quantity = 4, empties = quantity) =>
    makeOrder(shop, {
      userId: customer.id,
      vendorId: vendor,
      status: 'shipped',
      assignedDriverId: driver.id,
      bottles: { typeId, deposit: 2000, quantity, empties },
    })
  const write = (kind: 'loaded' | 'unloaded' | 'counted', full: number, more: object = { typeId }) =>
    driver.call(writeVan, {
      params: { id: String(driver.id) },
      body: { date: today, kind, full, empty: 0, key: newKey(), ...more },
    })
  const vanOf = async (date = today) =>
    (await driver.call(getRun, { params: { id: String(driver.id) }, query: { date } })).body.van
  return { vendor, office, driver, customer, typeId, order, write, vanOf }
}
const deliver = (by: Person, id: string, body: object = {}) =>
  by.call(changeOrderStatus, { params: { id }, body: { status: 'delivered', ...body } })
const handedOver = async (id: string, quantity: number) => {
  const [item] = await shop.query<{ id: number }>('select id from order_items where order_id = $1', [id])
  return [{ itemId: item?.id ?? 0, quantity }]
}

describe('the van of a driver', () => {
  it('has what was loaded without what was handed over, and a difference to what was counted', async () => {
    const { driver, office, vendor, order, typeId, ...home } = await company()
    const write = async (kind: 'loaded' | 'unloaded' | 'counted', full: number, empty: number, key = newKey()) =>
      (await home.write(kind, full, { typeId, empty, key })).body
    const closing = async () => {
      const { body } = await office.call(getCashClosing, {
        params: { date: today },
        query: { vendorId: String(vendor) },
      })
      return body.bottles
    }
    expect(await write('loaded', 10, 0, 'van-load-1')).toMatchObject([
      { typeId, loaded: 10, left: 10, counted: null, difference: null },
    ])
    expect(await write('loaded', 10, 0, 'van-load-1')).toMatchObject([{ loaded: 10 }])
    await deliver(driver, await order(), { bottles: [{ typeId, returned: 3 }] })
    const { body: run } = await driver.call(getRun, { params: { id: String(driver.id) }, query: {} })
    expect(run.van).toMatchObject([{ typeId, loaded: 10, delivered: 4, returned: 3, left: 6, empties: 3 }])
    expect(await write('counted', 6, 2)).toMatchObject([{ counted: { full: 6, empty: 2 }, difference: -1 }])
    const line = { driverId: driver.id, typeId, loaded: 10, delivered: 4, returned: 3 }
    expect(await closing()).toMatchObject([{ ...line, counted: 2, difference: -1 }])
    await write('counted', 6, 3)
    expect(await closing()).toMatchObject([{ ...line, counted: 3, difference: 0 }])
    const headers = { cookie: [...office.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
    const file = async (lang: string) => {
      const url = `/api/admin/days/${today}/close.csv?lang=${lang}`
      const { payload } = await shop.app.http.inject({ method: 'GET', url, headers })
      return payload.split('\r\n').map((row) => row.split(',').slice(-5))
    }
    const [titles, counts] = await file('en')
    expect(titles?.map((title) => title.split(': ').at(-1))).toEqual([
      'loaded',
      'delivered',
      'empties',
      'empties counted',
      'difference',
    ])
    expect(counts).toEqual(['10', '4', '3', '3', '0'])
    expect((await file('ar'))[1]).toEqual(counts)
    await write('unloaded', 6, 0)
    expect(await write('counted', 0, 3)).toMatchObject([{ left: 0, difference: 0 }])
  })

  it('refuses to hand over more than was ordered and is left, of bottles and of other goods, where a load was entered', async () => {
    const { driver, vendor, order, write } = await company()
    const juice = await makeProduct(shop, vendor)
    const [first, second, third] = [await order(), await order(), await order()]
    const refused = async (id: string, body: object) => {
      const { refusal } = await deliver(driver, id, body)
      return [refusal.code, refusal.details.left]
    }
    expect((await deliver(driver, first, { delivered: await handedOver(first, 9) })).status).toBe(200)
    await write('loaded', 14)
    await write('loaded', 2, { productId: juice })
    expect(await refused(second, { delivered: await handedOver(second, 6) })).toEqual(['MORE_THAN_VAN', 5])
    expect(await refused(second, { added: [{ productId: juice, quantity: 3 }] })).toEqual(['MORE_THAN_VAN', 2])
    const within = { delivered: await handedOver(second, 5), added: [{ productId: juice, quantity: 2 }] }
    expect((await deliver(driver, second, within)).status).toBe(200)
    // What was ordered is not held up by a load that was entered wrongly.
    expect((await deliver(driver, third)).status).toBe(200)
  })

  it('takes no goods of others, no entry of another driver, and none of a closed day', async () => {
    const { driver, office, vendor, typeId } = await company()
    const other = await makeVisitor(shop, { role: 'driver', vendorId: vendor })
    const foreign = await makeBottleType(shop, await makeVendor(shop))
    const body = { date: today, kind: 'loaded' as const, typeId, full: 1, empty: 0, key: 'van-foreign-1' }
    const params = { id: String(driver.id) }
    const codeOf = async (by: Person, more: object) =>
      (await by.call(writeVan, { params, body: { ...body, ...more } })).refusal.code
    expect(await codeOf(driver, { typeId: foreign })).toBe('INVALID_BODY')
    expect(await codeOf(driver, { productId: 1 })).toBe('INVALID_BODY')
    expect(await codeOf(driver, { full: 0 })).toBe('INVALID_BODY')
    expect(await codeOf(other, {})).toBe('DRIVER_NOT_FOUND')
    expect((await driver.call(writeVan, { params, body })).status).toBe(200)
    expect(await codeOf(driver, { full: 2 })).toBe('IDEMPOTENCY_KEY_REUSED')
    await shop.query('insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, $3, now())', [
      vendor,
      today,
      office.id,
    ])
    expect((await driver.call(writeVan, { params, body })).status).toBe(200)
    expect(await codeOf(driver, { key: 'van-foreign-2' })).toBe('CASH_DAY_CLOSED')
  })

  it('unloads no more than is left, and answers a repeated request as the first one', async () => {
    const { order, driver, typeId, write } = await company()
    expect((await write('unloaded', 3)).status).toBe(200)
    await write('loaded', 12)
    await deliver(driver, await order())
    const { refusal } = await write('unloaded', 6)
    expect([refusal.code, refusal.details]).toMatchObject(['MORE_THAN_VAN', { typeId, left: 5 }])
    const last = { typeId, key: newKey() }
    expect((await write('unloaded', 5, last)).body).toMatchObject([{ unloaded: 8, left: 0 }])
    expect((await write('unloaded', 5, last)).body).toMatchObject([{ unloaded: 8, left: 0 }])
  })

  it('carries what was loaded on its own day: a report after the close changes neither that day nor the next van', async () => {
    const { vendor, office, driver, typeId, order, write, vanOf } = await company()
    const yesterday = addDays(today, -1)
    const id = await order()
    await shop.query(`update orders set created_at = now() - interval '2 days' where id = $1`, [id])
    await write('loaded', 10, { typeId, date: yesterday })
    await write('loaded', 7)
    await shop.query('insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, $3, now())', [
      vendor,
      yesterday,
      office.id,
    ])
    const cash = { amount: 7.1, key: newKey(), at: `${yesterday}T09:00:00.000Z` }
    expect((await deliver(driver, id, { bottles: [{ typeId, returned: 3 }], cash })).body).toMatchObject({
      bookedOn: today,
    })
    expect(await vanOf(yesterday)).toMatchObject([{ loaded: 10, delivered: 0, returned: 0, left: 10 }])
    expect(await vanOf()).toMatchObject([{ loaded: 7, delivered: 0, returned: 0, left: 7 }])
  })

  it.each([
    ['two deliveries', (home: Home, ids: string[]) => ids.map((id) => home.hand(id, 9))],
    ['a delivery and an unloading', (home: Home, [id = '']: string[]) => [home.hand(id, 9), home.write('unloaded', 9)]],
    ['two unloadings', (home: Home) => [home.write('unloaded', 9), home.write('unloaded', 9)]],
  ])('is not emptied twice by %s at once', async (_, requests) => {
    const { vendor, driver, order, write, vanOf } = await company()
    const hand = async (id: string, quantity: number) =>
      deliver(driver, id, { delivered: await handedOver(id, quantity) })
    await write('loaded', 9)
    const ids = [await order(), await order()]
    const client = await shop.app.pool.connect()
    try {
      await client.query('begin')
      // Holds both back where they write, so that without a lock of the van both have read it.
      await client.query('select pg_advisory_xact_lock(7301977, cash_day_key($1, $2))', [vendor, today])
      const sent = requests({ hand, write }, ids)
      await expect
        .poll(() =>
          shop.query(`select from pg_locks where locktype = 'advisory' and not granted and database = (
          select oid from pg_database where datname = current_database())`),
        )
        .toHaveLength(2)
      await client.query('commit')
      const answers = await Promise.all(sent)
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('MORE_THAN_VAN')
    } finally {
      client.release(true)
    }
    expect(await vanOf()).toMatchObject([{ left: 0 }])
  })
})

describe('a count of the office', () => {
  const reason = 'He forgot it'
  const counted = (by: Person, driverId: number, typeId: number, body: object) =>
    by.call(writeVan, {
      params: { id: String(driverId) },
      body: { date: today, kind: 'counted', typeId, full: 6, empty: 3, key: newKey(), ...body },
    })
  async function loaded() {
    const home = await company()
    await home.write('loaded', 10)
    const count = (by: Person, body: object = {}) => counted(by, home.driver.id, home.typeId, body)
    const closing = async () => {
      const query = { vendorId: String(home.vendor) }
      return (await home.office.call(getCashClosing, { params: { date: today }, query })).body.bottles
    }
    const audited = () =>
      shop.query(
        `select new_values as new from audit_log where resource = 'user' and action = 'counted' and resource_id = $1`,
        [String(home.driver.id)],
      )
    return { ...home, count, closing, audited }
  }

  it('needs a reason, is kept with its author in the close and the history, and stays as it is for the driver', async () => {
    const { driver, office, count, closing, audited } = await loaded()
    expect(await closing()).toMatchObject([{ expected: { full: 10, empty: 0 }, count: null }])
    expect((await count(office)).refusal.code).toBe('INVALID_BODY')
    const key = newKey()
    expect((await count(office, { reason, key })).status).toBe(200)
    expect((await count(office, { reason, key })).status).toBe(200)
    const [user] = await shop.query<{ name: string | null }>('select name from users where id = $1', [office.id])
    const kept = { full: 6, empty: 3, by: user?.name ?? null, reason }
    expect(await closing()).toMatchObject([{ counted: 3, difference: -1, count: kept }])
    expect(await audited()).toEqual([{ new: { full: 6, empty: 3, reason } }])
    expect((await count(driver, { empty: 4 })).refusal.code).toBe('VAN_COUNTED')
    expect((await count(driver)).body).toMatchObject([{ counted: { full: 6, empty: 3 } }])
    expect(await closing()).toMatchObject([{ count: kept }])
  })

  it('replaces only the count that the office saw', async () => {
    const { driver, office, count, closing } = await loaded()
    expect((await count(driver)).status).toBe(200)
    expect((await count(office, { reason, empty: 4 })).refusal.code).toBe('VAN_COUNTED')
    const before = { full: 6, empty: 3 }
    expect((await count(office, { reason, empty: 4, before })).status).toBe(200)
    expect((await count(office, { reason, empty: 5, before })).refusal.code).toBe('VAN_COUNTED')
    expect(await closing()).toMatchObject([{ count: { full: 6, empty: 4, reason } }])
  })

  it('is one of two that come at once, and the other is refused', async () => {
    const { driver, office, count, closing, audited } = await loaded()
    const answers = await Promise.all([count(driver), count(office, { reason, empty: 4 })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('VAN_COUNTED')
    const isDriver = answers[0].status === 200
    expect(await closing()).toMatchObject([
      { count: { full: 6, empty: isDriver ? 3 : 4, reason: isDriver ? null : reason } },
    ])
    expect(await audited()).toHaveLength(isDriver ? 0 : 1)
  })

  it('is of the own vendor, of people who manage its cash, and of an open day', async () => {
    const { vendor, office, driver, count } = await loaded()
    const foreign = await makeVisitor(shop, { role: 'vendor_admin', vendorId: await makeVendor(shop) })
    const sales = await makeVisitor(shop, { role: 'vendor_sales', vendorId: vendor })
    expect((await count(foreign, { reason })).refusal.code).toBe('DRIVER_NOT_FOUND')
    expect((await count(sales, { reason })).refusal.code).toBe('FORBIDDEN')
    await shop.query('insert into cash_closings (vendor_id, day, closed_by, closed_at) values ($1, $2, $3, now())', [
      vendor,
      today,
      office.id,
    ])
    expect((await count(office, { reason })).refusal.code).toBe('CASH_DAY_CLOSED')
    expect((await count(driver)).refusal.code).toBe('CASH_DAY_CLOSED')
  })
})
type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof company>>['write']>> | Awaited<ReturnType<typeof deliver>>
interface Home {
  hand(id: string, quantity: number): Promise<Answer>
  write(kind: 'unloaded', full: number): Promise<Answer>
}
