import { getProduct, listProducts } from '@qatra/contract/products/products'
import { compareSizes } from '@qatra/contract/products/sizes'
import { getVendorRecord } from '@qatra/contract/vendors/record'
import { getVendor, listVendors } from '@qatra/contract/vendors/vendors'
import { beforeAll, describe, expect, it } from 'vitest'
import * as products from '../products/queries.ts'
import { startShop } from '../test/app.ts'
import { until } from '../test/fixtures/codes.ts'
import { makeOrder, makeProduct, makeUser, makeVendor } from '../test/fixtures/make.ts'
import { readMostOrdered } from './queries.ts'

const shop = await startShop({ role: 'web' })
const guest = shop.visitor()

const inactive = { vendor: 0, ofInactiveVendor: 0, product: 0 }

beforeAll(async () => {
  const insert = async (sql: string) => (await shop.query<{ id: number }>(`${sql} returning id`))[0]?.id ?? 0
  inactive.vendor = await insert(`insert into vendors (name, is_active) values ('Closed', false)`)
  const product = (vendor: number, name: string, active: boolean, size = '1L') =>
    insert(
      `insert into products (vendor_id, name, name_ar, price, size, duplicate_key, is_active)
       values (${vendor}, '${name}', 'مَاءٌ أَزْرَق', 1250, '${size}', '${name}', ${active})`,
    )
  inactive.ofInactiveVendor = await product(inactive.vendor, 'Of closed', true)
  inactive.product = await product(1, 'Switched off', false)
  await product(1, '100% pure_water', true, 'half a litre')
  // A writer reloads its own process before it responds; this test writes directly to the database.
  await until('the reload', async () =>
    (await guest.call(listProducts)).body.some(({ name }) => name === '100% pure_water'),
  )
})

describe('the vendor list', () => {
  it('lists active vendors by id, with money in BHD and the promised day', async () => {
    const { status, body, headers } = await guest.call(listVendors)
    expect(status).toBe(200)
    expect(body.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(body[0]).toMatchObject({ name: 'Hayrat', deliveryFee: 0, minDeliveryAmount: 5, isActive: true })
    expect(body.every(({ promisedDate }) => /^\d{4}-\d{2}-\d{2}$/.test(promisedDate))).toBe(true)
    expect(headers['cache-control']).toBe('public, no-cache')
  })

  it.each(['+97336000001', '+97336000002', '+97336000006'])('is the same for visitors and for %s', async (phone) => {
    const someone = await shop.visitor().signInAs(phone)
    expect((await someone.call(listVendors)).body).toEqual((await guest.call(listVendors)).body)
  })
})

describe('the vendor list of an area', () => {
  it('marks all vendors and lists those that deliver there first, by day, fee and minimum', async () => {
    const [area] = await shop.query<{ id: number }>(
      `select area_id as id from vendor_delivery_areas a join vendors v on v.id = a.vendor_id where v.is_active
       group by 1 having count(*) between 2 and 7 order by 1 limit 1`,
    )
    const served = await shop.query<{ id: number }>(
      'select vendor_id as id from vendor_delivery_areas where area_id = $1',
      [area?.id],
    )
    const { status, body, headers } = await guest.call(listVendors, { query: { areaId: String(area?.id) } })
    expect([status, headers['cache-control']]).toEqual([200, 'public, no-cache'])
    expect(body.map(({ id }) => id).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    for (const vendor of body) expect(vendor.delivers).toBe(served.some(({ id }) => id === vendor.id))
    const first = body.filter(({ delivers }) => delivers)
    expect(body.slice(0, first.length)).toEqual(first)
    const key = (one: (typeof first)[number]) =>
      `${one.promisedDate} ${(one.deliveryFee * 1000 + 1e6).toFixed(0)} ${(one.minDeliveryAmount * 1000 + 1e6).toFixed(0)}`
    expect(first.map(key)).toEqual(first.map(key).sort())
    for (const one of body) expect(one).toMatchObject({ promisedDate: expect.any(String) })
  })

  it('is 404 for an unknown area and 400 for a value that is no id', async () => {
    const unknown = await guest.call(listVendors, { query: { areaId: '999999' } })
    expect([unknown.status, unknown.refusal.code]).toEqual([404, 'AREA_NOT_FOUND'])
    for (const areaId of ['abc', '-1', '1.5', '', '99999999999'])
      expect((await guest.call(listVendors, { query: { areaId } })).refusal.code, areaId).toBe('INVALID_QUERY')
  })
})

describe('details of a vendor or product', () => {
  it('have the same fields as the list', async () => {
    const [vendor] = (await guest.call(listVendors)).body
    expect((await guest.call(getVendor, { params: { id: '1' } })).body).toEqual(vendor)
    const [product] = (await guest.call(listProducts)).body
    expect((await guest.call(getProduct, { params: { id: String(product?.id) } })).body).toEqual(product)
  })

  it('return 404 to visitors, customers and other vendors while it is inactive', async () => {
    const people = [guest, await shop.visitor().signInAs('+97336000006'), await shop.visitor().signInAs('+97336000012')]
    for (const someone of people) {
      const vendor = await someone.call(getVendor, { params: { id: String(inactive.vendor) } })
      expect([vendor.status, vendor.refusal.code]).toEqual([404, 'VENDOR_NOT_FOUND'])
      for (const id of [inactive.product, inactive.ofInactiveVendor]) {
        const product = await someone.call(getProduct, { params: { id: String(id) } })
        expect([product.status, product.refusal.code]).toEqual([404, 'PRODUCT_NOT_FOUND'])
      }
    }
  })

  it('are visible to super admins and staff of the vendor while it is inactive', async () => {
    const boss = await shop.visitor().signInAs('+97336000001')
    expect((await boss.call(getVendor, { params: { id: String(inactive.vendor) } })).body.isActive).toBe(false)
    expect((await boss.call(getProduct, { params: { id: String(inactive.ofInactiveVendor) } })).status).toBe(200)
    const driver = await shop.visitor().signInAs('+97336000005')
    const own = await driver.call(getProduct, { params: { id: String(inactive.product) } })
    expect(own.body).toMatchObject({ isActive: false, price: 1.25 })
    expect(own.headers['cache-control']).toBe('no-store')
  })

  it.each(['0', '-1', '1.5', 'abc', '01', '99999999999', '2147483648', '1%20', '١'])(
    'return 404 for the id %s',
    async (id) => {
      for (const path of ['vendors', 'products', 'areas']) {
        const { status, refusal } = await guest.send('GET', `/api/${path}/${id}`)
        expect([status, refusal.code]).toEqual([404, 'NOT_FOUND'])
      }
    },
  )

  it('return the code of the resource for an unknown id', async () => {
    expect((await guest.call(getVendor, { params: { id: '999999' } })).refusal.code).toBe('VENDOR_NOT_FOUND')
    expect((await guest.call(getProduct, { params: { id: '999999' } })).refusal.code).toBe('PRODUCT_NOT_FOUND')
  })
})

describe('the product list', () => {
  const list = async (query: string) => {
    const { status, body } = await guest.send('GET', `/api/products?${query}`)
    expect(status).toBe(200)
    return body as { id: number; name: string; nameAr: string; size: string; vendorId: number }[]
  }
  const names = async (query: string) => (await list(query)).map(({ name }) => name)

  it('is sorted by vendor, volume, name and id, with sizes without a volume last', async () => {
    const products = await list('')
    const sorted = [...products].sort(
      (a, b) =>
        a.vendorId - b.vendorId ||
        compareSizes(a.size, b.size) ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
        a.id - b.id,
    )
    expect(products).toEqual(sorted)
    expect(products.filter(({ vendorId }) => vendorId === 1).at(-1)?.size).toBe('half a litre')
  })

  it('marks what most orders of a vendor have, from ten orders on and not where two have as many', async () => {
    const vendorId = await makeVendor(shop)
    const [first, second] = [await makeProduct(shop, vendorId), await makeProduct(shop, vendorId)]
    const { id: userId } = await makeUser(shop)
    const isMarked = async (id: number) => (await readMostOrdered(shop.app.db)).has(id)
    for (let count = 0; count < 9; count += 1) await makeOrder(shop, { userId, vendorId })
    expect(await isMarked(first)).toBe(false)
    const cancelled = await makeOrder(shop, { userId, vendorId, status: 'cancelled' })
    expect(await isMarked(first)).toBe(false)
    await shop.query(`update orders set status = 'new' where id = $1`, [cancelled])
    expect([await isMarked(first), await isMarked(second)]).toEqual([true, false])
    await shop.query(
      `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity)
       select id, $2, 'Other', '500ml', 1500, 0, 1 from orders where vendor_id = $1`,
      [vendorId, second],
    )
    expect([await isMarked(first), await isMarked(second)]).toEqual([false, false])

    const other = await makeProduct(shop, vendorId)
    const catalogue = shop.catalogue.current()
    const marked = products.listProducts({ ...catalogue, mostOrdered: new Set([other]) }, { vendorId })
    expect(marked.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second, other]))
    expect(marked.filter(({ isMostOrdered }) => isMostOrdered).map(({ id }) => id)).toEqual([other])
  })

  it('excludes inactive products and products of inactive vendors', async () => {
    const all = await names('')
    expect(all).not.toContain('Switched off')
    expect(all).not.toContain('Of closed')
    expect(await list(`vendorId=${inactive.vendor}`)).toEqual([])
  })

  it('is filtered by vendorId, contains all for 0 or none, and is empty for an unknown vendor', async () => {
    expect(new Set((await list('vendorId=3')).map(({ vendorId }) => vendorId))).toEqual(new Set([3]))
    expect(await list('vendorId=0')).toEqual(await list(''))
    expect(await list('vendorId=999999')).toEqual([])
  })

  it.each(['1.5L', '1500 ml', '1500ml', '١٫٥ لتر', '1.5 LITRE'])(
    'is filtered by the size %s in any spelling',
    async (size) => {
      const found = await list(`category=${encodeURIComponent(size)}`)
      expect(found.length).toBeGreaterThan(5)
      expect(new Set(found.map((product) => product.size))).toEqual(new Set(['1.5L']))
    },
  )

  it('is filtered by the folded text of a size without volume, and is empty for an unknown size', async () => {
    expect(await names(`category=${encodeURIComponent('  HALF a  Litre ')}`)).toEqual(['100% pure_water'])
    expect(await list('category=7L')).toEqual([])
    expect(await list('category=')).toEqual(await list(''))
  })

  it.each([
    ['ماء ازرق', 'without marks and hamza'],
    ['مــاء', 'with tatweel'],
    ['PURE_water', 'in another case'],
    ['water pure', 'with its words turned round'],
  ])('is found by %s (%s)', async (search) => {
    expect(await names(`search=${encodeURIComponent(search)}&vendorId=1`)).toContain('100% pure_water')
  })

  it('treats % and _ in a search as literal characters', async () => {
    expect(await names('search=%25')).toEqual(['100% pure_water'])
    expect(await names('search=_')).toEqual(['100% pure_water'])
    expect(await list('search=%25%25')).toEqual([])
    expect(await list('search=1%25p')).toEqual([])
  })

  it('distinguishes ماء from ما in a search', async () => {
    expect(await names(`search=${encodeURIComponent('ماءا')}`)).toEqual([])
  })

  it.each([
    ['vendorId=abc', 'vendorId'],
    ['vendorId=-1', 'vendorId'],
    ['vendorId=1.5', 'vendorId'],
    ['vendorId=', 'vendorId'],
    ['vendorId=99999999999', 'vendorId'],
    [`search=${'a'.repeat(101)}`, 'search'],
    [`category=${'a'.repeat(51)}`, 'category'],
  ])('rejects %s and names the field', async (query, field) => {
    const { status, refusal } = await guest.send('GET', `/api/products?${query}`, { headers: { cookie: 'lang=en' } })
    expect([status, refusal.code]).toEqual([400, 'INVALID_QUERY'])
    expect(Object.keys(refusal.details.fields ?? {})).toEqual([field])
  })

  it('returns errors in the language of the request', async () => {
    const words = async (cookie: string) =>
      (await guest.send('GET', '/api/products?vendorId=x', { headers: { cookie } })).refusal.details.fields?.vendorId
    expect(await words('lang=ar')).toMatch(/\p{Script=Arabic}/u)
    expect(await words('lang=en')).toMatch(/^[A-Za-z ,.'-]+$/)
  })
})

it("a vendor's record counts deliveries of 90 days and those by the promised day, from 20 deliveries on", async () => {
  const recordOf = (id: number) => guest.call(getVendorRecord, { params: { id: String(id) } })
  const [known, small] = [await makeVendor(shop), await makeVendor(shop)]
  const { id: userId } = await makeUser(shop)
  const deliver = async (vendorId: number, count: number, [ago, late]: [number, number]) => {
    for (let n = 0; n < count; n += 1) {
      const id = await makeOrder(shop, { userId, vendorId, status: 'delivered' })
      await shop.query(
        `update orders set created_at = now() - ($2::integer + 1) * interval '1 day',
           delivered_at = now() - $2::integer * interval '1 day',
           promised_date = (now() at time zone 'Asia/Bahrain')::date - $2::integer - $3::integer where id = $1`,
        [id, ago, late],
      )
    }
  }
  await deliver(known, 18, [3, 0])
  await deliver(known, 1, [3, -1])
  await deliver(known, 2, [5, 1])
  await deliver(known, 4, [91, 0])
  await deliver(small, 19, [3, 0])
  expect((await recordOf(known)).body).toEqual({ delivered: 21, onTime: 90 })
  expect((await recordOf(small)).body).toEqual({ delivered: null, onTime: null })
  await deliver(known, 1, [3, 0])
  expect((await recordOf(known)).body.delivered).toBe(21)
  expect((await recordOf(inactive.vendor)).refusal.code).toBe('VENDOR_NOT_FOUND')
})
