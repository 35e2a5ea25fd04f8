import { createKey, keyPermissions, listKeys, revokeKey } from '@qatra/contract/api-keys'
import { listAudit } from '@qatra/contract/audit'
import type { Input } from '@qatra/contract/endpoint'
import { listOrders } from '@qatra/contract/orders/admin'
import { listAdminProducts } from '@qatra/contract/products/admin'
import { getSalesOrder, placeSalesOrder } from '@qatra/contract/sales'
import { listCustomers } from '@qatra/contract/users/customers'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { productOf } from '../test/fixtures/identities.ts'
import { makeKey, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { listen } from '../test/listen.ts'

const shop = await startShop({ role: 'web' })
const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })

const program = (headers: { authorization: string }) => ({
  orders: async () => (await shop.visitor().call(listOrders, {}, headers)).status,
  refusal: async () => (await shop.visitor().call(listOrders, {}, headers)).refusal.code,
})
const body: Input<typeof createKey>['body'] = {
  name: 'Accounting',
  permissions: [...keyPermissions],
  expiresInDays: 90,
}
const sale = async (phone: string) => ({
  phone,
  customerName: 'Noura',
  address: 'Building 1172, Seef',
  mapCoordinates: { lat: 26.2371, lng: 50.5417 },
  items: [{ productId: await productOf(shop, 1), quantity: 2 }],
})

describe('an API key', () => {
  it('is shown once, stored as a hash, and listed with its last use', async () => {
    const { status, body: made } = await admin.call(createKey, { body: { ...body, permissions: ['orders.read'] } })
    expect([status, made.state, made.vendorId]).toEqual([200, 'live', 1])
    expect(made.key).toMatch(/^qk_[\w-]{43}$/)
    const stored = await shop.query('select to_jsonb(k)::text as row from api_keys k where id = $1', [made.id])
    expect(JSON.stringify(stored)).not.toContain(made.key)
    const headers = { authorization: `Bearer ${made.key}` }
    expect(await program(headers).orders()).toBe(200)
    const listed = async () => (await admin.call(listKeys)).body.items.find(({ id }) => id === made.id)
    await expect.poll(async () => (await listed())?.lastUsedAt).toMatch(/^\d{4}/)
    expect(JSON.stringify(await listed())).not.toContain(made.key)
    // What it was not given.
    expect((await shop.visitor().call(listAdminProducts, {}, headers)).refusal.code).toBe('FORBIDDEN')
  })

  it('places an order once, reads it, and is named in the audit log with its maker', async () => {
    const { id: keyId, headers } = await makeKey(shop, admin.id)
    const { phone } = await makeUser(shop)
    const request = { body: await sale(phone) }
    const again = { ...headers, 'idempotency-key': 'first' }
    const placed = await Promise.all(
      Array.from({ length: 5 }, () => shop.visitor().call(placeSalesOrder, request, again)),
    )
    expect(new Set(placed.map(({ status, body: { id } }) => `${status} ${id}`)).size).toBe(1)
    const id = placed[0]?.body.id ?? ''
    expect((await shop.visitor().call(getSalesOrder, { params: { id } }, headers)).body.phone).toBe(phone)
    expect((await shop.visitor().call(listCustomers, { query: { search: phone } }, headers)).body.total).toBe(1)
    // Another key of the same maker has a namespace of its own.
    const other = await makeKey(shop, admin.id)
    const second = { ...other.headers, 'idempotency-key': 'first' }
    const { status, body: another } = await shop.visitor().call(placeSalesOrder, request, second)
    expect([status, another.id === id]).toEqual([200, false])
    const { body: log } = await admin.call(listAudit, { query: { resource: 'order', search: id } })
    expect(log.items.map(({ user, key }) => [user?.id, key])).toEqual(
      log.items.map(() => [admin.id, { id: keyId, name: 'Accounting' }]),
    )
    expect(log.items.length).toBeGreaterThan(0)
  })

  it('needs no origin and gets no cookie; cookies beside it are ignored', async () => {
    const { headers } = await makeKey(shop, admin.id, 1, ['sales.place'])
    const { phone } = await makeUser(shop)
    const elsewhere = { ...headers, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    const answer = await shop.visitor().call(placeSalesOrder, { body: await sale(phone) }, elsewhere)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    // The session could read orders, the key cannot.
    expect((await admin.call(listOrders, {}, headers)).refusal.code).toBe('FORBIDDEN')
    for (const authorization of [`Bearer qk_${'x'.repeat(43)}`, 'Bearer x', `bearer  ${'y'.repeat(400)}`])
      expect((await admin.call(listOrders, {}, { authorization })).refusal.code).toBe('KEY_INVALID')
    expect((await admin.call(listOrders, {}, { authorization: 'Basic eDp5' })).status).toBe(200)
  })

  it('has never more than its maker has now', async () => {
    const maker = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const { id, headers } = await makeKey(shop, maker.id)
    const { orders, refusal } = program(headers)
    const change = (set: string) => shop.query(`update users set ${set} where id = $1`, [maker.id])
    const state = async () => (await admin.call(listKeys)).body.items.find((one) => one.id === id)
    expect(await orders()).toBe(200)
    await change(`role = 'vendor_staff'`)
    expect(await orders()).toBe(200)
    const { phone } = await makeUser(shop)
    const { refusal: refused } = await shop.visitor().call(placeSalesOrder, { body: await sale(phone) }, headers)
    expect(refused.code).toBe('SALES_ONLY')
    expect(await state()).toMatchObject({ state: 'live', lost: ['sales.place'] })
    await change('is_active = false')
    expect([await refusal(), (await state())?.state]).toEqual(['KEY_INVALID', 'idle'])
    await change('is_active = true, vendor_id = 2')
    expect(await refusal()).toBe('KEY_INVALID')
    await change(`role = 'customer', vendor_id = null`)
    expect(await refusal()).toBe('KEY_INVALID')
    await change(`role = 'vendor_admin', vendor_id = 1`)
    expect(await orders()).toBe(200)
    await shop.query(`update api_keys set expires_at = now() where id = $1`, [id])
    expect([await refusal(), (await state())?.state]).toEqual(['KEY_INVALID', 'expired'])
    // A key of the market falls with the super admin.
    const owner = await makeUser(shop, { role: 'super_admin' })
    const ofMarket = await makeKey(shop, owner.id, null)
    expect(await program(ofMarket.headers).orders()).toBe(200)
    await shop.query(`update users set role = 'vendor_admin', vendor_id = 1 where id = $1`, [owner.id])
    expect(await program(ofMarket.headers).refusal()).toBe('KEY_INVALID')
  })

  it('is made for the scope and permissions of its maker alone, and at most fifty are live', async () => {
    expect((await admin.call(createKey, { body: { ...body, vendorId: 2 } })).refusal.code).toBe('FORBIDDEN')
    expect((await admin.call(createKey, { body: { ...body, vendorId: null } })).body.vendorId).toBe(1)
    const limited = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const wide = { ...body, permissions: ['orders.read', 'integrations.write'] as never }
    expect((await limited.call(createKey, { body: wide })).status).toBe(422)
    const [row] = await shop.query<{ vendor: number }>(
      `insert into vendors (name, name_ar) values ('Full', 'x') returning id as vendor`,
    )
    const full = await makeVisitor(shop, { role: 'vendor_admin', vendorId: row?.vendor ?? 0 })
    const codes = await Promise.all(
      Array.from({ length: 52 }, async () => (await full.call(createKey, { body })).refusal.code ?? 'made'),
    )
    expect(codes.filter((code) => code === 'KEYS_FULL')).toHaveLength(2)
  })

  it('ends with its revocation, for requests and for open streams', async () => {
    const { body: made } = await admin.call(createKey, { body })
    const headers = { authorization: `Bearer ${made.key}` }
    const stream = await listen(shop, shop.visitor(), { headers })
    expect(stream.status).toBe(200)
    await stream.until(({ event }) => event === 'ready')
    const other = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 2 })
    const input = { params: { id: String(made.id) } }
    expect((await other.call(revokeKey, input)).refusal.code).toBe('KEY_NOT_FOUND')
    expect(await program(headers).orders()).toBe(200)
    for (const _ of [1, 2]) expect((await admin.call(revokeKey, input)).status).toBe(200)
    expect((await stream.until(({ event }) => event === 'end')).data.reason).toBe('rights')
    await stream.ended
    expect(await program(headers).refusal()).toBe('KEY_INVALID')
    // A search for a number also finds what people with it in their phone did.
    const { body: log } = await admin.call(listAudit, { query: { resource: 'api-key', search: String(made.id) } })
    const ofKey = log.items.filter(({ resourceId }) => resourceId === String(made.id))
    expect(ofKey.map(({ action }) => action)).toEqual(['revoked', 'created'])
  })
})
