import { addToCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import { chooseDeliveryArea, getDeliveryArea } from '@qatra/contract/places/areas'
import { getMe, updateProfile } from '@qatra/contract/users/auth'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { signInByCode } from '../test/fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let muharraq: number
let seef: number
beforeAll(async () => {
  shop = await startShop()
  const rows = await shop.query<{ code: string; id: number }>('select area_id as code, id from areas')
  const idOf = (wanted: string) => rows.find(({ code }) => code === wanted)?.id ?? 0
  ;[muharraq, seef] = [idOf('muharraq'), idOf('seef')]
})

const inSeef = { lat: 26.2378, lng: 50.5402 }
async function areaOf(visitor: Visitor) {
  const { status, body } = await visitor.call(getDeliveryArea)
  expect(status).toBe(200)
  return [body.area?.areaId ?? null, body.isChosen]
}
async function livingInSeef() {
  const person = await makeVisitor(shop)
  await person.call(updateProfile, { body: { mapCoordinates: inSeef } })
  return person
}

describe('the delivery area', () => {
  it('of a visitor is that of the cookie, with the vendors that deliver there', async () => {
    const visitor = shop.visitor()
    expect(await areaOf(visitor)).toEqual([null, false])
    visitor.cookies.set('area', String(muharraq))
    expect(await areaOf(visitor)).toEqual(['muharraq', true])
    const { body } = await visitor.call(getDeliveryArea)
    const rows = await shop.query<{ id: number }>(
      'select vendor_id as id from vendor_delivery_areas where area_id = $1 order by 1',
      [muharraq],
    )
    expect(body.area?.vendorIds).toEqual(rows.map(({ id }) => id))
  })

  it.each(['0', '-1', '1.5', 'abc', '999999', '99999999999', '1e1', '٧', "1' or 1=1", '', 'x'.repeat(5_000)])(
    'is unknown for the cookie value %.20s',
    async (value) => {
      const visitor = shop.visitor()
      visitor.cookies.set('area', value)
      expect(await areaOf(visitor)).toEqual([null, false])
    },
  )

  it('of a customer is that of the saved address, until another one is chosen', async () => {
    const person = await livingInSeef()
    expect(await areaOf(person)).toEqual(['seef', false])
    const { status, body } = await person.call(chooseDeliveryArea, { body: { areaId: muharraq } })
    expect([status, body.area?.areaId, body.isChosen]).toEqual([200, 'muharraq', true])
    expect(await areaOf(await shop.visitor().signInAs(person.phone))).toEqual(['muharraq', true])
  })

  it('of a customer whose choice is the area of the saved address follows that address', async () => {
    const person = await livingInSeef()
    await person.call(chooseDeliveryArea, { body: { areaId: muharraq } })
    await person.call(chooseDeliveryArea, { body: { areaId: seef } })
    expect(await areaOf(person)).toEqual(['seef', false])
    const [row] = await shop.query('select delivery_area_id as id from users where id = $1', [person.id])
    expect(row).toEqual({ id: null })
  })

  it('chosen by a customer takes the one of an earlier visit out of the browser', async () => {
    const person = await livingInSeef()
    person.cookies.set('area', String(seef))
    await person.call(chooseDeliveryArea, { body: { areaId: muharraq } })
    expect(person.cookies.has('area')).toBe(false)
    expect(await areaOf(person)).toEqual(['muharraq', true])
  })

  it('chosen by a visitor who signs in moves from the browser into the account', async () => {
    const { phone } = await livingInSeef()
    const visitor = shop.visitor()
    visitor.cookies.set('area', String(muharraq))
    await signInByCode(shop, phone, visitor)
    expect(visitor.cookies.has('area')).toBe(false)
    expect(await areaOf(visitor)).toEqual(['muharraq', true])
    const other = shop.visitor()
    other.cookies.set('area', '999999')
    await signInByCode(shop, phone, other)
    expect(await areaOf(other)).toEqual(['muharraq', true])
  })

  it('of a visitor who signs in, and which is the area of the saved address, follows that address', async () => {
    const person = await livingInSeef()
    await person.call(chooseDeliveryArea, { body: { areaId: muharraq } })
    const visitor = shop.visitor()
    visitor.cookies.set('area', String(seef))
    await signInByCode(shop, person.phone, visitor)
    expect(await areaOf(visitor)).toEqual(['seef', false])
    await person.call(updateProfile, { body: { mapCoordinates: { lat: 10, lng: 10 } } })
    expect(await areaOf(visitor)).toEqual([null, false])
  })

  it('of an unknown id is refused, and a visitor has no account for it', async () => {
    const person = await livingInSeef()
    const choose = (who: Visitor, areaId: number) => who.call(chooseDeliveryArea, { body: { areaId } })
    expect((await choose(person, 999_999)).refusal.code).toBe('AREA_NOT_FOUND')
    expect((await choose(shop.visitor(), muharraq)).status).toBe(401)
  })

  it('chosen before an order gives way to that of the order', async () => {
    const { customer, body, water, areaId } = await makeHousehold(shop)
    await customer.call(chooseDeliveryArea, { body: { areaId: muharraq } })
    await customer.call(addToCart, { body: { productId: water, quantity: 3 } })
    expect((await customer.call(placeOrder, { body })).status).toBe(200)
    const { body: after } = await customer.call(getDeliveryArea)
    expect([after.area?.id, after.isChosen]).toEqual([areaId, false])
  })

  it('of a customer without an address, or with one outside all areas, is unknown', async () => {
    const person = await makeVisitor(shop)
    expect(await areaOf(person)).toEqual([null, false])
    await person.call(updateProfile, { body: { mapCoordinates: { lat: 10, lng: 10 } } })
    expect(await areaOf(person)).toEqual([null, false])
  })

  it('that is deleted is taken from the persons who chose it, who are found by an index', async () => {
    const [area] = await shop.query<{ id: number }>(
      `insert into areas (area_id, name, geometry, bounds, centre_lat, centre_lng)
       select 'gone', 'Gone', geometry, bounds, centre_lat, centre_lng from areas limit 1 returning id`,
    )
    const person = await livingInSeef()
    await shop.query('update users set delivery_area_id = $1 where id = $2', [area?.id, person.id])
    await shop.query('delete from areas where id = $1', [area?.id])
    expect(await areaOf(person)).toEqual(['seef', false])
    expect(
      await shop.query(`select from pg_indexes where tablename = 'users' and indexdef like '%(delivery_area_id)'`),
    ).toHaveLength(1)
  })

  it("during impersonation is the customer's, not the choice in the staff member's browser", async () => {
    const person = await livingInSeef()
    const boss = await shop.visitor().signInAs('+97336000001')
    boss.cookies.set('area', String(muharraq))
    const { id } = (await person.call(getMe)).body
    expect(
      (
        await boss.call(startImpersonation, {
          params: { userId: String(id) },
          body: { reason: 'A question about an order' },
        })
      ).status,
    ).toBe(200)
    expect(await areaOf(boss)).toEqual(['seef', false])
  })
})
