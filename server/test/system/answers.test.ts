import { getCart } from '@qatra/contract/cart/cart'
import { getAdminOrder } from '@qatra/contract/orders/admin'
import { getOrder, listMyOrders } from '@qatra/contract/orders/orders'
import { listProducts } from '@qatra/contract/products/products'
import { listVendors } from '@qatra/contract/vendors/vendors'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { callerFor } from '../../http/call-in-process.ts'
import { startShop } from '../app.ts'
import { addressWith, firstRow, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { everybody, meet } from '../fixtures/identities.ts'
import { makeOrder, makeUser, makeVisitor } from '../fixtures/make.ts'
import { sample, sampleSeed } from '../sample.ts'

const shop = await startShop({ role: 'web' })
const CANARY = 'unexpected-column'

/** Adds a field to every object of a response, like a new column of a table would. */
function withColumn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withColumn)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const fields = Object.entries(value).map(([key, each]) => [key, withColumn(each)])
  return { ...Object.fromEntries(fields), [CANARY]: CANARY }
}

for (const served of shop.app.served.values()) {
  const { handle } = served
  served.handle = (ctx, input) => {
    const made = handle(ctx, input)
    return made instanceof Promise ? made.then(withColumn) : withColumn(made)
  }
}

/** Paths of fields that the schema does not contain. Records and unknown values can have any keys. */
function surplus(value: unknown, schema: z.core.$ZodType, at: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (value === null || value === undefined) return []
  switch (def.type) {
    case 'nullable':
    case 'optional':
      return surplus(value, def.innerType, at)
    case 'array':
      if (!Array.isArray(value)) return [at]
      return value.flatMap((each, i) => surplus(each, def.element, `${at}[${i}]`))
    case 'object':
      return Object.entries(value).flatMap(([key, each]) => {
        const field = def.shape[key]
        return field ? surplus(each, field, `${at}.${key}`) : [`${at}.${key}`]
      })
    case 'union':
      return def.options
        .map((option) => surplus(value, option, at))
        .reduce((fewest, each) => (each.length < fewest.length ? each : fewest))
    default:
      return []
  }
}

/** Endpoints without a successful call in the matrix: tested with a generated response. */
const unanswered = [
  'POST /api/auth/verify/otp',
  'POST /api/auth/verify/message/done',
  'POST /api/auth/verify/passkey',
  'POST /api/auth/passkeys',
  'POST /api/bottles/collections',
  'POST /api/admin/customers/import',
  'POST /api/admin/whatsapp/canned-replies/import',
  'POST /api/admin/users/import',
  'POST /api/admin/media',
  'POST /api/admin/orders/{id}/receipt/message',
  'POST /api/admin/whatsapp/uploads',
  'PATCH /api/admin/whatsapp/conversations/{contact}/cart/{itemId}',
  'POST /api/admin/whatsapp/conversations/{contact}/cart/confirmation',
  'POST /api/admin/media/retry',
  'POST /api/cart/restore',
  'POST /api/admin/legacy/{id}/retry',
  'POST /api/admin/legacy/retry',
  'POST /api/simulator/telegram/topics/{id}',
  'POST /api/admin/whatsapp/campaigns/{id}/settle',
  'POST /api/admin/whatsapp/templates',
  'POST /api/admin/whatsapp/templates/sample',
  'POST /api/admin/whatsapp/templates/files',
  'PUT /api/admin/whatsapp/templates/{id}',
  'DELETE /api/admin/whatsapp/templates/{id}',
]

/** Generates a response with every field of the schema. */
function sampleOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'nullable':
    case 'optional':
      return sampleOf(def.innerType)
    case 'array':
      return [sampleOf(def.element)]
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, sampleOf(field)]))
    case 'union':
      return sampleOf(def.options[0] ?? schema)
    case 'literal':
      return def.values[0]
    default:
      return 'a value'
  }
}

const inJson = sample(
  endpoints.filter(({ produces, status }) => produces === undefined && status !== 204),
  0.25,
)

describe(`a response (seed ${sampleSeed})`, () => {
  it.each(inJson.map((endpoint) => [keyOf(endpoint), endpoint] as const))(
    'of %s has no field beyond its schema when the handler returns more',
    async (_, endpoint) => {
      const served = shop.app.served.get(keyOf(endpoint))
      const made = served?.trim?.(withColumn(sampleOf(endpoint.returns)))
      expect(made).toBeTruthy()
      expect(surplus(made, endpoint.returns, '')).toEqual([])
      const row = firstRow(endpoint)
      const answered: number[] = []
      for (const who of everybody) {
        const person = await meet(shop, who)
        const sent = await sentBy(shop, row, person)
        const { status, body } = await person.send(endpoint.method, addressWith(endpoint, sent), { body: sent.body })
        answered.push(status)
        if (status === 200) expect(surplus(body, endpoint.returns, '')).toEqual([])
        // One success is enough: the fields depend on the endpoint, not on the role.
        if (status === 200) break
      }
      expect(answered.includes(200)).toBe(!unanswered.includes(keyOf(endpoint)))
    },
  )

  it('embedded in a rendered page has no field beyond its schema', async () => {
    const request = { headers: { host: 'localhost:3000' }, ip: '127.0.0.1' } as FastifyRequest
    const { call } = await callerFor(shop.app, request, 'ar')
    for (const endpoint of [listVendors, listProducts, getCart]) {
      const answer = await call({ method: 'GET', path: endpoint.path }, {})
      expect(JSON.stringify(answer)).not.toBe('[]')
      expect(surplus(answer, endpoint.returns, '')).toEqual([])
    }
  })

  it('with an order has null in staff fields for its customer and values for staff', async () => {
    const customer = await makeVisitor(shop)
    const driver = await makeUser(shop, { role: 'driver', vendorId: 1 })
    const agent = await makeUser(shop, { role: 'vendor_sales', vendorId: 1 })
    const id = await makeOrder(shop, {
      userId: customer.id,
      vendorId: 1,
      assignedDriverId: driver.id,
      placedBy: agent.id,
    })
    await shop.query(
      `update orders set legacy_bag_id = 'B1', legacy_transaction_id = 'T1', last_sync_at = now(), sync_status = 'synced' where id = $1`,
      [id],
    )
    const staffFields = {
      placedBy: agent.id,
      assignedDriverId: driver.id,
      legacyBagId: 'B1',
      legacyTransactionId: 'T1',
      lastSyncAt: expect.any(String) as string,
      syncStatus: 'synced',
    }
    const nothing = Object.fromEntries([...Object.keys(staffFields), 'syncErrors'].map((field) => [field, null]))
    expect((await customer.call(getOrder, { params: { id } })).body).toMatchObject(nothing)
    expect((await customer.call(listMyOrders)).body.items).toMatchObject([nothing])
    const admin = await meet(shop, 'vendor_admin')
    expect((await admin.call(getAdminOrder, { params: { id } })).body).toMatchObject(staffFields)
  })
})
