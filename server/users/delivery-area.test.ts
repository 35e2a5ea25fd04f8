import { getDeliveryArea } from '@qatra/contract/areas'
import { getMe, updateProfile } from '@qatra/contract/auth'
import { startImpersonation } from '@qatra/contract/impersonation'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeVisitor } from '../test/make.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let muharraq: number
beforeAll(async () => {
  shop = await startShop()
  const [row] = await shop.query<{ id: number }>(`select id from areas where area_id = 'muharraq'`)
  muharraq = row?.id ?? 0
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

  it('of a customer is that of the saved address; another choice in the browser comes first', async () => {
    const person = await livingInSeef()
    expect(await areaOf(person)).toEqual(['seef', false])
    person.cookies.set('area', String(muharraq))
    expect(await areaOf(person)).toEqual(['muharraq', true])
    const [seef] = await shop.query<{ id: number }>(`select id from areas where area_id = 'seef'`)
    person.cookies.set('area', String(seef?.id))
    expect(await areaOf(person)).toEqual(['seef', false])
  })

  it('of a customer without an address, or with one outside all areas, is unknown', async () => {
    const person = await makeVisitor(shop)
    expect(await areaOf(person)).toEqual([null, false])
    await person.call(updateProfile, { body: { mapCoordinates: { lat: 10, lng: 10 } } })
    expect(await areaOf(person)).toEqual([null, false])
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
