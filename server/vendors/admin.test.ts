import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { placeOrder } from '@qatra/contract/orders/orders'
import {
  createVendor,
  deleteVendor,
  getManagedVendor,
  listManagedVendors,
  listVendorAreas,
  setVendorAreas,
  updateVendor,
} from '@qatra/contract/vendors/admin'
import { getBusiness, saveBusiness } from '@qatra/contract/vendors/business'
import { deliversTo, getVendor, listVendors } from '@qatra/contract/vendors/vendors'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeArea, makeHousehold, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { referenceState } from '../test/reference-state.ts'

const shop = await startShop({ role: 'web' })
const guest = shop.visitor()
const market = await makeVisitor(shop, { role: 'super_admin' })
const own = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: 1 })

const params = (id: number) => ({ id: String(id) })
const fresh = { name: 'Naseem', contactNumber: '3600 1099' }
const auditOf = (id: number) =>
  shop.query<{ action: string; user_id: number; old_values: object | null; new_values: object | null }>(
    `select action, user_id, old_values, new_values from audit_log where resource = 'vendor' and resource_id = $1 order by id`,
    [String(id)],
  )

describe('a new vendor', () => {
  it('is visible to all as soon as the response is sent', async () => {
    const { status, body } = await market.call(createVendor, {
      body: {
        ...fresh,
        nameAr: 'نسيم',
        deliveryFee: 0.125,
        minDeliveryAmount: 2.5,
        tint: '#14708F',
        emblem: 'moon',
        cutOff: '١٨:٠٠',
      },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Naseem',
      deliveryFee: 0.125,
      minDeliveryAmount: 2.5,
      tint: '#14708f',
      cutOff: '18:00',
      version: 1,
      contactNumber: '+97336001099',
      whatsappLink: 'https://wa.me/97336001099',
      areaIds: [],
      productCount: 0,
    })
    const { body: shown } = await guest.call(getVendor, { params: params(body.id) })
    expect(shown).toMatchObject({ name: 'Naseem', deliveryFee: 0.125, promisedDate: body.promisedDate })
    expect((await guest.call(listVendors)).body.map(({ id }) => id)).toContain(body.id)
    const [row] = await auditOf(body.id)
    expect(row).toMatchObject({
      action: 'created',
      user_id: market.id,
      new_values: { name: 'Naseem', deliveryFee: 0.125 },
    })
  })

  it('has a fee of 1 and a minimum of 5 by default', async () => {
    const { body } = await market.call(createVendor, { body: fresh })
    expect(body).toMatchObject({ deliveryFee: 1, minDeliveryAmount: 5, isActive: true, cutOff: null })
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: undefined }, 'name'],
    [{ contactNumber: '123' }, 'contactNumber'],
    [{ contactNumber: 'call me' }, 'contactNumber'],
    [{ contactNumber: undefined }, 'contactNumber'],
    [{ deliveryFee: -0.001 }, 'deliveryFee'],
    [{ deliveryFee: 0.0005 }, 'deliveryFee'],
    [{ deliveryFee: '1' }, 'deliveryFee'],
    [{ minDeliveryAmount: -1 }, 'minDeliveryAmount'],
    [{ minDeliveryAmount: 10_000.001 }, 'minDeliveryAmount'],
    [{ tint: 'red' }, 'tint'],
    [{ tint: '#14708f;x' }, 'tint'],
    [{ emblem: 'constructor' }, 'emblem'],
    [{ cutOff: '24:00' }, 'cutOff'],
    [{ cutOff: '6pm' }, 'cutOff'],
    [{ cutOff: '18:00:00' }, 'cutOff'],
    [{ logoUrl: 'http://example.com/a.png' }, 'logoUrl'],
    [{ logoUrl: 'javascript:alert(1)' }, 'logoUrl'],
    [{ logoUrl: 'https://a@b.example/x.png' }, 'logoUrl'],
    [{ logoUrl: '/etc/passwd' }, 'logoUrl'],
    [{ whatsappLink: 'https://evil.example/97336001099' }, 'whatsappLink'],
    [{ whatsappLink: 'javascript:alert(1)' }, 'whatsappLink'],
    [{ description: 'x'.repeat(1001) }, 'description'],
    [{ vatNumber: '22000441870000' }, 'vatNumber'],
    [{ vatNumber: '2200044187000021' }, 'vatNumber'],
    [{ customPriceFloor: -1 }, 'customPriceFloor'],
    [{ customPriceFloor: 101 }, 'customPriceFloor'],
    [{ customPriceFloor: 62.5 }, 'customPriceFloor'],
    [{ customPriceFloor: '50' }, 'customPriceFloor'],
  ])('is rejected with %j, and the field is named', async (wrong, field) => {
    const before = await referenceState(shop)
    const { status, refusal } = await market.send('POST', '/api/admin/vendors', { body: { ...fresh, ...wrong } })
    expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([422, 'INVALID_BODY', [field]])
    expect(await referenceState(shop)).toBe(before)
  })

  it.each(['wa.me/97336001099', 'https://api.whatsapp.com/send?phone=97336001099', '٣٦٠٠١٠٩٩', '+973 3600 1099'])(
    'accepts %s as WhatsApp link',
    async (whatsappLink) => {
      const { body } = await market.call(createVendor, { body: { ...fresh, whatsappLink } })
      expect(body.whatsappLink).toBe('https://wa.me/97336001099')
    },
  )
})

describe('staff of a vendor', () => {
  it('can change its facts, and the shop shows them at once', async () => {
    const { body: before } = await own.call(getManagedVendor, { params: params(1) })
    const { status, body } = await staff.call(updateVendor, {
      params: params(1),
      body: { deliveryFee: 0.75, cutOff: '17:30', companyName: 'Hayrat W.L.L.', version: before.version },
    })
    expect([status, body.deliveryFee, body.version]).toEqual([200, 0.75, before.version + 1])
    expect((await guest.call(getVendor, { params: params(1) })).body).toMatchObject({
      deliveryFee: 0.75,
      cutOff: '17:30',
    })
    expect((await auditOf(1)).at(-1)).toMatchObject({
      action: 'updated',
      user_id: staff.id,
      old_values: { deliveryFee: before.deliveryFee, cutOff: before.cutOff },
      new_values: { deliveryFee: 0.75, cutOff: '17:30', companyName: 'Hayrat W.L.L.' },
    })
  })

  it('can set the floor of agreed prices, which is in the history and not in the shop', async () => {
    for (const [from, to] of [
      [null, 100],
      [100, 0],
      [0, null],
    ]) {
      const { status, body } = await own.call(updateVendor, { params: params(1), body: { customPriceFloor: to } })
      expect([status, body.customPriceFloor]).toEqual([200, to])
      const values = { old_values: { customPriceFloor: from }, new_values: { customPriceFloor: to } }
      expect((await auditOf(1)).at(-1)).toMatchObject({ action: 'updated', user_id: own.id, ...values })
      expect((await guest.call(getVendor, { params: params(1) })).body).not.toHaveProperty('customPriceFloor')
    }
  })

  it('get VERSION_CONFLICT after a concurrent change', async () => {
    const { body } = await own.call(getManagedVendor, { params: params(1) })
    const change = (deliveryFee: number) =>
      own.call(updateVendor, { params: params(1), body: { deliveryFee, version: body.version } })
    const answers = await Promise.all([change(0.4), change(0.5), change(0.6)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.refusal.code).toBe('VERSION_CONFLICT')
  })

  it.each([{ isActive: false }, { isActive: true }, { vendorId: 1 }, { vendorId: 2 }, { vendorId: null }])(
    'cannot send %j',
    async (body) => {
      const before = await referenceState(shop)
      const { status, refusal } = await own.send('PATCH', '/api/admin/vendors/1', { body: { ...body, deliveryFee: 9 } })
      expect([status, refusal.code]).toEqual([403, 'FORBIDDEN'])
      expect(await referenceState(shop)).toBe(before)
    },
  )

  it('can neither see nor change another vendor', async () => {
    const before = await referenceState(shop)
    for (const [method, path, body] of [
      ['GET', '/api/admin/vendors/2', undefined],
      ['PATCH', '/api/admin/vendors/2', { deliveryFee: 9 }],
      ['GET', '/api/admin/vendors/2/areas', undefined],
      ['PUT', '/api/admin/vendors/2/areas', { areaIds: [1] }],
    ] as const) {
      const { status, refusal } = await own.send(method, path, { body })
      expect([path, status, refusal.code]).toEqual([path, 404, 'VENDOR_NOT_FOUND'])
    }
    expect((await own.send('DELETE', '/api/admin/vendors/1')).status).toBe(403)
    expect((await own.send('GET', '/api/admin/vendors')).status).toBe(403)
    expect(await referenceState(shop)).toBe(before)
  })

  it('cannot change columns that are not in the schema', async () => {
    const [before] = await shop.query('select * from vendors where id = 1')
    const body = {
      id: 7,
      createdAt: '2000-01-01',
      created_at: 1,
      updatedAt: 1,
      areaIds: [1],
      productCount: 5,
      role: 'x',
    }
    const raw = JSON.stringify({ ...body, nameAr: 'هيرات' }).replace('{', '{"__proto__":{"isActive":false},')
    expect((await own.send('PATCH', '/api/admin/vendors/1', { raw })).status).toBe(200)
    expect(await shop.query('select * from vendors where id = 1')).toEqual([before])
  })

  it('can set a WhatsApp link of another number; a link of the contact number changes with it', async () => {
    const { body: made } = await market.call(createVendor, { body: fresh })
    const change = (body: object) => market.call(updateVendor, { params: params(made.id), body })
    expect((await change({ contactNumber: '36002000' })).body.whatsappLink).toBe('https://wa.me/97336002000')
    await change({ whatsappLink: '36003000' })
    expect((await change({ contactNumber: '36004000' })).body.whatsappLink).toBe('https://wa.me/97336003000')
    expect((await change({ whatsappLink: null })).body.whatsappLink).toBe(null)
  })
})

describe('a deactivated vendor', () => {
  it('disappears from the shop at once, and its items in open carts become unavailable', async () => {
    const { vendor, water, customer, body } = await makeHousehold(shop)
    await customer.call(addToCart, { body: { productId: water, quantity: 5 } })
    expect((await market.call(updateVendor, { params: params(vendor), body: { isActive: false } })).status).toBe(200)
    expect((await guest.call(getVendor, { params: params(vendor) })).status).toBe(404)
    const { body: cart } = await customer.call(getCart)
    expect(cart.items.map(({ isAvailable }) => isAvailable)).toEqual([false])
    expect(cart.subtotal).toBe(0)
    expect((await customer.call(placeOrder, { body })).refusal.code).toBe('PRODUCT_UNAVAILABLE')
    await market.call(updateVendor, { params: params(vendor), body: { isActive: true } })
    expect((await customer.call(getCart)).body.items.map(({ isAvailable }) => isAvailable)).toEqual([true])
  })
})

describe('deleting a vendor', () => {
  it('deletes the vendor and its area links if no other row refers to it', async () => {
    const vendor = await makeVendor(shop)
    await makeArea(shop, [vendor])
    expect((await market.call(deleteVendor, { params: params(vendor) })).body).toEqual({ success: true, deleted: true })
    expect((await market.call(getManagedVendor, { params: params(vendor) })).status).toBe(404)
    expect(await shop.query('select 1 from vendor_delivery_areas where vendor_id = $1', [vendor])).toEqual([])
    expect((await auditOf(vendor)).at(-1)).toMatchObject({ action: 'deleted', new_values: expect.anything() })
  })

  it('deactivates the vendor if it has orders, and keeps the orders', async () => {
    const { vendor, order } = await makeHousehold(shop)
    const id = await order()
    expect((await market.call(deleteVendor, { params: params(vendor) })).body).toEqual({
      success: true,
      deleted: false,
    })
    expect((await market.call(getManagedVendor, { params: params(vendor) })).body.isActive).toBe(false)
    expect(await shop.query('select vendor_id from orders where id = $1', [id])).toEqual([{ vendor_id: vendor }])
  })

  it('deactivates the vendor if it has users', async () => {
    const vendor = await makeVendor(shop)
    await makeUser(shop, { role: 'driver', vendorId: vendor })
    expect((await market.call(deleteVendor, { params: params(vendor) })).body.deleted).toBe(false)
  })
})

describe('the areas of a vendor', () => {
  it('are replaced in one call, which is logged and visible in every process', async () => {
    const vendor = await makeVendor(shop)
    const [a, b, c] = [await makeArea(shop, [vendor]), await makeArea(shop, [vendor]), await makeArea(shop, [])]
    const { status, body } = await market.call(setVendorAreas, {
      params: params(vendor),
      body: { areaIds: [c.areaId, b.areaId] },
    })
    expect([status, body.map(({ id }) => id).sort((x, y) => x - y)]).toEqual([200, [b.areaId, c.areaId]])
    const delivers = async (areaId: number) =>
      (await guest.call(deliversTo, { params: { vendorId: String(vendor), areaId: String(areaId) } })).body.delivers
    expect([await delivers(a.areaId), await delivers(b.areaId), await delivers(c.areaId)]).toEqual([false, true, true])
    expect((await market.call(listVendorAreas, { params: params(vendor) })).body).toEqual(body)
    expect((await auditOf(vendor)).at(-1)).toMatchObject({
      old_values: { areaIds: [a.areaId, b.areaId] },
      new_values: { areaIds: [b.areaId, c.areaId] },
    })
  })

  it.each([
    ['none', []],
    ['101', Array.from({ length: 101 }, (_, i) => i + 1)],
    ['one twice', [1, 1]],
    ['0', [0]],
    ['an unknown one', [1, 2_000_000_000]],
    ['a text', ['1']],
    ['a half', [1.5]],
    ['no list', 1],
    ['nothing', undefined],
  ])('are rejected: %s', async (_, areaIds) => {
    const before = await referenceState(shop)
    const { status, refusal } = await own.send('PUT', '/api/admin/vendors/1/areas', { body: { areaIds } })
    expect([status, refusal.code]).toEqual([422, 'INVALID_BODY'])
    expect(Object.keys(refusal.details.fields ?? {})[0]).toMatch(/^areaIds/)
    expect(await referenceState(shop)).toBe(before)
  })

  it('equal one of the choices after concurrent calls', async () => {
    const choices = [[1, 2, 3], [4, 5], [6]]
    const answers = await Promise.all(
      choices.map((areaIds) => own.call(setVendorAreas, { params: params(1), body: { areaIds } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { body } = await own.call(listVendorAreas, { params: params(1) })
    expect(choices).toContainEqual(body.map(({ id }) => id).sort((a, b) => a - b))
  })
})

describe('the list of vendors', () => {
  const find = async (query: Record<string, string>) => (await market.call(listManagedVendors, { query })).body
  it('is paginated and searched by folded names and numbers', async () => {
    const first = await find({ limit: '3' })
    expect([first.items.length, first.page, first.limit]).toEqual([3, 1, 3])
    expect(first.total).toBeGreaterThanOrEqual(8)
    const names = async (search: string) => (await find({ search, limit: '100' })).items.map(({ name }) => name)
    expect(await names('غَيْمـة')).toEqual(['Ghaima'])
    expect(await names('GHAI')).toEqual(['Ghaima'])
    expect(await names('٣٦٠٠١٠٠٢')).toEqual(['Ghaima'])
  })

  it('includes inactive vendors', async () => {
    const vendor = await makeVendor(shop)
    await market.call(updateVendor, { params: params(vendor), body: { isActive: false } })
    expect((await find({ isActive: 'false', limit: '100' })).items.map(({ id }) => id)).toContain(vendor)
    expect((await find({ isActive: 'true', limit: '100' })).items.map(({ id }) => id)).not.toContain(vendor)
  })
})

describe('how a vendor does business', () => {
  const keep = { bottleDifference: 'at-once', refundChoice: false, accounts: false, standingOrders: false } as const
  const off = { ...keep, bottles: false, areaDays: false, capacity: false, processing: true }

  it('is cash alone with everything off at first, and changes by its admin, field by field, with history', async () => {
    const id = await makeVendor(shop)
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: id })
    expect((await admin.call(getBusiness, { params: params(id) })).body).toEqual({
      ...off,
      means: ['cash'],
      limits: {},
      version: 0,
    })
    const body = { means: ['benefitpay', 'cash', 'cash'], limits: { vendor_staff: 2.5 }, version: 0 } as const
    const { body: saved } = await admin.call(saveBusiness, {
      params: params(id),
      body: { ...body, means: [...body.means] },
    })
    expect(saved).toEqual({ ...off, means: ['cash', 'benefitpay'], limits: { vendor_staff: 2.5 }, version: 1 })
    const { body: next } = await market.call(saveBusiness, { params: params(id), body: { bottles: true } })
    expect(next).toEqual({ ...saved, bottles: true, version: 2 })
    const { body: same } = await market.call(saveBusiness, { params: params(id), body: { ...next, version: 2 } })
    expect(same).toEqual(next)
    expect(await auditOf(id)).toMatchObject([
      {
        action: 'updated',
        user_id: admin.id,
        old_values: { means: ['cash'], limits: {} },
        new_values: { means: ['cash', 'benefitpay'], limits: { vendor_staff: 2.5 } },
      },
      { action: 'updated', user_id: market.id, old_values: { bottles: false }, new_values: { bottles: true } },
    ])
  })

  it('is changed once by two requests with the same version', async () => {
    const id = await makeVendor(shop)
    const answers = await Promise.all(
      [true, false].map((bottles) =>
        market.send('PUT', `/api/admin/vendors/${id}/business`, { body: { bottles, accounts: !bottles, version: 0 } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused?.refusal).toMatchObject({ code: 'VERSION_CONFLICT', details: { version: 1 } })
  })

  it.each([
    [{ means: [] }, 'means'],
    [{ means: ['gold'] }, 'means.0'],
    [{ means: ['cash', 'account'] }, 'means'],
    [{ means: 'cash' }, 'means'],
    [{ bottles: 'yes' }, 'bottles'],
    [{ bottleDifference: 'never' }, 'bottleDifference'],
    [{ limits: { customer: 1 } }, 'limits'],
    [{ limits: { vendor_staff: -1 } }, 'limits.vendor_staff'],
    [{ limits: { vendor_staff: 0.0001 } }, 'limits.vendor_staff'],
    [{ version: -1 }, 'version'],
  ])('is not changed by %j', async (body, field) => {
    const before = await referenceState(shop)
    const { status, refusal } = await own.send('PUT', '/api/admin/vendors/1/business', { body })
    expect([status, refusal.code, Object.keys(refusal.details.fields ?? {})]).toEqual([422, 'INVALID_BODY', [field]])
    expect(await referenceState(shop)).toBe(before)
  })
})
