import { listAudit } from '@qatra/contract/audit'
import {
  createProduct,
  exportProducts,
  getAdminProduct,
  listProductAudit,
  updateProduct,
} from '@qatra/contract/products/admin'
import { createBottleType, listBottleTypes, updateBottleType } from '@qatra/contract/products/bottle-types'
import { getProduct } from '@qatra/contract/products/products'
import { saveBusiness } from '@qatra/contract/vendors/business'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { uploads } from '../test/fixtures/bulk.ts'
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

describe('the bottle of a product', () => {
  const water = (about: object = {}) => ({ name: 'Water', price: 1, size: '5 gallon', ...about })

  it('is set, changed and taken away, with its history; the shop has it with the deposit', async () => {
    const { vendorId, owner } = await makeOwner()
    const typeId = await makeBottleType(shop, vendorId, { name: 'Blue', deposit: 2500 })
    const bottle = { typeId, terms: 'exchange' as const }
    const { body: made } = await owner.call(createProduct, { body: water({ bottle }) })
    expect(made.bottle).toEqual(bottle)
    const shown = async () => (await shop.visitor().call(getProduct, { params: params(made.id) })).body.bottle
    expect(await shown()).toEqual({ ...bottle, name: 'Blue', nameAr: 'قارورة Blue', deposit: 2.5 })
    const change = (next: typeof bottle | { typeId: number; terms: 'sold' } | null) =>
      owner.call(updateProduct, { params: params(made.id), body: { bottle: next } })
    expect((await change(bottle)).body.version).toBe(1)
    expect((await change({ typeId, terms: 'sold' })).body.bottle).toEqual({ typeId, terms: 'sold' })
    expect(await shown()).toMatchObject({ terms: 'sold', deposit: 0 })
    await change(null)
    expect(await shown()).toBeNull()
    const history = (await owner.call(listProductAudit, { params: params(made.id) })).body
    expect(
      history.map(({ fieldChanged, oldValue, newValue }) => [fieldChanged, oldValue, newValue]).slice(0, 2),
    ).toEqual([
      ['bottle', { typeId, terms: 'sold' }, null],
      ['bottle', bottle, { typeId, terms: 'sold' }],
    ])
  })

  it('is one of its vendor that is in use; a product keeps one that goes out of use', async () => {
    const { vendorId, owner } = await makeOwner()
    const typeId = await makeBottleType(shop, vendorId)
    const foreign = await makeBottleType(shop, await makeVendor(shop))
    const { body: made } = await owner.call(createProduct, { body: water({ bottle: { typeId, terms: 'exchange' } }) })
    await owner.call(updateBottleType, { params: params(typeId), body: { isActive: false } })
    for (const unusable of [typeId, foreign, 2_000_000_000]) {
      const bottle = { typeId: unusable, terms: 'sold' as const }
      for (const { status, refusal } of [
        await owner.call(createProduct, { body: water({ name: `Of ${unusable}`, bottle }) }),
        await owner.call(updateProduct, { params: params(made.id), body: { bottle } }),
      ])
        expect([status, Object.keys(refusal.details?.['fields'] ?? {})]).toEqual([422, ['bottle']])
    }
    const { status, body } = await owner.call(updateProduct, { params: params(made.id), body: { price: 2 } })
    expect([status, body.bottle]).toEqual([200, { typeId, terms: 'exchange' }])
    expect((await owner.call(getProduct, { params: params(made.id) })).body.bottle).toBeNull()
  })

  it('does not go with the product to another vendor', async () => {
    const { vendorId } = await makeOwner()
    const other = await makeVendor(shop)
    const bottle = { typeId: await makeBottleType(shop, vendorId), terms: 'exchange' as const }
    const id = await makeProduct(shop, vendorId, { bottle })
    const kept = await boss.call(updateProduct, { params: params(id), body: { vendorId: other, bottle } })
    expect(kept.status).toBe(422)
    const { body } = await boss.call(updateProduct, { params: params(id), body: { vendorId: other } })
    expect([body.vendorId, body.bottle]).toEqual([other, null])
  })

  it('is given or refused, never half, while its type goes out of use', async () => {
    const { vendorId, owner } = await makeOwner()
    for (let round = 0; round < 10; round += 1) {
      const typeId = await makeBottleType(shop, vendorId)
      const ids = await Promise.all(Array.from({ length: 3 }, () => makeProduct(shop, vendorId)))
      const [off, ...set] = await Promise.all([
        owner.call(updateBottleType, { params: params(typeId), body: { isActive: false } }),
        ...ids.map((id) =>
          owner.call(updateProduct, { params: params(id), body: { bottle: { typeId, terms: 'exchange' } } }),
        ),
      ])
      expect(off.status).toBe(200)
      for (const [at, { status }] of set.entries()) {
        expect([200, 422]).toContain(status)
        const { body } = await owner.call(getAdminProduct, { params: params(ids[at] ?? 0) })
        expect(body.bottle === null).toBe(status === 422)
      }
    }
  })
})

describe('a file with bottles', () => {
  const columns = 'name,price,size,type of bottle,exchange or sold'
  const rows = (...lines: string[]) => [columns, ...lines.map((line, n) => `Row ${n},1,5 gallon,${line}`)].join('\n')
  const storedOf = (vendorId: number) =>
    shop.query<{ id: number; type: number | null; terms: string | null }>(
      `select id, bottle_type_id as type, bottle_terms as terms from products where vendor_id = $1 and deleted_at is null order by id`,
      [vendorId],
    )

  it('names type and terms in both languages, and the exported file is the same', async () => {
    const { vendorId, owner } = await makeOwner()
    const typeId = await makeBottleType(shop, vendorId, { name: 'Blue' })
    const { sendFile } = uploads(owner)
    const made = await sendFile(rows('blue,Exchange', 'قارورة blue,تبديل', ',sold', 'Blue,مع القارورة', ','))
    expect([made.failed, made.body.created]).toEqual([[], 5])
    const stored = await storedOf(vendorId)
    expect(stored.map(({ type, terms }) => [type, terms])).toEqual([
      [typeId, 'exchange'],
      [typeId, 'exchange'],
      [typeId, 'sold'],
      [typeId, 'sold'],
      [null, null],
    ])
    const file = (await owner.call(exportProducts)).body as string
    expect(file).toContain('Blue,exchange')
    const again = await sendFile(file)
    expect([again.failed, again.body.updated]).toEqual([[], 5])
    // A type out of use stays with the products that have it, and others cannot get it.
    await owner.call(updateBottleType, { params: params(typeId), body: { isActive: false } })
    expect((await sendFile(file)).failed).toEqual([])
    expect(await storedOf(vendorId)).toEqual(stored)
    const off = await sendFile(rows('Blue,sold').replace('Row 0', 'Another'))
    expect(off.failed).toMatchObject([{ row: 2, field: 'bottleType', reason: 'This bottle is out of use' }])
    // Empty cells take the bottle away; without the columns it stays.
    const [first, second] = stored
    const some = await sendFile(`id,name,price,size\n${second?.id},Row 1,2,5 gallon`)
    const blank = await sendFile(`id,${columns}\n${first?.id},Row 0,1,5 gallon,,`)
    expect([some.failed, blank.failed]).toEqual([[], []])
    expect((await storedOf(vendorId)).slice(0, 2)).toMatchObject([{ type: null }, { type: typeId, terms: 'exchange' }])
  })

  it('is refused by row for an unknown or missing type or terms, and a name can be replaced in all rows', async () => {
    const { vendorId, owner } = await makeOwner()
    await makeBottleType(shop, vendorId, { name: 'Blue' })
    await makeBottleType(shop, vendorId, { name: 'Green' })
    await makeBottleType(shop, await makeVendor(shop), { name: 'Foreign' })
    const { sendFile } = uploads(owner)
    const { failed } = await sendFile(rows('Red,exchange', 'Red,sold', ',sold', 'Blue,', 'Blue,maybe', 'Foreign,sold'))
    expect(failed.map(({ row, field }) => [row, field])).toEqual([
      [2, 'bottleType'],
      [3, 'bottleType'],
      [4, 'bottleType'],
      [5, 'bottleTerms'],
      [6, 'bottleTerms'],
      [7, 'bottleType'],
    ])
    const plan = {
      repairs: [{ field: 'bottleType', problem: 'bulk.unknownBottle', act: 'replace', value: 'Red', to: 'Green' }],
    }
    const repaired = await sendFile(rows('Red,exchange', 'Red,sold'), { plan })
    expect([repaired.failed, repaired.body.created]).toEqual([[], 2])
  })
})
