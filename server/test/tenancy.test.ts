import { endpoints } from '@qatra/contract/api'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { rolesAllowed } from '@qatra/contract/roles'
import { describe, expect, it } from 'vitest'
import { startShop } from './app.ts'
import { addressWith, keyOf, sentBy } from './ask.ts'
import { type Identity, meet } from './identities.ts'
import { matrix } from './matrix-rows.ts'
import type { Sent } from './matrix-row.ts'

// One vendor's things, and an admin of the other who names them in every place there is.
const FIRST = 1
const CANARY = 'Canary of the first vendor'

const vendors = endpoints.filter(({ allow }) => rolesAllowed(allow)?.includes('vendor_admin'))
const changing = vendors.filter(({ method, accepts }) => method !== 'GET' && !accepts)
const reading = vendors.filter(({ method, isStream }) => method === 'GET' && !isStream)
const keyed = (list: readonly AnyEndpoint[]) => list.map((endpoint) => [keyOf(endpoint), endpoint] as const)

const shop = await startShop()
// Whatever comes to the first vendor from here on bears the name, too.
for (const [table, column] of [
  ['orders', 'customer_name'],
  ['users', 'name'],
]) {
  await shop.query(`update ${table} set ${column} = '${CANARY}' where vendor_id = ${FIRST}`)
  await shop.query(`create function mark_${table}() returns trigger language plpgsql as $$
    begin if new.vendor_id = ${FIRST} then new.${column} := '${CANARY}'; end if; return new; end $$`)
  await shop.query(`create trigger mark before insert on ${table} for each row execute function mark_${table}()`)
}

/** Every row that is the first vendor's, directly or through its order. */
const columns = await shop.query<{ name: string; columns: string[] }>(
  `select c.table_name as name, array_agg(c.column_name::text) as columns
   from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
   where table_schema = 'public' and table_type = 'BASE TABLE'
     and table_name <> all('{notifications,order_days,order_day_figures,sessions}') group by 1 order by 1`,
)
function rowsOf({ name, columns: has }: (typeof columns)[number]): string | null {
  if (name === 'vendors') return `id = ${FIRST}`
  if (has.includes('vendor_id')) return `vendor_id = ${FIRST}`
  return has.includes('order_id') ? `order_id in (select id from orders where vendor_id = ${FIRST})` : null
}
const stateSql = columns
  .flatMap((table) => {
    const where = rowsOf(table)
    return where === null
      ? []
      : [
          `select '${table.name}' as name, md5(string_agg((to_jsonb(t) - 'last_active_at')::text, ',' order by t::text)) as rows
           from "${table.name}" t where ${where}`,
        ]
  })
  .join(' union all ')
const state = () => shop.query(`${stateSql} order by name`)

/** The first vendor's row as its own admin would ask for it, and the same with its id wherever one could stand. */
const waysToName = (sent: Sent): Sent[] => [
  sent,
  { ...sent, query: { ...sent.query, vendorId: String(FIRST) } },
  ...(Array.isArray(sent.body) ? [] : [{ ...sent, body: { ...(sent.body as object | undefined), vendorId: FIRST } }]),
]

/** What rows of the first vendor are asked for by, made by its own admin. */
async function waysInto(endpoint: AnyEndpoint): Promise<Sent[]> {
  const owner = await meet(shop, 'vendor_admin')
  // What the second vendor's people may do is done to their own.
  const rows = (matrix[keyOf(endpoint)] ?? []).filter(({ but }) => but?.other_vendor_admin !== 200)
  const sents: Sent[] = []
  for (const row of rows) sents.push(...waysToName(await sentBy(shop, row, owner)))
  return sents
}

async function ask(endpoint: AnyEndpoint, who: Identity, ways: readonly Sent[]) {
  const person = await meet(shop, who)
  const answers: { status: number; text: string }[] = []
  for (const way of ways) {
    const { status, body } = await person.send(endpoint.method, addressWith(endpoint, way), { body: way.body })
    answers.push({ status, text: JSON.stringify(body) })
  }
  return answers
}

describe('an admin of another vendor', () => {
  it('is tried with every endpoint of vendors', () => {
    expect([changing.length > 25, reading.length > 20]).toEqual([true, true])
  })

  it.each(keyed(changing))('changes nothing of the first vendor by %s', async (_, endpoint) => {
    const ways = await waysInto(endpoint)
    const before = await state()
    const answers = await ask(endpoint, 'other_vendor_admin', ways)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(await state()).toEqual(before)
  })

  it.each(keyed(reading))('reads nothing of the first vendor by %s', async (_, endpoint) => {
    const answers = await ask(endpoint, 'other_vendor_admin', await waysInto(endpoint))
    expect(answers.filter(({ status, text }) => status >= 500 || text.includes(CANARY))).toEqual([])
  })
})

describe('the first vendor’s own admin', () => {
  // The control: without the wall between them the same calls reach, and the comparison sees it.
  it('changes and reads by the very same calls', { timeout: 60_000 }, async () => {
    let changed = 0
    for (const endpoint of changing) {
      const ways = (await waysInto(endpoint)).slice(0, 1)
      const before = JSON.stringify(await state())
      await ask(endpoint, 'vendor_admin', ways)
      if (JSON.stringify(await state()) !== before) changed += 1
    }
    expect(changed).toBeGreaterThan(changing.length / 2)
    const read: string[] = []
    for (const endpoint of reading) {
      const answers = await ask(endpoint, 'vendor_admin', (await waysInto(endpoint)).slice(0, 1))
      if (answers.some(({ text }) => text.includes(CANARY))) read.push(keyOf(endpoint))
    }
    expect(read).toEqual(expect.arrayContaining(['GET /api/admin/orders', 'GET /api/admin/orders.csv']))
  })
})
