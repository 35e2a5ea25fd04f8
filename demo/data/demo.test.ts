import { getCash } from '@qatra/contract/drivers'
import type { AreaGeometry } from '@qatra/contract/places/geo'
import { describe, expect, it } from 'vitest'
import { areas } from '../../server/areas/bahrain/areas.ts'
import { startShop } from '../../server/test/app.ts'
import { makeVisitor } from '../../server/test/fixtures/make.ts'
import { seedBase } from '../../server/seed/base.ts'
import { products } from './products.ts'
import { seedDemo } from './seed.ts'
import { vendors } from './vendors.ts'

const shop = await startShop({ role: 'web' })

const way = ['new', 'in-progress', 'shipped', 'delivered']

const counts = async () => {
  const tables = 'vendors products areas vendor_delivery_areas users user_roles holidays settings orders'.split(' ')
  const rows = await Promise.all(tables.map((table) => shop.query<{ n: number }>(`select count(*) as n from ${table}`)))
  return Object.fromEntries(tables.map((table, i) => [table, rows[i]?.[0]?.n]))
}

describe('the demo data in the database', () => {
  it('contains all rows of the seed files', async () => {
    expect(await counts()).toMatchObject({ vendors: vendors.length, products: products.length, areas: areas.length })
    const { orders, user_roles, settings } = await counts()
    expect([orders, user_roles, settings]).toEqual([87, 7, 15])
  })

  it('is written once, also by repeated and parallel runs', async () => {
    const before = await counts()
    await Promise.all([seedDemo(shop.app.pool, new Date()), seedDemo(shop.app.pool, new Date())])
    expect(await counts()).toEqual(before)
  })

  it('does not restore roles and holidays that staff have removed', async () => {
    await shop.query(`delete from holidays where name = (select name from holidays order by id limit 1)`)
    const before = await counts()
    await seedBase(shop.app.db)
    expect(await counts()).toEqual(before)
    expect(before.holidays).toBeGreaterThan(0)
  })

  it('sets the sequences after its ids', async () => {
    const [vendor] = await shop.query<{ id: number }>(`insert into vendors (name) values ('New') returning id`)
    expect(vendor?.id).toBe(vendors.length + 1)
    const [product] = await shop.query<{ id: number }>(
      `insert into products (vendor_id, name, price, size, duplicate_key) values (1, 'New', 100, '1L', 'new|1000ml') returning id`,
    )
    expect(product?.id).toBe(products.length + 1)
  })

  it('has orders whose totals equal the sum of their items at product prices', async () => {
    const wrong = await shop.query(
      `select o.id from orders o join vendors v on v.id = o.vendor_id
       join lateral (select sum(i.price * i.quantity) as subtotal, count(*) filter (where i.price <> p.price) as other
                     from order_items i join products p on p.id = i.product_id where i.order_id = o.id) s on true
       where o.subtotal <> s.subtotal or s.other > 0 or o.delivery_fee <> v.delivery_fee`,
    )
    expect(wrong).toEqual([])
    const [taxed] = await shop.query<{ n: number }>(`select count(*) as n from orders where product_vat > 0`)
    expect(taxed?.n).toBeGreaterThan(0)
  })

  it('has a history for each order that ends in its status, each step after the one before', async () => {
    const histories = await shop.query<{ status: string; steps: string[]; is_sorted: boolean; named: boolean }>(
      `select o.status, array_agg(h.new_value order by h.id) as steps, bool_and(h.changed_by is not null) as named,
              array_agg(h.changed_at order by h.id) = array_agg(h.changed_at order by h.changed_at) as is_sorted
       from orders o join order_audit_history h on h.order_id = o.id and h.field_changed = 'status' group by o.id`,
    )
    expect(histories.length).toBe(87)
    for (const { status, steps, is_sorted, named } of histories) {
      expect(steps[0]).toBe('new')
      expect(steps.at(-1)).toBe(status)
      expect(steps).toEqual(status === 'cancelled' ? ['new', 'cancelled'] : way.slice(0, way.indexOf(status) + 1))
      expect(is_sorted && named).toBe(true)
    }
  })

  it('has an invoice of every delivery, in their order', async () => {
    const wrong = await shop.query(
      `select o.id from orders o left join receipts r on r.order_id = o.id
       where (o.status = 'delivered') <> (r.number is not null) or (r.bill #>> '{totals,total}')::integer <> o.total
         or exists (select from receipts s join orders p on p.id = s.order_id
           where s.vendor_id = r.vendor_id and s.number < r.number and p.delivered_at > o.delivered_at)`,
    )
    expect(wrong).toEqual([])
  })

  it('has balances of bottles and deposits that equal what was delivered, returned and charged', async () => {
    const { n: wrong } = (
      await shop.query<{ n: number }>(
        `select count(*) as n from order_items i join orders o on o.id = i.order_id join products p on p.id = i.product_id
         where i.bottle_type_id is distinct from p.bottle_type_id or i.bottle_terms is distinct from p.bottle_terms`,
      )
    )[0] ?? { n: -1 }
    expect(wrong).toBe(0)
    const balances = await shop.query<{ count: number; deposit: number; each: number; held: number; due: number }>(
      `select b.count, b.deposit::float8, t.deposit::float8 as each, sum(e.amount)::int as held, sum(e.due)::float8 as due
       from bottle_balances b join bottle_types t on t.id = b.bottle_type_id
       join ledger_entries e on e.ledger = 'bottles' and e.holder_id = b.customer_id and e.bottle_type_id = t.id
         and e.address_id is not distinct from b.address_id
       group by b.id, t.id`,
    )
    expect(balances.length).toBeGreaterThan(20)
    for (const { count, deposit, each, held, due } of balances) {
      expect([count, deposit]).toEqual([held, due])
      expect(deposit).toBe(count * each)
      expect(count).toBeGreaterThan(0)
    }
    const unmoved = await shop.query(
      `select o.id from orders o join order_items i on i.order_id = o.id and i.bottle_terms = 'exchange'
       where o.status = 'delivered' and not exists (select from ledger_entries e where e.ledger = 'bottles'
         and e.order_id = o.id and e.kind = 'delivered' and e.amount = i.quantity)`,
    )
    expect(unmoved).toEqual([])
  })

  it('has loads of the vans that cover the orders of the day', async () => {
    const vans = await shop.query<{ loaded: number; ordered: number }>(
      `select e.amount::int as loaded, sum(i.quantity)::int as ordered from ledger_entries e
       join orders o on o.assigned_driver_id = e.holder_id and o.status <> 'cancelled' and (o.delivered_at is null
         or (o.delivered_at at time zone 'Asia/Bahrain')::date = e.day)
       join order_items i on i.order_id = o.id and i.bottle_type_id = e.bottle_type_id
       where e.ledger = 'van' group by e.id`,
    )
    expect(vans.length).toBeGreaterThanOrEqual(3)
    for (const { loaded, ordered } of vans) expect(loaded).toBeGreaterThan(ordered)
  })

  it('books the cash of every delivery for its driver and hands over that of past days', async () => {
    const wrong = await shop.query(
      `select o.id from orders o
       left join ledger_entries e on e.order_id = o.id and e.kind = 'collected' and e.delivery = 1
         and e.holder_id = o.assigned_driver_id and e.vendor_id = o.vendor_id and e.amount = o.total
         and e.happened_at = o.delivered_at
       left join users d on d.id = e.holder_id and d.role = 'driver' and d.vendor_id = o.vendor_id
       where (o.status = 'delivered' and o.payment_method = 'cash' and o.payment_status = 'paid') <> (d.id is not null)`,
    )
    expect(wrong).toEqual([])
    const uncovered = await shop.query(
      `select id from orders o where (payment_status = 'paid') <>
         (total <= coalesce((select sum(amount) from ledger_entries where order_id = o.id and ledger = 'money'), 0))`,
    )
    expect(uncovered).toEqual([])
    const days = await shop.query<{ driver_id: number; day: string; collected: string; handed_over: string | null }>(
      `select holder_id as driver_id, day::text, sum(amount) filter (where kind = 'collected') as collected,
              sum(amount) filter (where kind = 'handed-over') as handed_over
       from ledger_entries where holder = 'driver' group by holder_id, day`,
    )
    const isOver = ({ handed_over }: (typeof days)[number]) => handed_over !== null
    expect(days.some(isOver)).toBe(true)
    for (const { collected, handed_over } of days.filter(isOver)) expect(handed_over).toBe(collected)
    // Today's cash is not handed over; the drivers' pages show the amounts.
    const inCars = days.filter((one) => !isOver(one))
    expect(inCars.length).toBeGreaterThan(0)
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    for (const { driver_id: id, day: date, collected } of inCars) {
      const { body } = await admin.call(getCash, { params: { id: String(id) }, query: { date } })
      const money = Number(collected) / 1000
      expect(body).toMatchObject({ expected: money, collected: money, inHand: money, handedOver: 0 })
    }
  })

  it("has a bounding box around each area's outline, so that the index finds every corner", async () => {
    const rows = await shop.query<{ area_id: string; inside: boolean }>(
      `select area_id, bool_and(bounds @> point(corner.lng, corner.lat)) as inside
       from areas, json_to_recordset($1) as corner (code text, lng float8, lat float8)
       where code = area_id group by area_id`,
      [JSON.stringify(areas.flatMap(({ areaId: code, geometry }) => cornersOf(geometry).map((c) => ({ code, ...c }))))],
    )
    expect(rows.length).toBe(areas.length)
    expect(rows.filter((row) => !row.inside)).toEqual([])
  })
})

function cornersOf(geometry: AreaGeometry) {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.flat(2).map(([lng, lat]) => ({ lng, lat }))
}
