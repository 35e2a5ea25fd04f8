import { findAreaAt } from '@qatra/contract/places/areas'
import { getProduct, listProducts } from '@qatra/contract/products/products'
import { getSite } from '@qatra/contract/settings/site'
import { deliversTo, getDeliveryDate, listVendors } from '@qatra/contract/vendors/vendors'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { buildApp } from '../app.ts'
import { listOffers } from '../cart/queries.ts'
import { inTransaction } from '../database/transaction.ts'
import { startShop } from '../test/app.ts'
import { makeBottleType, makeProduct, makeVendor } from '../test/fixtures/make.ts'
import { visit } from '../test/visitor.ts'

const shop = await startShop()
/** A second process of the same shop. */
const other = await buildApp({ config: shop.app.config, databaseUrl: shop.databaseUrl, log: pino({ level: 'silent' }) })
await other.start()
afterAll(() => other.stop())

const here = shop.visitor()
const there = visit(other)

const nameIn = async (visitor: typeof here, id: number) =>
  (await visitor.call(listVendors)).body.find((vendor) => vendor.id === id)?.name

describe('a change of reference data', () => {
  it('written directly to the database is soon served by every process', async () => {
    await shop.query(`update vendors set name = 'Renamed' where id = 2`)
    await expect.poll(() => nameIn(here, 2)).toBe('Renamed')
    await expect.poll(() => nameIn(there, 2)).toBe('Renamed')
  })

  it('increases the version, so that an old ETag gets a full response', async () => {
    const before = await here.call(listProducts)
    const etag = String(before.headers.etag)
    expect((await here.call(listProducts, {}, { 'if-none-match': etag })).status).toBe(304)
    await shop.query(`update products set price = price + 5 where id = 1`)
    await expect.poll(async () => (await here.call(listProducts, {}, { 'if-none-match': etag })).status).toBe(200)
  })

  it.each([
    [
      'a closure',
      `insert into holidays (day, vendor_id, name, name_ar) select current_date + n, 1, 'x', 'x' from generate_series(0, 40) n`,
    ],
    [
      'a holiday',
      `insert into holidays (day, name, name_ar) select current_date + n, 'x', 'x' from generate_series(60, 90) n on conflict do nothing`,
    ],
    ['an area', `update areas set name = 'Elsewhere' where id = 20`],
    ['a link', `delete from vendor_delivery_areas where vendor_id = 2 and area_id = 20`],
    ['a setting', `update settings set value = 'Other' where key = 'company.name'`],
  ])('is served after a change of %s', async (what, sql) => {
    const seen = async () => {
      const delivers = await there.call(deliversTo, { params: { vendorId: '2', areaId: '20' } })
      const far = new Date(Date.now() + 59 * 86_400_000).toISOString()
      const date = await there.call(getDeliveryDate, { query: { vendorId: '1' } })
      const farDate = await there.call(getDeliveryDate, { query: { at: far } })
      const area = await there.call(findAreaAt, { query: { lat: '26.239', lng: '50.5385' } })
      const site = await there.call(getSite)
      return [delivers.body, date.body, farDate.body, area.body.name, site.body.company.name].map((x) =>
        JSON.stringify(x),
      )
    }
    const before = await seen()
    await shop.query(sql)
    await expect.poll(seen, { message: what }).not.toEqual(before)
  })

  it('made while the listener was disconnected is served after it reconnects', async () => {
    const listeners = `application_name = 'qatra-listener' and datname = current_database()`
    const [cut] = await shop.query<{ n: number }>(
      `with cut as (select pg_terminate_backend(pid) as done from pg_stat_activity where ${listeners})
       select count(*) as n from cut where done`,
    )
    expect(cut?.n).toBe(2)
    await shop.query(`update vendors set name = 'Unheard' where id = 3`)
    await expect.poll(() => nameIn(here, 3)).toBe('Unheard')
    await expect.poll(() => nameIn(there, 3)).toBe('Unheard')
    await shop.query(`update vendors set name = 'Heard again' where id = 3`)
    await expect.poll(() => nameIn(there, 3)).toBe('Heard again')
  })
})

describe('the bottle of a product', () => {
  it('is offered by memory and by the database alike while the vendor exchanges bottles and the type is in use', async () => {
    const vendorId = await makeVendor(shop)
    const typeId = await makeBottleType(shop, vendorId, { name: 'Blue', deposit: 2500 })
    const id = await makeProduct(shop, vendorId, { bottle: { typeId, terms: 'exchange' } })
    const type = { typeId, name: 'Blue', nameAr: 'قارورة Blue' }
    const shown = async () => (await there.call(getProduct, { params: { id: String(id) } })).body.bottle
    const offered = async () => (await inTransaction(shop.app.pool, (db) => listOffers({ db }, [id])))[0]?.bottle
    const after = async (change: string, deposit: number | null, terms = 'exchange') => {
      await shop.query(change)
      const bottle = (amount: number) => ({ ...type, terms, deposit: amount })
      await expect.poll(shown, { message: change }).toEqual(deposit === null ? null : bottle(deposit / 1000))
      expect(await offered()).toEqual(deposit === null ? null : bottle(deposit))
    }
    await after('select', 2500)
    await after(`update bottle_types set deposit = 3000 where id = ${typeId}`, 3000)
    await after(`update bottle_types set is_active = false where id = ${typeId}`, null)
    await after(`update bottle_types set is_active = true where id = ${typeId}`, 3000)
    await after(`update vendor_business set bottles = false where vendor_id = ${vendorId}`, null)
    await after(`update vendor_business set bottles = true where vendor_id = ${vendorId}`, 3000)
    await after(`update products set bottle_terms = 'sold' where id = ${id}`, 0, 'sold')
    await after(`delete from vendor_business where vendor_id = ${vendorId}`, null)
  })
})
