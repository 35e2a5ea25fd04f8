import { listDrivers } from '@qatra/contract/drivers'
import { countOrders, getAdminOrder, listOrders } from '@qatra/contract/orders/admin'
import { listDayLoads } from '@qatra/contract/orders/delivery'
import type { Role } from '@qatra/contract/users/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../../test/app.ts'
import { makeOrder, makeProduct, makeVendor, makeVisitor } from '../../test/fixtures/make.ts'

let shop: TestShop
let vendorId: number
let otherVendor: number
const people: Record<string, Awaited<ReturnType<typeof makeVisitor>>> = {}
const as = (name: string) => {
  const person = people[name]
  if (!person) throw new Error(`Nobody is ${name}`)
  return person
}

interface Facts {
  name?: string
  phone?: string
  area?: [number, string, string]
  total?: number
  status?: string
  payment?: string | null
  placed?: string
  promised?: string
  driver?: number | null
  agent?: number | null
  vendor?: number
}

async function order(facts: Facts = {}) {
  const { vendor = vendorId, status = 'new', driver = null } = facts
  const id = await makeOrder(shop, { userId: null, vendorId: vendor, status, assignedDriverId: driver })
  await shop.query(
    `update orders set customer_name = $2, phone = $3, area_id = $4, area_name = $5, area_name_ar = $6,
       subtotal = $7 - 650, total = $7, payment_status = $8, created_at = coalesce($9::timestamptz, created_at),
       promised_date = coalesce($10::date, promised_date), placed_by = $11 where id = $1`,
    [
      id,
      facts.name ?? 'Noura',
      facts.phone ?? '+97336000006',
      ...(facts.area ?? [1, 'Seef', 'السيف']),
      facts.total ?? 2150,
      facts.payment === undefined ? 'pending' : facts.payment,
      facts.placed ?? null,
      facts.promised ?? null,
      facts.agent ?? null,
    ],
  )
  return id
}

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendorId = await makeVendor(shop)
  otherVendor = await makeVendor(shop)
  await makeProduct(shop, vendorId)
  const staff: [string, Role, number | undefined][] = [
    ['super', 'super_admin', undefined],
    ['admin', 'vendor_admin', vendorId],
    ['staff', 'vendor_staff', vendorId],
    ['sales', 'vendor_sales', vendorId],
    ['driver', 'driver', vendorId],
    ['otherDriver', 'driver', vendorId],
    ['otherAdmin', 'vendor_admin', otherVendor],
    ['otherVendorsDriver', 'driver', otherVendor],
  ]
  for (const [name, role, vendor] of staff)
    people[name] = await makeVisitor(shop, { role, ...(vendor === undefined ? {} : { vendorId: vendor }) })
})

type Query = NonNullable<Parameters<typeof ask>[1]>
const ask = async (name: string, query: Record<string, string> = {}) => {
  const { status, body } = await as(name).call(listOrders, { query: { limit: 100, ...query } as never })
  return { status, body, ids: status === 200 ? body.items.map(({ id }) => id) : [] }
}
const idsOf = async (name: string, query: Query) => (await ask(name, query)).ids

describe('the order list', () => {
  it("contains the orders in the actor's reach, and refuses a foreign vendor", async () => {
    const mine = await order({ driver: as('driver').id })
    const sold = await order({ agent: as('sales').id })
    const foreign = await order({ vendor: otherVendor })
    const seen = async (name: string) => {
      const ids = await idsOf(name, {})
      return [mine, sold, foreign].map((id) => ids.includes(id))
    }
    expect(await seen('super')).toEqual([true, true, true])
    expect(await seen('admin')).toEqual([true, true, false])
    expect(await seen('staff')).toEqual([true, true, false])
    expect(await seen('sales')).toEqual([false, true, false])
    expect(await seen('driver')).toEqual([true, false, false])
    expect(await seen('otherDriver')).toEqual([false, false, false])
    expect(await seen('otherAdmin')).toEqual([false, false, true])
    for (const name of ['admin', 'staff', 'sales', 'driver']) {
      expect((await ask(name, { vendorId: String(otherVendor) })).status).toBe(403)
      expect((await ask(name, { vendorId: String(vendorId) })).status).toBe(200)
    }
    expect(await idsOf('super', { vendorId: String(otherVendor) })).toEqual([foreign])
    // A foreign driver in the filter matches nothing.
    expect(await idsOf('otherAdmin', { driverId: String(as('driver').id) })).toEqual([])
  })

  it('offers exactly the actions that the server allows', async () => {
    const id = await order({ driver: as('driver').id, agent: as('sales').id, status: 'in-progress' })
    const can = async (name: string) => (await as(name).call(getAdminOrder, { params: { id } })).body.can
    expect(await can('staff')).toMatchObject({ assign: true, confirm: true, note: true })
    expect((await can('admin')).payment).toEqual(['paid', 'failed', 'unpaid'])
    const little = { assign: false, confirm: false, note: false, payment: [] }
    expect(await can('driver')).toMatchObject({ ...little, changeStatus: ['shipped', 'delivered'] })
    expect(await can('sales')).toMatchObject({ ...little, changeStatus: [] })
    await shop.query(`update orders set status = 'delivered' where id = $1`, [id])
    expect(await can('admin')).toMatchObject({ assign: false, confirm: true, changeStatus: [] })
  })
})

describe('filters', () => {
  let ids: string[]
  beforeAll(async () => {
    await shop.query('truncate ledger_entries, delivery_attempts, receipts, credit_notes')
    await shop.query('delete from orders')
    ids = [
      await order({ name: 'نورة الدوسري', placed: '2026-03-01T20:59:00Z', promised: '2026-03-03', total: 9000 }),
      await order({ name: 'أحمد', placed: '2026-03-01T21:00:00Z', promised: '2026-03-03', status: 'shipped' }),
      await order({ name: 'Zaid', placed: '2026-03-02T09:00:00Z', promised: '2026-03-04', payment: null }),
      await order({ name: 'Ali', placed: '2026-03-03T09:00:00Z', promised: '2026-03-04', payment: 'paid' }),
      await order({
        name: 'José',
        area: [2, 'Budaiya', 'البديع'],
        placed: '2026-03-04T09:00:00Z',
        driver: as('driver').id,
      }),
      await order({ name: 'Huda', phone: '+966512345678', placed: '2026-03-05T09:00:00Z', status: 'cancelled' }),
    ]
  })
  const numbers = async (query: Query) => (await idsOf('staff', query)).map((id) => ids.indexOf(id))

  it.each<[Query, number[]]>([
    [{}, [5, 4, 3, 2, 1, 0]],
    [{ sort: 'createdAt' }, [0, 1, 2, 3, 4, 5]],
    [{ sort: '-total' }, [0, 5, 4, 3, 2, 1]],
    [{ sort: 'customer' }, [3, 5, 4, 2, 1, 0]],
    [{ sort: 'area', status: 'new' }, [4, 3, 2, 0]],
    [{ status: 'shipped' }, [1]],
    [{ status: 'shipped,cancelled' }, [5, 1]],
    [{ status: '' }, [5, 4, 3, 2, 1, 0]],
    [{ paymentStatus: 'unpaid' }, [2]],
    [{ paymentStatus: 'paid' }, [3]],
    [{ paymentStatus: 'paid,unpaid' }, [3, 2]],
    [{ means: 'card,cheque' }, []],
    [{ driverId: 'none' }, [5, 3, 2, 1, 0]],
    [{ areaId: '2' }, [4]],
    [{ areaId: '1,2', limit: '2' }, [5, 4]],
    [{ limit: '2', page: '2' }, [3, 2]],
    // Days are Bahrain's: 20:59Z is one minute to midnight.
    [{ from: '2026-03-01', to: '2026-03-01' }, [0]],
    [{ from: '2026-03-02', to: '2026-03-02' }, [2, 1]],
    [{ by: 'promised', from: '2026-03-03', to: '2026-03-03' }, [1, 0]],
    [{ by: 'promised', from: '2026-03-04', to: '2026-03-04' }, [3, 2]],
    [{ search: 'نوره' }, [0]],
    [{ search: 'احمد' }, [1]],
    [{ search: 'JOSE' }, [4]],
    [{ search: 'al' }, [3]],
    [{ search: '+966 51234-5678' }, [5]],
    [{ search: '٥١٢٣٤٥' }, [5]],
    [{ search: '00973 3600 0006' }, [4, 3, 2, 1, 0]],
    [{ search: '%' }, []],
    [{ search: '_' }, []],
    [{ search: 'huda 9665' }, [5]],
    [{ search: 'nobody' }, []],
  ])('%j', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected)
  })

  it('find an id in any spelling', async () => {
    const [id = ''] = ids
    const typed = [
      id,
      id.toLowerCase(),
      id.slice(0, 4),
      `${id.slice(0, 4)} ${id.slice(4, 8)}`,
      id.match(/.{4}/g)?.join(' ') ?? '',
    ]
    for (const search of typed) expect(await idsOf('staff', { search })).toContain(id)
  })

  it('total and count what matches', async () => {
    const { body } = await ask('staff', { from: '2026-03-01', to: '2026-03-02' })
    expect(body).toMatchObject({ total: 3, totalIsExact: true, sum: 13.3, sortedAmong: null })
    const { body: counted } = await as('staff').call(countOrders, { query: { since: '2026-03-03T00:00:00Z' } })
    expect(counted).toMatchObject({
      counts: { new: 4, 'in-progress': 0, shipped: 1, delivered: 0, cancelled: 1 },
      all: 6,
      arrived: 3,
      arrivedIds: [expect.any(String), expect.any(String), expect.any(String)],
    })
    const { body: found } = await as('staff').call(countOrders, { query: { search: 'huda' } })
    expect(found).toMatchObject({ counts: { new: 0, cancelled: 1 }, all: 1 })
    const { body: foreign } = await as('otherAdmin').call(countOrders)
    expect(foreign.all).toBe(0)
  })

  it.each([
    'page=0',
    'limit=101',
    'limit=x',
    'status=lost',
    'status=new,lost',
    'sort=id',
    'from=2026-02-30',
    'by=week',
    'customPrices=0',
    'customPrices=1,1',
    'driverId=0',
    'driverId=1e3',
    'areaId=-1',
    'paymentStatus=late',
    'means=gold',
    'vendorId=abc',
    `search=${'x'.repeat(101)}`,
  ])('refuse ?%s', async (query) => {
    const { status, refusal } = await as('staff').send('GET', `/api/admin/orders?${query}`)
    expect([status, refusal.code]).toEqual([400, 'INVALID_QUERY'])
  })
})

it('search finds a renamed or erased order by its current text only', async () => {
  const id = await order({ name: 'Fatima Alsayed' })
  await shop.query(`update orders set customer_name = '—', phone = '—' where id = $1`, [id])
  expect(await idsOf('staff', { search: 'fatima' })).not.toContain(id)
})

it("drivers are the vendor's active ones, with their number of open orders and those of the day", async () => {
  await shop.query('update users set is_active = false where id = $1', [as('otherDriver').id])
  const id = await order({ driver: as('driver').id, status: 'shipped' })
  const far = '2040-01-02'
  await shop.query(`update orders set promised_date = $2, area_name = 'Seef', area_name_ar = 'السيف' where id = $1`, [
    id,
    far,
  ])
  const ofDay = await as('admin').call(listDrivers, { query: { date: far } })
  const units = await shop.query('select sum(quantity)::int as n from order_items where order_id = $1', [id])
  expect(ofDay.body[0]?.day).toEqual({ orders: 1, units: units[0]?.n ?? 0, areas: [{ name: 'Seef', nameAr: 'السيف' }] })
  const between = { from: '2040-01-01', to: '2040-02-29' }
  const loads = await as('admin').call(listDayLoads, { query: between })
  expect(loads.body).toEqual([{ date: far, orders: 1, units: units[0]?.n ?? 0 }])
  const early = { from: '2039-11-01', to: '2040-02-29' }
  expect((await as('admin').call(listDayLoads, { query: early })).body, 'the 63rd day').toEqual([])
  expect((await as('admin').call(listDayLoads, { query: { ...between, vendorId: String(otherVendor) } })).status).toBe(
    403,
  )
  const { body } = await as('admin').call(listDrivers)
  expect(body.map(({ id }) => id)).toEqual([as('driver').id])
  expect(body[0]?.openOrders).toBeGreaterThan(0)
  const all = await as('super').call(listDrivers)
  expect(all.body.map(({ id }) => id)).toContain(as('otherVendorsDriver').id)
  const refused = await as('admin').call(listDrivers, { query: { vendorId: String(otherVendor) } })
  expect(refused.status).toBe(403)
})
