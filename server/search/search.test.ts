import { searchAdmin } from '@qatra/contract/search-admin'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeArea, makeOrder, makeProduct, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let vendorId: number
let otherVendor: number
let staff: Visitor
let stranger: Visitor
let market: Visitor
let customerId: number
let productId: number
let ours: string
let theirs: string
const phone = '+97333224455'

beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendorId = await makeVendor(shop)
  otherVendor = await makeVendor(shop)
  productId = await makeProduct(shop, vendorId, { name: 'Zamalek Spring' })
  await shop.query(`update products set name_ar = 'نبع الزمالك' where id = $1`, [productId])
  await makeProduct(shop, otherVendor, { name: 'Zamalek Other' })
  customerId = (await makeUser(shop, { phone, name: 'إيمان الزمالكي' })).id
  ours = await orderOf('إيمان الزمالكي', vendorId)
  theirs = await orderOf('إيمان الزمالكي', otherVendor)
  staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId })
  stranger = await makeVisitor(shop, { role: 'vendor_staff', vendorId: otherVendor })
  market = await makeVisitor(shop, { role: 'super_admin' })
})

async function orderOf(name: string, of: number, more: { assignedDriverId?: number | null } = {}) {
  const id = await makeOrder(shop, { userId: customerId, vendorId: of, phone, ...more })
  await shop.query('update orders set customer_name = $2 where id = $1', [id, name])
  return id
}
async function find(who: Visitor, q: string) {
  const { status, body } = await who.call(searchAdmin, { query: { q } })
  expect([q, status]).toEqual([q, 200])
  return {
    orders: body.orders.map(({ id }) => id),
    customers: body.customers.map(({ id }) => id),
    products: body.products.map(({ id }) => id),
    drivers: body.drivers.map(({ id }) => id),
    users: body.users.map(({ id }) => id),
    areas: body.areas.map(({ name }) => name),
  }
}
const nobody = { orders: [], customers: [], products: [], drivers: [], users: [], areas: [] }

describe('the search of the admin area', () => {
  it.each([
    ['ايمان', 'another spelling of alef'],
    ['إيمان', 'the name'],
    ['33224455', 'the phone'],
    ['٣٣٢٢٤٤٥٥', 'the phone in Arabic digits'],
    ['+973 3322 4455', 'the phone with its code'],
    ['3322\u20114455', 'the phone with a no-break hyphen'],
    ['3322–4455', 'the phone with an en dash'],
    ['tel:+97333224455', 'the phone of a copied link'],
    ['\u202a+973 (3322) 4455\u202c', 'the phone of a contact card'],
  ])('finds order and customer by %s: %s', async (q) => {
    const found = await find(staff, q)
    expect([found.orders, found.customers]).toEqual([[ours], [customerId]])
  })

  it('finds an order by its number, also in groups and in small letters', async () => {
    const typed = ours.toLowerCase()
    for (const q of [
      ours,
      typed,
      `#${ours}`,
      `# ${typed}`,
      `#${ours.slice(0, 4)}`,
      `${typed.slice(0, 4)}-${typed.slice(4, 8)}-${typed.slice(8, 12)}-${typed.slice(12)}`,
    ])
      expect((await find(staff, q)).orders).toEqual([ours])
  })

  it.each(['zamalek', 'ZAMALEK spring', 'الزمالك', 'زمالك'])('finds a product by %s', async (q) => {
    expect((await find(staff, q)).products).toEqual([productId])
  })

  it('finds drivers, staff and areas, each by the permission of its own page', async () => {
    const name = 'Tareq Mahfoodh'
    const driver = await makeUser(shop, { role: 'driver', vendorId, name, phone: '+97333224477' })
    const foreign = await makeUser(shop, { role: 'driver', vendorId: otherVendor, name })
    const clerk = await makeUser(shop, { role: 'vendor_staff', vendorId, name })
    const { areaId } = await makeArea(shop, [vendorId])
    const area = `Hidden Palms ${areaId}`
    await shop.query('update areas set name = $2 where id = $1', [areaId, area])
    const boss = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    const carrier = await makeVisitor(shop, { role: 'driver', vendorId })
    expect(await find(staff, 'tareq')).toMatchObject({ drivers: [driver.id], users: [] })
    expect(await find(staff, '3322\u20114477')).toMatchObject({ drivers: [driver.id] })
    expect(await find(boss, 'tareq')).toMatchObject({ drivers: [driver.id], users: [clerk.id] })
    const all = await find(market, 'tareq')
    expect([all.drivers.sort(), all.users]).toEqual([[driver.id, foreign.id].sort(), [clerk.id]])
    await expect.poll(async () => (await find(staff, area)).areas).toEqual([area])
    expect(await find(carrier, 'tareq')).toEqual(nobody)
    expect(await find(carrier, area)).toEqual(nobody)
  })

  it('finds nothing of another vendor; the market finds all', async () => {
    expect((await find(stranger, ours)).orders).toEqual([])
    expect((await find(stranger, 'ايمان')).orders).toEqual([theirs])
    expect((await find(stranger, 'zamalek')).products).not.toContain(productId)
    const { id } = await makeUser(shop, { name: 'Bashayer Nowhere' })
    expect((await find(staff, 'Bashayer')).customers).toEqual([])
    expect((await find(market, 'Bashayer')).customers).toEqual([id])
    expect((await find(market, 'ايمان')).orders).toEqual(expect.arrayContaining([ours, theirs]))
  })

  it('shows a driver and a sales agent only their own orders, and neither customers nor products', async () => {
    for (const role of ['driver', 'vendor_sales'] as const) {
      const person = await makeVisitor(shop, { role, vendorId })
      expect(await find(person, 'ايمان')).toEqual(nobody)
      expect(await find(person, 'zamalek')).toEqual(nobody)
    }
    const driver = await makeUser(shop, { role: 'driver', vendorId, phone: '+97333224466' })
    const carried = await orderOf('Hessa', vendorId, { assignedDriverId: driver.id })
    const asDriver = await shop.visitor().signInAs('+97333224466')
    expect((await find(asDriver, 'hessa')).orders).toEqual([carried])
  })

  it('leaves out a kind without its permission', async () => {
    await shop.query(
      `update user_roles set permissions = array_remove(array_remove(permissions, 'customers.read'), 'products.read')
       where name = 'vendor_staff'`,
    )
    expect(await find(staff, 'ايمان')).toEqual({ ...nobody, orders: [ours] })
    expect((await find(staff, 'zamalek')).products).toEqual([])
    await shop.query(
      `update user_roles set permissions = permissions || array['customers.read', 'products.read'] where name = 'vendor_staff'`,
    )
    expect((await find(staff, 'zamalek')).products).toEqual([productId])
  })

  it('returns at most five of each kind', async () => {
    for (let at = 0; at < 7; at += 1) {
      await orderOf(`Sabeeka ${at}`, vendorId)
      await makeProduct(shop, vendorId, { name: `Sabeeka Water ${at}` })
    }
    const found = await find(staff, 'sabeeka')
    expect([found.orders.length, found.products.length]).toEqual([5, 5])
  })

  it.each(['+', ' ', '\u200f', '-', '%', '_', "'; drop table orders; --"])('finds nothing by %j', async (q) => {
    expect(await find(staff, q)).toEqual(nobody)
  })

  it('refuses customers, visitors and texts that are empty or too long', async () => {
    const customer = await makeVisitor(shop)
    expect((await customer.call(searchAdmin, { query: { q: 'a' } })).status).toBe(403)
    expect((await shop.visitor().call(searchAdmin, { query: { q: 'a' } })).status).toBe(401)
    for (const q of ['', 'x'.repeat(101)])
      expect((await staff.call(searchAdmin, { query: { q } })).refusal.code).toBe('INVALID_QUERY')
  })
})
