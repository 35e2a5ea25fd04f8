import { listAudit } from '@qatra/contract/audit'
import { createBottleType, listBottleTypes, updateBottleType } from '@qatra/contract/products/bottle-types'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeBottleType, makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

const shop = await startShop({ role: 'web' })
const boss = await shop.visitor().signInAs('+97336000001')

/** A vendor with its admin. */
async function makeOwner() {
  const vendorId = await makeVendor(shop)
  return { vendorId, owner: await makeVisitor(shop, { role: 'vendor_admin', vendorId }) }
}
const params = (id: number) => ({ id: String(id) })

describe('a type of bottle', () => {
  it('is created, changed and taken out of use by its vendor, with its history', async () => {
    const { vendorId, owner } = await makeOwner()
    const made = await owner.call(createBottleType, { body: { name: ' Gallon ', nameAr: '', deposit: 2 } })
    const gallon = { vendorId, name: 'Gallon', nameAr: null, deposit: 2, isActive: true, productCount: 0, version: 1 }
    expect([made.status, made.body]).toMatchObject([200, { ...gallon, isOffered: false }])
    const { id } = made.body
    await owner.call(saveBusiness, { params: params(vendorId), body: { bottles: true } })
    await makeProduct(shop, vendorId, { bottle: { typeId: id, terms: 'sold' } })
    expect((await owner.call(listBottleTypes)).body).toMatchObject([{ ...gallon, isOffered: true, productCount: 1 }])
    const changed = await owner.call(updateBottleType, {
      params: params(id),
      body: { nameAr: 'قارورة', deposit: 2.5, isActive: false, version: 1 },
    })
    expect(changed.body).toMatchObject({
      nameAr: 'قارورة',
      deposit: 2.5,
      isActive: false,
      isOffered: false,
      version: 2,
    })
    const same = await owner.call(updateBottleType, { params: params(id), body: { deposit: 2.5 } })
    expect(same.body.version).toBe(2)
    const { body } = await owner.call(listAudit, { query: { resource: 'bottle-type', limit: 10 } })
    expect(body.items).toMatchObject([
      {
        action: 'updated',
        resourceId: String(id),
        changes: expect.arrayContaining([{ field: 'deposit', from: 2, to: 2.5 }]),
      },
      { action: 'created', changes: expect.arrayContaining([{ field: 'name', from: null, to: 'Gallon' }]) },
    ])
  })

  it.each([
    [{ deposit: 100.001 }, 'deposit'],
    [{ deposit: -1 }, 'deposit'],
    [{ deposit: 1.0005 }, 'deposit'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ nameAr: 'a\u202eb' }, 'nameAr'],
  ])('is refused with %j', async (wrong, field) => {
    const { owner } = await makeOwner()
    const body = { name: 'Gallon', deposit: 2, ...wrong }
    const { status, refusal } = await owner.call(createBottleType, { body })
    expect([status, Object.keys(refusal.details?.['fields'] ?? {})]).toEqual([422, [field]])
  })

  it('has a name of its own in both languages, also where several are created at once', async () => {
    const { owner } = await makeOwner()
    const names = ['Gallon', ' gallon', 'GALLON']
    const made = await Promise.all(names.map((name) => owner.call(createBottleType, { body: { name, deposit: 2 } })))
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const { body: small } = await owner.call(createBottleType, { body: { name: 'Small', nameAr: 'صغيرة', deposit: 1 } })
    const taken = { name: 'صَغيرة', deposit: 1 }
    expect((await owner.call(createBottleType, { body: taken })).refusal).toMatchObject({
      code: 'BOTTLE_TYPE_EXISTS',
      details: { fields: { name: expect.any(String) } },
    })
    const renamed = await owner.call(updateBottleType, { params: params(small.id), body: { nameAr: 'Gallon' } })
    expect([renamed.status, renamed.refusal.code]).toEqual([409, 'BOTTLE_TYPE_EXISTS'])
    // Its own names are no obstacle, and another vendor may have them.
    expect((await owner.call(updateBottleType, { params: params(small.id), body: { name: 'صغيرة' } })).status).toBe(200)
    const { owner: other } = await makeOwner()
    expect((await other.call(createBottleType, { body: { name: 'Gallon', deposit: 2 } })).status).toBe(200)
  })

  it('of another vendor is refused as an unknown one is', async () => {
    const { owner } = await makeOwner()
    const foreign = await makeBottleType(shop, await makeVendor(shop))
    for (const id of [foreign, 2_000_000_000]) {
      const { status, refusal } = await owner.call(updateBottleType, { params: params(id), body: { deposit: 9 } })
      expect([status, refusal.code]).toEqual([404, 'BOTTLE_TYPE_NOT_FOUND'])
    }
    expect((await boss.call(updateBottleType, { params: params(foreign), body: { deposit: 9 } })).status).toBe(200)
    expect((await boss.call(createBottleType, { body: { name: 'Of nobody', deposit: 1 } })).status).toBe(422)
  })

  it('is changed once where two people change the same version at the same time', async () => {
    const { vendorId, owner } = await makeOwner()
    const id = await makeBottleType(shop, vendorId)
    const answers = await Promise.all(
      [3, 4].map((deposit) => owner.call(updateBottleType, { params: params(id), body: { deposit, version: 1 } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})
