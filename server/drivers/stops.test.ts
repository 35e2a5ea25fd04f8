import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { arrangeRun, getRun, listStops } from '@qatra/contract/drivers'
import { beforeAll, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
const date = bahrainDate(new Date())

beforeAll(async () => {
  shop = await startShop()
})

async function withRun() {
  const vendorId = await makeVendor(shop)
  const office = await makeVisitor(shop, { role: 'vendor_staff', vendorId })
  const { id: driverId } = await makeUser(shop, { role: 'driver', vendorId })
  const ids: string[] = []
  for (const status of ['shipped', 'shipped', 'cancelled', 'new']) {
    const id = await makeOrder(shop, { userId: null, vendorId, status, assignedDriverId: driverId })
    await shop.query('update orders set promised_date = $2 where id = $1', [id, date])
    ids.push(id)
  }
  return { vendorId, office, driverId, ids }
}

it('stop numbers are those of the driver’s page, arranged by hand too', async () => {
  const { office, driverId, ids } = await withRun()
  const params = { id: String(driverId) }
  for (const orderIds of [null, [ids[3] ?? '', ids[0] ?? '']]) {
    if (orderIds) await office.call(arrangeRun, { params, body: { date, orderIds } })
    const run = (await office.call(getRun, { params, query: { date } })).body
    const { body } = await office.call(listStops, { query: { date, driverId: String(driverId) } })
    expect(body).toEqual([{ driverId, orderIds: run.stops.map(({ id }) => id), last: expect.any(Number) }])
    const open = run.stops.filter(({ status }) => status !== 'cancelled')
    expect(body[0]?.last).toBe(open.at(-1)?.number)
  }
})

it('stop numbers of a foreign driver are left out, a driver sees only the own ones', async () => {
  const [first, second] = [await withRun(), await withRun()]
  const query = { date, driverId: `${first.driverId},${second.driverId}` }
  const drivers = async (who: { call: typeof first.office.call }) =>
    (await who.call(listStops, { query })).body.map(({ driverId }) => driverId)
  expect(await drivers(first.office)).toEqual([first.driverId])
  expect((await drivers(await makeVisitor(shop, { role: 'super_admin' }))).sort()).toEqual(
    [first.driverId, second.driverId].sort(),
  )
  expect(await drivers(await makeVisitor(shop, { role: 'driver', vendorId: first.vendorId }))).toEqual([])
  expect((await first.office.call(listStops, { query: { date } })).body).toEqual([])
})
