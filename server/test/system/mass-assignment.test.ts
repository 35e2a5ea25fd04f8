import { isDeepStrictEqual } from 'node:util'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { rolesAllowed } from '@qatra/contract/users/roles'
import { describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, firstRow, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { type Identity, meet, type Person } from '../fixtures/identities.ts'
import { sample, sampleSeed } from '../sample.ts'

const shop = await startShop({ role: 'web' })

const WORD = 'smuggled-word'
const NUMBER = 987_654_321
const DAY = '2001-02-03'
const valueOf: Record<string, unknown> = {
  integer: NUMBER,
  bigint: NUMBER,
  smallint: 32_109,
  numeric: NUMBER,
  'double precision': NUMBER,
  boolean: true,
  date: DAY,
  'timestamp with time zone': `${DAY}T04:05:06.000Z`,
  jsonb: { [WORD]: WORD },
  ARRAY: [WORD],
  text: WORD,
  'character varying': WORD,
  uuid: WORD,
}
/** Values that an attacker would set. */
const forged: Record<string, unknown> = {
  role: 'super_admin',
  status: 'delivered',
  payment_status: 'paid',
  sync_status: 'done',
  permissions: ['users.write'],
  is_active: false,
}
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** All columns of all tables, in snake_case and camelCase. */
const columns = await shop.query<{ name: string; type: string }>(
  `select column_name as name, min(data_type) as type from information_schema.columns
   where table_schema = 'public' group by 1 order by 1`,
)
const smuggled = Object.fromEntries(
  columns.flatMap(({ name, type }) => {
    const value = forged[name] ?? valueOf[type] ?? WORD
    return [name, camel(name)].map((key) => [key, value] as const)
  }),
)

/** Adds every column to the body, except the fields of the endpoint's schema. */
function withSmuggled({ body: schema }: AnyEndpoint, body: unknown): unknown {
  if (Array.isArray(body) || (typeof body !== 'object' && body !== undefined)) return body
  const asked = schema && 'shape' in schema ? Object.keys(schema.shape as object) : [] // an object's schema has a shape
  const own = body ?? {}
  const known = new Set([...asked, ...Object.keys(own)])
  return { ...own, ...Object.fromEntries(Object.entries(smuggled).filter(([key]) => !known.has(key))) }
}

/** Columns of rights, money and tenancy, counted by value. */
const counted = [
  `select 'users', role, vendor_id::text, is_active, is_verified, permissions::text, count(*) from users group by 1, 2, 3, 4, 5, 6`,
  `select 'orders', status, payment_status, vendor_id, placed_by is null, assigned_driver_id is null, sync_status,
     legacy_bag_id is null, count(*) from orders group by 1, 2, 3, 4, 5, 6, 7, 8`,
  `select 'products', vendor_id, is_active, deleted_at is null, count(*) from products group by 1, 2, 3, 4`,
  `select 'vendors', is_active, count(*) from vendors group by 1, 2`,
]
async function figures() {
  const lines = await shop.query<{ line: string }>(
    counted.map((text) => `select t::text as line from (${text}) t`).join(' union all '),
  )
  return new Map(
    lines.map(({ line }) => {
      const at = line.lastIndexOf(',')
      return [line.slice(0, at), Number.parseInt(line.slice(at + 1), 10)] as const
    }),
  )
}
const difference = (before: Map<string, number>, after: Map<string, number>) =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => [key, (after.get(key) ?? 0) - (before.get(key) ?? 0)] as const)
    .filter(([, change]) => change !== 0)
    .sort()

const tables = await shop.query<{ name: string }>(
  `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
)
async function traces(): Promise<string[]> {
  const looks = tables.map(({ name }) => `select '${name}' as name from "${name}" t where t::text ~ $1 limit 1`)
  looks.push(`select 'job' as name from pgboss.job t where t.data::text ~ $1 limit 1`)
  const rows = await shop.query<{ name: string }>(looks.map((look) => `(${look})`).join(' union all '), [
    `${WORD}|${NUMBER}|${DAY}`,
  ])
  return rows.map(({ name }) => name)
}

interface Call {
  status: number
  changed: (readonly [string, number])[]
}
async function measured(call: () => Promise<{ status: number }>): Promise<Call> {
  const before = await figures()
  const { status } = await call()
  return { status, changed: difference(before, await figures()) }
}

/** Differences to the same call without the added columns. */
function problems(plain: Call, more: Call): string[] {
  const found: string[] = []
  if (more.status >= 500) found.push(`status ${more.status}`)
  const wanted = more.status === plain.status ? plain.changed : []
  if (!isDeepStrictEqual(more.changed, wanted)) found.push(`changed ${JSON.stringify(more.changed)}`)
  return found
}

function whoMayCall({ path, allow }: AnyEndpoint): Identity {
  if (!/^\/api\/(?:admin|sales)/.test(path)) return 'customer'
  return rolesAllowed(allow)?.includes('vendor_admin') ? 'vendor_admin' : 'super_admin'
}
async function ask(endpoint: AnyEndpoint, change: (body: unknown) => unknown) {
  const person: Person = await meet(shop, whoMayCall(endpoint))
  const sent = await sentBy(shop, firstRow(endpoint), person)
  const url = addressWith(endpoint, sent)
  return measured(() => person.send(endpoint.method, url, { body: change(sent.body) }))
}

describe(`columns that are not in the schema (seed ${sampleSeed})`, () => {
  const changing = sample(
    endpoints.filter(({ method, accepts }) => method !== 'GET' && !accepts),
    0.25,
  )

  it('include all tables', () => {
    expect(columns.length).toBeGreaterThan(250)
    expect(Object.keys(smuggled)).toEqual(expect.arrayContaining(['role', 'vendorId', 'isVerified', 'paymentStatus']))
  })

  it.each(changing.map((endpoint) => [keyOf(endpoint), endpoint] as const))(
    'change nothing when sent to %s',
    async (_, endpoint) => {
      const plain = await ask(endpoint, (body) => body)
      const more = await ask(endpoint, (body) => withSmuggled(endpoint, body))
      expect(problems(plain, more)).toEqual([])
    },
  )

  it('leave no value in the database', async () => expect(await traces()).toEqual([]))

  // Mutant: a handler that writes all columns named by the body.
  it('would be detected if a handler wrote them', async () => {
    const person = await meet(shop, 'customer')
    const careless = (key: string) =>
      measured(async () => {
        await shop.query(`update users set ${key} = $2 where id = $1`, [person.userId, smuggled[key]])
        return { status: 200 }
      })
    for (const key of ['role', 'is_active', 'permissions'])
      expect([key, problems({ status: 200, changed: [] }, await careless(key))]).not.toEqual([key, []])
    await careless('name')
    expect(await traces()).toEqual(['users'])
  })
})
