import { keyPermissions } from '@qatra/contract/api-keys'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { rolePermissions } from '@qatra/contract/users/permissions'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, keyOf, sentBy, wholeState } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { meet, type Person } from '../fixtures/identities.ts'
import { makeKey, makeOrder, makeProduct, makeUser } from '../fixtures/make.ts'
import { matrix } from './rows.ts'

const shop = await startShop({ role: 'web' })

/** An explicit list: whatever is missing here is closed to keys. */
const openToKeys = [
  'GET /api/admin/customers',
  'GET /api/admin/customers/{id}',
  'GET /api/admin/events',
  'GET /api/admin/orders',
  'GET /api/admin/orders/{id}',
  'GET /api/admin/products',
  'GET /api/admin/products/{id}',
  'GET /api/sales/orders',
  'GET /api/sales/orders/{id}',
  'POST /api/sales/orders',
]

/** In every row of the second vendor that people can read. */
const CANARY = 'Zqxforeign'
const people: { name: string; person: Person; headers: { authorization: string } }[] = []

beforeAll(async () => {
  for (const who of ['vendor_admin', 'super_admin'] as const) {
    const person = await meet(shop, who)
    const { headers } = await makeKey(shop, person.userId ?? 0)
    people.push({ name: `key of the first vendor by ${who}`, person, headers })
  }
  const customer = await makeUser(shop)
  await shop.query('update users set name = $2 where id = $1', [customer.id, CANARY])
  await makeProduct(shop, 2, { name: CANARY })
  const id = await makeOrder(shop, { userId: customer.id, vendorId: 2 })
  await shop.query('update orders set customer_name = $2, address = $2, instructions = $2 where id = $1', [id, CANARY])
})

async function ask(endpoint: AnyEndpoint, { person, headers }: (typeof people)[number], row: number) {
  const chosen = (matrix[keyOf(endpoint)] ?? [])[row]
  const sent = chosen ? await sentBy(shop, chosen, person) : {}
  const target = addressWith(endpoint, sent)
  return () => shop.visitor().send(endpoint.method, target, { body: sent.body, headers })
}

describe('endpoints of API keys', () => {
  it('are those of the list, each with a permission that keys can be given, none personal', () => {
    const marked = endpoints.filter(({ byKey }) => byKey)
    expect(marked.map(keyOf).sort()).toEqual(openToKeys)
    for (const { permissions = [], forbidWhileImpersonating = false } of marked) {
      expect(permissions.length).toBeGreaterThan(0)
      expect(permissions.filter((one) => !keyPermissions.some((given) => given === one))).toEqual([])
      expect(forbidWhileImpersonating).toBe(false)
    }
    expect(keyPermissions.filter((one) => !rolePermissions.vendor_admin.includes(one))).toEqual([])
  })

  it('all others refuse a key, valid or not, and nothing is written', async () => {
    const closed = endpoints.filter(({ byKey }) => !byKey)
    const asks = []
    for (const endpoint of closed) {
      const user = people[closed.indexOf(endpoint) % people.length]
      if (user) asks.push({ endpoint, send: await ask(endpoint, user, 0) })
    }
    const before = await wholeState(shop, ['api_keys', 'rate_limits'])
    const answers: string[] = []
    for (const { endpoint, send } of asks) {
      const { status, refusal, headers } = await send()
      if (status !== 403 || refusal.code !== 'NOT_FOR_KEYS' || headers['set-cookie'] !== undefined)
        answers.push(`${keyOf(endpoint)}: ${status} ${refusal.code}`)
    }
    expect(answers).toEqual([])
    expect(asks.length).toBeGreaterThan(240)
    expect(await wholeState(shop, ['api_keys', 'rate_limits'])).toEqual(before)
  })

  it('are read with foreign rows at hand, which the other vendor’s key shows', async () => {
    const { headers } = await makeKey(shop, (await meet(shop, 'other_vendor_admin')).userId ?? 0, 2)
    for (const path of ['orders', 'customers', 'products?limit=100'])
      expect(JSON.stringify((await shop.visitor().send('GET', `/api/admin/${path}`, { headers })).body)).toContain(
        CANARY,
      )
  })

  it.each(openToKeys)('%s shows and changes nothing of another vendor', async (key) => {
    const endpoint = endpoints.find((one) => keyOf(one) === key)
    const rows = matrix[key] ?? []
    if (!endpoint) throw new Error(`${key} is no endpoint`)
    for (const user of people) {
      for (const [index, { name, vendor, elsewhere = 404, status, but }] of rows.entries()) {
        const send = await ask(endpoint, user, index)
        const foreign = `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) from`
        const second = () =>
          shop.query(
            `select (${foreign} orders t where vendor_id = 2) as orders, (${foreign} products t where vendor_id = 2) as products,
               (${foreign} order_audit_history t join orders o on o.id = t.order_id where o.vendor_id = 2) as history`,
          )
        const before = await second()
        const answer = await send()
        // A key cannot be given `sales.ignore-coverage`.
        const needsMore = name === 'beyond the areas, overridden'
        const wanted = vendor === 2 ? elsewhere : needsMore ? 403 : (but?.vendor_admin ?? status)
        expect([user.name, name, answer.status]).toEqual([user.name, name, wanted])
        expect(JSON.stringify(answer.body)).not.toContain(CANARY)
        expect(answer.headers['set-cookie']).toBeUndefined()
        expect(await second()).toEqual(before)
      }
    }
  })
})
