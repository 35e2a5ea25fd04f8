import { addToCart } from '@qatra/contract/cart/cart'
import { getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { getDeliveryArea } from '@qatra/contract/places/areas'
import { findSalesCustomer, placeSalesOrder } from '@qatra/contract/sales'
import { changeAddress, createAddress, listAddresses, removeAddress } from '@qatra/contract/users/addresses'
import { eraseAccount, exportAccount, getMe, updateProfile } from '@qatra/contract/users/auth'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeArea, makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let vendor: number
let water: number
let place: { lat: number; lng: number; areaId: number }
beforeAll(async () => {
  shop = await startShop({ role: 'web' })
  vendor = await makeVendor(shop)
  water = await makeProduct(shop, vendor)
  place = await makeArea(shop, [vendor])
})

const at = () => ({ lat: place.lat, lng: place.lng })
const home = () => ({
  label: 'البيت',
  address: 'Villa 12, Road 34, Block 567',
  addressParts: { block: '567', road: '34', building: '12' },
  mapCoordinates: at(),
  instructions: 'Ring twice',
  receiverName: 'Umm Salem',
  receiverPhone: '36001234',
})
const work = () => ({ label: 'العمل', address: 'Tower 7, Road 99, Block 428', mapCoordinates: at() })
const bookOf = async (visitor: Visitor) => (await visitor.call(listAddresses)).body
async function order(visitor: Visitor, more: object = {}) {
  await visitor.call(addToCart, { body: { productId: water, quantity: 20 } })
  const { address, addressParts, mapCoordinates } = home()
  const { status, body } = await visitor.call(placeOrder, {
    body: { customerName: 'Maryam Ali', address, addressParts, mapCoordinates, ...more },
  })
  expect(status).toBe(200)
  return body.id
}

describe('the address book', () => {
  it('makes the first address the default, which the profile and the delivery area show', async () => {
    const person = await makeVisitor(shop)
    expect(await bookOf(person)).toEqual([])
    const { status, body } = await person.call(createAddress, { body: home() })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...home(),
      id: expect.any(Number),
      areaId: place.areaId,
      // Nothing says how the pin was set, but it is the very middle of the area.
      pinSource: 'area',
      isPinAsked: false,
      receiverPhone: '+97336001234',
      isDefault: true,
    })
    const { body: me } = await person.call(getMe)
    expect(me).toMatchObject({ address: home().address, mapCoordinates: at(), instructions: 'Ring twice' })
    expect((await person.call(getDeliveryArea)).body).toMatchObject({ area: { id: place.areaId }, isChosen: false })
    const { body: second } = await person.call(createAddress, { body: work() })
    expect(second.isDefault).toBe(false)
    expect((await bookOf(person)).map(({ label }) => label)).toEqual(['البيت', 'العمل'])
  })

  it('has one default; after its removal the last used address is the default', async () => {
    const person = await makeVisitor(shop)
    const { body: first } = await person.call(createAddress, { body: home() })
    const { body: second } = await person.call(createAddress, { body: { ...work(), isDefault: true } })
    expect((await bookOf(person)).map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [second.id, true],
      [first.id, false],
    ])
    const chosen = await person.call(changeAddress, { params: { id: String(first.id) }, body: { isDefault: true } })
    expect(chosen.body).toEqual({ ...first, isDefault: true })
    await person.call(removeAddress, { params: { id: String(first.id) } })
    expect(await bookOf(person)).toEqual([{ ...second, isDefault: true }])
    expect((await person.call(removeAddress, { params: { id: String(first.id) } })).refusal.code).toBe(
      'ADDRESS_NOT_FOUND',
    )
  })

  it('keeps its default until another address is chosen, so the profile adds nothing to a full book', async () => {
    const person = await makeVisitor(shop)
    const { body: first } = await person.call(createAddress, { body: home() })
    const params = { id: String(first.id) }
    for (let round = 0; round < 3; round += 1) {
      const { body } = await person.call(changeAddress, { params, body: { isDefault: false } })
      expect(body.isDefault).toBe(true)
      await person.call(updateProfile, { body: { address: `Villa ${round}, Road 34, Block 567` } })
    }
    expect(await bookOf(person)).toMatchObject([
      { id: first.id, address: 'Villa 2, Road 34, Block 567', isDefault: true },
    ])
  })

  it('changes only the fields that were sent', async () => {
    const person = await makeVisitor(shop)
    const { body: before } = await person.call(createAddress, { body: home() })
    const params = { id: String(before.id) }
    const { body: after } = await person.call(changeAddress, { params, body: { label: '', receiverName: null } })
    expect(after).toEqual({ ...before, label: null, receiverName: null })
  })

  it('keeps how its pin was set, until the pin moves and nothing says how', async () => {
    const person = await makeVisitor(shop)
    const { mapCoordinates } = home()
    const { body } = await person.call(createAddress, { body: { ...home(), pinSource: 'gps' } })
    const change = async (more: object) => {
      const changed = await person.call(changeAddress, { params: { id: String(body.id) }, body: more })
      return changed.body.pinSource
    }
    expect(body.pinSource).toBe('gps')
    expect(await change({ label: 'Home', mapCoordinates })).toBe('gps')
    expect(await change({ mapCoordinates: { ...mapCoordinates, lat: mapCoordinates.lat + 0.0001 } })).toBe(null)
    expect(await change({ pinSource: 'map' })).toBe('map')
  })

  it.each([
    [{ mapCoordinates: { lat: 0, lng: 0 } }, 'ADDRESS_REQUIRED'],
    [{ mapCoordinates: { lat: 91, lng: 0 } }, 'INVALID_BODY'],
    [{ address: 'short' }, 'INVALID_BODY'],
    [{ label: 'x'.repeat(41) }, 'INVALID_BODY'],
    [{ label: 'two\nlines' }, 'INVALID_BODY'],
    [{ receiverPhone: '12' }, 'INVALID_BODY'],
    [{ receiverName: '<b>' }, 'INVALID_BODY'],
  ])('refuses %j with %s, new and changed', async (wrong, code) => {
    const person = await makeVisitor(shop)
    expect((await person.call(createAddress, { body: { ...home(), ...wrong } })).refusal.code).toBe(code)
    const { body } = await person.call(createAddress, { body: home() })
    const changed = await person.call(changeAddress, { params: { id: String(body.id) }, body: wrong })
    expect(changed.refusal.code).toBe(code)
    expect(await bookOf(person)).toEqual([body])
  })

  it('keeps its limit and one default under parallel requests', async () => {
    const person = await makeVisitor(shop)
    const answers = await Promise.all(
      Array.from({ length: 10 + 4 }, () => person.call(createAddress, { body: { ...home(), isDefault: true } })),
    )
    const codes = answers.map(({ status, refusal }) => (status === 200 ? 'saved' : refusal.code))
    expect(codes.filter((code) => code === 'saved')).toHaveLength(10)
    expect(codes.filter((code) => code === 'ADDRESS_BOOK_FULL')).toHaveLength(4)
    const book = await bookOf(person)
    expect([book.length, book.filter(({ isDefault }) => isDefault).length]).toEqual([10, 1])
  })

  it('belongs to one person: a foreign address is neither changed, removed nor used', async () => {
    const [owner, stranger] = [await makeVisitor(shop), await makeVisitor(shop)]
    const { body } = await owner.call(createAddress, { body: home() })
    const params = { id: String(body.id) }
    expect((await stranger.call(changeAddress, { params, body: { label: 'mine' } })).refusal.code).toBe(
      'ADDRESS_NOT_FOUND',
    )
    expect((await stranger.call(removeAddress, { params })).refusal.code).toBe('ADDRESS_NOT_FOUND')
    await order(stranger, { address: 'Another house altogether', addressId: body.id })
    expect(await bookOf(owner)).toEqual([body])
    expect(await bookOf(stranger)).toMatchObject([{ address: 'Another house altogether', isDefault: true }])
  })

  it('records who changed it, during impersonation too, and never what it says', async () => {
    const person = await makeVisitor(shop)
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    await admin.call(startImpersonation, { params: { userId: String(person.id) }, body: { reason: 'asked by phone' } })
    expect((await admin.call(createAddress, { body: home() })).status).toBe(200)
    const rows = await shop.query(
      `select user_id, on_behalf_of, new_values from audit_log
       where resource = 'user' and resource_id = $1 and action = 'updated'`,
      [String(person.id)],
    )
    expect(rows).toEqual([{ user_id: admin.id, on_behalf_of: person.id, new_values: { addresses: 'added' } }])
    expect(await bookOf(person)).toHaveLength(1)
  })

  it('is exported with the account and erased with it', async () => {
    const person = await makeVisitor(shop)
    await person.call(createAddress, { body: home() })
    const id = await order(person, { receiverName: 'Umm Salem', receiverPhone: '36001234' })
    const { body } = await person.call(exportAccount)
    expect(body['addresses']).toMatchObject([{ label: 'البيت', receiverPhone: '+97336001234' }])
    expect(body['orders']).toMatchObject([{ receiverName: 'Umm Salem', receiverPhone: '+97336001234' }])
    expect((await person.call(eraseAccount)).status).toBe(200)
    expect(await shop.query('select from addresses where user_id = $1', [person.id])).toEqual([])
    expect(await shop.query('select receiver_name, receiver_phone from orders where id = $1', [id])).toEqual([
      { receiver_name: null, receiver_phone: null },
    ])
  })
})

describe('an order', () => {
  it('keeps its own copy of the address, with the receiver', async () => {
    const person = await makeVisitor(shop)
    const { body: saved } = await person.call(createAddress, { body: home() })
    const receiver = { receiverName: 'Umm Salem', receiverPhone: '+97336001234' }
    const id = await order(person, { ...receiver, addressId: saved.id })
    await person.call(changeAddress, {
      params: { id: String(saved.id) },
      body: { address: 'Moved to another house', receiverName: null, receiverPhone: null },
    })
    const { body } = await person.call(getOrder, { params: { id } })
    expect(body).toMatchObject({ ...receiver, address: home().address, phone: person.phone })
  })

  it('replaces the address from which it was made', async () => {
    const person = await makeVisitor(shop)
    const { body: saved } = await person.call(createAddress, { body: home() })
    await person.call(createAddress, { body: work() })
    await order(person, { address: 'Villa 12, Road 34, Block 567, Flat 3', addressId: saved.id })
    expect(await bookOf(person)).toMatchObject([
      { id: saved.id, label: 'البيت', address: 'Villa 12, Road 34, Block 567, Flat 3', isDefault: true },
      { label: 'العمل', isDefault: false },
    ])
  })

  it('keeps that the customer was asked about its pin, until the place is another', async () => {
    const person = await makeVisitor(shop)
    const { body: saved } = await person.call(createAddress, { body: home() })
    const asked = async () => (await bookOf(person))[0]?.isPinAsked
    await order(person, { addressId: saved.id, isPinAsked: false })
    expect(await asked()).toBe(false)
    await order(person, { addressId: saved.id, isPinAsked: true })
    await order(person, { addressId: saved.id })
    expect(await asked()).toBe(true)
    const { lat, lng } = home().mapCoordinates
    await order(person, { addressId: saved.id, isPinAsked: true, mapCoordinates: { lat: lat + 0.0001, lng } })
    expect(await asked()).toBe(false)
  })

  it('to an equal address adds none, to another one adds it and leaves the default', async () => {
    const person = await makeVisitor(shop)
    await order(person)
    await order(person, { instructions: 'Blue gate' })
    expect(await bookOf(person)).toMatchObject([{ instructions: 'Blue gate', isDefault: true }])
    await order(person, { address: 'Another house altogether', addressParts: {} })
    expect((await bookOf(person)).map(({ address, isDefault }) => [address, isDefault])).toEqual([
      [home().address, true],
      ['Another house altogether', false],
    ])
  })

  it('to the same block, road and building in another language replaces the saved address', async () => {
    const person = await makeVisitor(shop)
    const addressParts = { block: '428', road: '2831', building: '1172' }
    await order(person, { address: 'Seef, Block 428, Road 2831, Building 1172', addressParts })
    await order(person, { address: 'السيف، مجمع 428، طريق 2831، مبنى 1172', addressParts })
    await order(person, { addressParts: { ...addressParts, building: '9' } })
    expect((await bookOf(person)).map(({ address }) => address)).toEqual([
      'السيف، مجمع 428، طريق 2831، مبنى 1172',
      home().address,
    ])
  })

  it('is placed with a full book, which stays as it is', async () => {
    const person = await makeVisitor(shop)
    for (let i = 0; i < 10; i += 1) await person.call(createAddress, { body: home() })
    const before = await bookOf(person)
    await order(person, { address: 'Another house altogether', addressParts: {} })
    expect(await bookOf(person)).toEqual(before)
  })
})

describe('the profile', () => {
  it('writes its address fields to the default address and removes an emptied one', async () => {
    const person = await makeVisitor(shop)
    await person.call(createAddress, { body: home() })
    await person.call(updateProfile, { body: { instructions: 'Blue gate' } })
    expect(await bookOf(person)).toMatchObject([{ label: 'البيت', instructions: 'Blue gate', isDefault: true }])
    const nothing = { address: null, addressParts: null, mapCoordinates: null, instructions: null }
    await person.call(updateProfile, { body: nothing })
    expect(await bookOf(person)).toEqual([])
  })
})

describe('sales', () => {
  it("offers a vendor's staff the places of its own orders, and the market's staff the book too", async () => {
    const person = await makeVisitor(shop)
    await person.call(createAddress, { body: { ...work(), address: 'Private address 1, Seef' } })
    const agent = await makeVisitor(shop, { role: 'vendor_sales', vendorId: vendor })
    const admin = await makeVisitor(shop, { role: 'super_admin' })
    const items = [{ productId: water, quantity: 2 }]
    const sale = { phone: person.phone, customerName: 'Maryam Ali', mapCoordinates: at(), items }
    const receiver = { receiverName: 'Umm Salem', receiverPhone: '+97336001234' }
    await agent.call(placeSalesOrder, { body: { ...sale, address: 'First house, Seef', ...receiver } })
    await agent.call(placeSalesOrder, { body: { ...sale, address: 'Second house, Seef' } })
    await agent.call(placeSalesOrder, { body: { ...sale, address: 'First house, Seef', ...receiver } })
    const query = { phone: person.phone }
    const { body: known } = await agent.call(findSalesCustomer, { query })
    expect(known.places.map(({ address }) => address)).toEqual(['First house, Seef', 'Second house, Seef'])
    expect(known.places[0]).toMatchObject(receiver)
    const { body: all } = await admin.call(findSalesCustomer, { query })
    expect(all.places.map(({ address }) => address)).toEqual([
      'First house, Seef',
      'Second house, Seef',
      'Private address 1, Seef',
    ])
    expect((await bookOf(person)).map(({ address }) => address)).toEqual(['Private address 1, Seef'])
  })
})
