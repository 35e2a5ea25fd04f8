import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { getCash, getRun } from '@qatra/contract/drivers'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import { listNotifications } from '@qatra/contract/notifications/notifications'
import { exportOrders, listOrders } from '@qatra/contract/orders/admin'
import { rolesAllowed } from '@qatra/contract/users/roles'
import { changeRole, getUser, removeVendorAccess } from '@qatra/contract/users/users'
import { describe, expect, it } from 'vitest'
import { startShop } from '../app.ts'
import { addressWith, keyOf, sentBy } from '../ask.ts'
import { endpoints } from '../endpoints.ts'
import { until } from '../fixtures/codes.ts'
import { type Identity, identities, meet } from '../fixtures/identities.ts'
import { makeOrder, makeUser } from '../fixtures/make.ts'
import { jobsAreDone } from '../jobs.ts'
import type { Sent } from '../matrix/row.ts'
import { matrix } from '../matrix/rows.ts'
import { repeated, sample, sampleSeed } from '../sample.ts'

// Data of one vendor, and an admin of another who puts its ids into every possible place.
const FIRST = 1
const CANARY = 'Canary of the first vendor'

const vendors = endpoints.filter(({ allow }) => rolesAllowed(allow)?.includes('vendor_admin'))
const everyChange = vendors.filter(({ method, accepts }) => method !== 'GET' && !accepts)
const everyReading = vendors.filter(({ method, isStream }) => method === 'GET' && !isStream)
const changing = sample(everyChange, 0.5)
const reading = sample(everyReading, 0.5)
const keyed = (list: readonly AnyEndpoint[]) => list.map((endpoint) => [keyOf(endpoint), endpoint] as const)

const shop = await startShop()
// Marks all later rows of the first vendor with the canary, too.
for (const [table, column] of [
  ['orders', 'customer_name'],
  ['users', 'name'],
]) {
  await shop.query(`update ${table} set ${column} = '${CANARY}' where vendor_id = ${FIRST}`)
  await shop.query(`create function mark_${table}() returns trigger language plpgsql as $$
    begin if new.vendor_id = ${FIRST} then new.${column} := '${CANARY}'; end if; return new; end $$`)
  await shop.query(`create trigger mark before insert on ${table} for each row execute function mark_${table}()`)
}

// Counts the changes of rows of the first vendor, directly or through its orders. A hash of all rows would take 90 ms.
await shop.query('create unlogged table changes (name text)')
await shop.query(`create function note_change() returns trigger language plpgsql as $$
  declare
    former jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - 'last_active_at' end;
    latter jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - 'last_active_at' end;
  begin
    if former is distinct from latter and exists (
      select from (values (former), (latter)) as one (r)
      where r ->> tg_argv[0] = '${FIRST}'
        or tg_argv[0] = 'order_id' and exists (select from orders where id = r ->> 'order_id' and vendor_id = ${FIRST}))
    then insert into changes values (tg_table_name); end if;
    return null;
  end $$`)
const columns = await shop.query<{ name: string; columns: string[] }>(
  `select c.table_name as name, array_agg(c.column_name::text) as columns
   from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
   where table_schema = 'public' and table_type = 'BASE TABLE'
     and not exists (select from pg_inherits where inhrelid = to_regclass(quote_ident(table_name)))
     and table_name <> all('{notifications,order_days,order_day_figures,sessions}') group by 1 order by 1`,
)
for (const { name, columns: has } of columns) {
  const owner = name === 'vendors' ? 'id' : ['vendor_id', 'order_id'].find((column) => has.includes(column))
  if (owner !== undefined)
    await shop.query(`create trigger note_change after insert or update or delete on "${name}"
      for each row execute function note_change('${owner}')`)
}
const changes = () =>
  shop.query<{ name: string; n: number }>(
    'select name, count(*)::integer as n from changes group by name order by name',
  )

/** The request of the first vendor's own admin, and variants with its id in every possible place. */
const waysToName = (sent: Sent): Sent[] => [
  sent,
  { ...sent, query: { ...sent.query, vendorId: String(FIRST) } },
  ...(Array.isArray(sent.body) ? [] : [{ ...sent, body: { ...(sent.body as object | undefined), vendorId: FIRST } }]),
]

/** Ids of the first vendor's rows, created by its own admin. */
async function waysInto(endpoint: AnyEndpoint): Promise<Sent[]> {
  const owner = await meet(shop, 'vendor_admin')
  // Calls by the second vendor's staff use their own data.
  const rows = (matrix[keyOf(endpoint)] ?? []).filter(({ vendor }) => vendor !== 2)
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

describe(`an admin of another vendor (seed ${sampleSeed})`, () => {
  it('is tested with all endpoints of vendors', () => {
    expect([everyChange.length > 25, everyReading.length > 20]).toEqual([true, true])
  })

  it.each(keyed(changing))('changes nothing of the first vendor by %s', async (_, endpoint) => {
    const ways = await waysInto(endpoint)
    await jobsAreDone(shop)
    const before = await changes()
    const answers = await ask(endpoint, 'other_vendor_admin', ways)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(await changes()).toEqual(before)
  })

  it.each(keyed(reading))('reads nothing of the first vendor by %s', async (_, endpoint) => {
    const answers = await ask(endpoint, 'other_vendor_admin', await waysInto(endpoint))
    expect(answers.filter(({ status, text }) => status >= 500 || text.includes(CANARY))).toEqual([])
  })
})

describe('the first vendor’s own admin', () => {
  // Control: the same requests by the vendor's own admin take effect, and the comparison detects it.
  it('can change and read the data by the same requests', async () => {
    let changed = 0
    for (const endpoint of changing) {
      const ways = (await waysInto(endpoint)).slice(0, 1)
      const before = JSON.stringify(await changes())
      await ask(endpoint, 'vendor_admin', ways)
      if (JSON.stringify(await changes()) !== before) changed += 1
    }
    expect(changed).toBeGreaterThan(changing.length / 2)
    const lists = [listOrders, exportOrders]
    for (const endpoint of lists) {
      const answers = await ask(endpoint, 'vendor_admin', (await waysInto(endpoint)).slice(0, 1))
      expect([keyOf(endpoint), answers.some(({ text }) => text.includes(CANARY))]).toEqual([keyOf(endpoint), true])
    }
  })
})

const movers = ['driver', 'vendor_sales', 'vendor_staff', 'vendor_admin'] as const satisfies readonly Identity[]
const SECOND = 2

/** A person of the first vendor with orders of every status, cash, a saved run, an attempt and notifications. */
async function meetMover(who: (typeof movers)[number]) {
  const person = await meet(shop, who)
  const { userId } = person
  const [row] = await shop.query<{ phone: string }>(`update users set name = 'Mover' where id = $1 returning phone`, [
    userId,
  ])
  const admin = await meet(shop, 'vendor_admin')
  await admin.send('PATCH', `/api/admin/users/${userId}`, { body: { name: 'Moving', notificationEnabled: true } })
  const ids: string[] = []
  for (const status of ['new', 'in-progress', 'shipped', 'delivered', 'cancelled']) {
    const buyer = await makeUser(shop)
    const values = { userId: buyer.id, vendorId: FIRST, status, assignedDriverId: userId, placedBy: userId }
    ids.push(await makeOrder(shop, values))
  }
  await shop.query(
    `update orders set promised_date = (now() at time zone 'Asia/Bahrain')::date,
       delivered_at = case when status = 'delivered' then now() end where id = any($1)`,
    [ids],
  )
  await shop.query(
    `insert into ledger_entries (vendor_id, holder, holder_id, day, kind, amount, order_id, notes, key, happened_at, created_by)
     values ($1, 'driver', $2, (now() at time zone 'Asia/Bahrain')::date, 'collected', 2150, $3, $4, gen_random_uuid()::text, now(), $2)`,
    [FIRST, userId, ids[3], CANARY],
  )
  await shop.query(
    `insert into driver_runs (driver_id, day, order_ids, arranged_by)
     values ($1, (now() at time zone 'Asia/Bahrain')::date, $2, $1)`,
    [userId, ids],
  )
  await shop.query(
    `insert into delivery_attempts (order_id, driver_id, reason, key, created_by, happened_at)
     values ($1, $2, 'nobody-home', $1, $2, now())`,
    [ids[0], userId],
  )
  for (const [n, id] of ids.entries())
    await shop.query(
      `insert into notifications (kind, order_id, vendor_id, driver_id, former_driver_id, agent_id, status, source)
       values ('order-cancelled', $1, $2, $3, $3, $3, 'cancelled', $4)`,
      [id, FIRST, userId, `mover:${userId}:${n}`],
    )
  const move = async () => {
    const { role } = identities[who]
    const boss = await meet(shop, 'super_admin')
    const moved = await boss.call(changeRole, {
      params: { id: String(userId) },
      body: { role, vendorId: SECOND },
    })
    expect([moved.status, moved.body.vendorId]).toEqual([200, SECOND])
    await person.signInAs(row?.phone ?? '')
  }
  return { person, id: userId ?? 0, phone: row?.phone ?? '', ids, move }
}

describe('a person who moves from the first vendor to the second', () => {
  it.each(movers)('a %s can no longer read or change data of the first vendor', async (who) => {
    const { person, ids, move } = await meetMover(who)
    const { role } = identities[who]
    const theirs = sample(
      endpoints.filter(({ allow, accepts }) => {
        const allowed = rolesAllowed(allow)
        return !accepts && allowed !== null && allowed.includes(role) && !allowed.includes('customer')
      }),
      0.34,
    )
    const tries = new Map<AnyEndpoint, Sent[]>()
    for (const endpoint of theirs) {
      const rows = (matrix[keyOf(endpoint)] ?? []).filter(({ vendor }) => vendor !== 2)
      const sents = await Promise.all(rows.map((row) => sentBy(shop, row, person)))
      // The person's former orders, and the person.
      if (endpoint.path.includes('{id}'))
        for (const id of endpoint.path.includes('drivers') ? [String(person.userId)] : ids) {
          const sent = await sentBy(shop, rows[0] ?? { name: 'none', status: 0 }, person)
          sents.push({ ...sent, params: { ...sent.params, id } })
        }
      tries.set(endpoint, sents)
    }
    const findings = async () => {
      const found: string[] = []
      await jobsAreDone(shop)
      let before = JSON.stringify(await changes())
      for (const [endpoint, sents] of tries) {
        for (const sent of sents) {
          const answer = await person.send(endpoint.method, addressWith(endpoint, sent), {
            body: sent.body,
            ...(endpoint.isStream ? { headers: { 'last-event-id': '0' } } : {}),
          })
          const text = JSON.stringify(answer.body)
          if (answer.status >= 500 || text.includes(CANARY) || ids.some((id) => text.includes(id)))
            found.push(`${keyOf(endpoint)} ${answer.status}`)
        }
        if (endpoint.method === 'GET') continue
        const after = JSON.stringify(await changes())
        if (after !== before) found.push(`${keyOf(endpoint)} changed`)
        before = after
      }
      return found
    }
    const readings = ['GET /api/admin/orders', 'GET /api/admin/notifications', 'GET /api/admin/events']
    await move()
    expect(await findings()).toEqual([])
    // Control: the same calls by a person who stayed return the data.
    const stayed = await meetMover(who)
    const leaking: string[] = []
    for (const key of readings) {
      const [method = '', url = ''] = key.split(' ')
      const answer = await stayed.person.send(method, url, { headers: { 'last-event-id': '0' } })
      if (stayed.ids.some((id) => JSON.stringify(answer.body).includes(id))) leaking.push(key)
    }
    expect(leaking).toEqual(expect.arrayContaining(['GET /api/admin/orders', 'GET /api/admin/notifications']))
  })

  it('shows the second vendor’s admin no profile, run, cash, orders or audit data of the first', async () => {
    const { id, phone, ids, move } = await meetMover('driver')
    await move()
    const admin = await meet(shop, 'other_vendor_admin')
    const today = bahrainDate(new Date())
    const addresses = [
      `/api/admin/users/${id}`,
      `/api/admin/users?search=${encodeURIComponent(phone)}`,
      `/api/admin/drivers/${id}/run`,
      `/api/admin/drivers/${id}/run?date=${today}`,
      `/api/admin/drivers/${id}/cash`,
      `/api/admin/drivers/day?date=${today}`,
      `/api/admin/drivers/stops?driverId=${id}`,
      `/api/admin/search?q=${encodeURIComponent(phone)}`,
      '/api/admin/drivers',
      `/api/admin/orders?driverId=${id}`,
      `/api/admin/orders.csv?driverId=${id}`,
      `/api/admin/audit?userId=${id}`,
      `/api/admin/audit?search=${encodeURIComponent(phone)}`,
      `/api/admin/audit?resource=user`,
    ]
    for (const url of addresses) {
      const { status, body } = await admin.send('GET', url)
      const text = JSON.stringify(body)
      expect([url, status]).toEqual([url, 200])
      expect([url, text.includes(CANARY), ids.filter((order) => text.includes(order))]).toEqual([url, false, []])
      expect([url, /"(?:vendorId|from|to)":1[,}]/.test(text)]).toEqual([url, false])
    }
    const run = (await admin.call(getRun, { params: { id: String(id) } })).body
    const none = { counted: null, difference: null, writtenOff: 0, shortage: 0 }
    const nothing = { expected: 0, collected: 0, handedOver: 0, inHand: 0, ...none }
    expect([run.stops, run.nextDate, run.cash]).toEqual([[], null, nothing])
    expect((await admin.call(getCash, { params: { id: String(id) } })).body).toMatchObject({ ...nothing, entries: [] })
    expect((await admin.call(getUser, { params: { id: String(id) } })).body).toMatchObject({
      openOrders: 0,
      createdBy: null,
    })
  })

  it.each(['another vendor', 'another role', 'no access'] as const)(
    'a driver who moves to %s loses the open orders, with history and notifications',
    async (where) => {
      const { id, ids, move } = await meetMover('driver')
      const boss = await meet(shop, 'super_admin')
      const params = { id: String(id) }
      if (where === 'another vendor') await move()
      else if (where === 'no access') await boss.call(removeVendorAccess, { params })
      else await boss.call(changeRole, { params, body: { role: 'vendor_staff', vendorId: FIRST } })
      const rows = await shop.query<{ id: string; status: string; driver: number | null }>(
        'select id, status, assigned_driver_id as driver from orders where id = any($1)',
        [ids],
      )
      const open = rows.filter(({ status }) => !['delivered', 'cancelled'].includes(status))
      expect(open.map(({ driver }) => driver)).toEqual([null, null, null])
      expect(rows.filter(({ driver }) => driver === id)).toHaveLength(2)
      const history = await shop.query(
        `select order_id from order_audit_history
         where order_id = any($1) and field_changed = 'assignedDriverId' and old_value = $2 and new_value is null`,
        [ids, String(id)],
      )
      expect(history).toHaveLength(3)
      const admin = await meet(shop, 'vendor_admin')
      await until('the notifications', async () => {
        const { body } = await admin.call(listNotifications, { query: { limit: 100 } })
        return open.every((order) =>
          body.items.some(({ kind, orderId }) => kind === 'order-driver-left' && orderId === order.id),
        )
      })
    },
  )

  it('a driver who gets an order while moving does not keep it', async () => {
    for (let round = 0; round < repeated(6, 2); round += 1) {
      const { id, move } = await meetMover('driver')
      const admin = await meet(shop, 'vendor_admin')
      const fresh = await Promise.all(
        Array.from({ length: 4 }, async () => makeOrder(shop, { userId: (await makeUser(shop)).id, vendorId: FIRST })),
      )
      const given = fresh.map((order) =>
        admin.send('PUT', `/api/admin/orders/${order}/driver`, { body: { driverId: id } }),
      )
      const answers = await Promise.all([...given, move().then(() => ({ status: 200 }))])
      expect(answers.filter(({ status }) => ![200, 422].includes(status))).toEqual([])
      const kept = await shop.query(
        `select id from orders where assigned_driver_id = $1 and vendor_id = ${FIRST}
         and status in ('new', 'in-progress', 'shipped')`,
        [id],
      )
      expect(kept).toEqual([])
    }
  })
})
