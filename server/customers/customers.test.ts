import { addDays, bahrainDate } from '@qatra/contract/calendar/calendar'
import type { Input } from '@qatra/contract/endpoint'
import { eraseAccount, exportAccount } from '@qatra/contract/users/auth'
import {
  addCustomerNote,
  answerDue,
  getCustomer,
  listCustomers,
  listCustomerTags,
  removeCustomerNote,
  tagCustomer,
} from '@qatra/contract/users/customers'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeHousehold, makeOrder, makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ role: 'web' })
})
const boss = () => makeVisitor(shop, { role: 'super_admin' })
const staffOf = (vendorId: number) => makeVisitor(shop, { role: 'vendor_staff', vendorId })
const params = (id: number) => ({ params: { id: String(id) } })
const totals = (userId: number) =>
  shop.query(
    `select vendor_id, order_count, cancelled_count, own_count, spend, last_order_at is not null as has_time from customer_totals
     where user_id = $1 order by vendor_id`,
    [userId],
  )

describe('order totals', () => {
  it('include every order, cancelled, changed or deleted ones too', async () => {
    const vendorId = await makeVendor(shop)
    const { id: userId } = await makeUser(shop)
    expect(await totals(userId)).toEqual([
      { vendor_id: 0, order_count: 0, cancelled_count: 0, own_count: 0, spend: 0, has_time: false },
    ])
    const ids = []
    for (let n = 0; n < 3; n += 1) ids.push(await makeOrder(shop, { userId, vendorId }))
    ids.push(await makeOrder(shop, { userId, vendorId, status: 'cancelled' }))
    const sums = (orders: number, cancelled: number, spend: number, own = orders) =>
      [0, vendorId].map((vendor_id) => ({
        vendor_id,
        order_count: orders,
        cancelled_count: cancelled,
        own_count: own,
        spend,
        has_time: true,
      }))
    expect(await totals(userId)).toEqual(sums(4, 1, 6450))
    await shop.query(`update orders set status = 'cancelled' where id = $1`, [ids[0]])
    expect(await totals(userId)).toEqual(sums(4, 2, 4300))
    await shop.query(`update orders set status = 'new' where id = $1`, [ids[0]])
    await shop.query(`update orders set delivery_fee = 0, total = total - delivery_fee where id = $1`, [ids[1]])
    expect(await totals(userId)).toEqual(sums(4, 1, 5950))
    await shop.query('delete from order_items where order_id = $1', [ids[2]])
    await shop.query('delete from orders where id = $1', [ids[2]])
    expect(await totals(userId)).toEqual(sums(3, 1, 3800))
    await shop.query('update orders set placed_by = $2 where id = $1', [ids[1], userId])
    expect(await totals(userId)).toEqual(sums(3, 1, 3800, 2))
    const other = await makeUser(shop)
    await shop.query('update orders set user_id = $2 where user_id = $1', [userId, other.id])
    expect((await totals(userId)).map((row) => [row['order_count'], row['spend']])).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(await totals(other.id)).toEqual(sums(3, 1, 3800, 2))
  })

  it('name the vendors of a customer, the one with most orders first, for the market alone', async () => {
    const [some, most] = [await makeVendor(shop), await makeVendor(shop)]
    const { id: userId, phone } = await makeUser(shop)
    for (const vendorId of [some, most, most]) await makeOrder(shop, { userId, vendorId })
    const seenBy = async (who: Awaited<ReturnType<typeof boss>>) =>
      (await who.call(listCustomers, { query: { search: phone } })).body.items.map(({ vendorIds }) => vendorIds)
    expect([await seenBy(await boss()), await seenBy(await staffOf(most))]).toEqual([[[most, some]], [[]]])
  })

  it('match a full recount after concurrent orders and cancellations', async () => {
    const { customer, order, vendor } = await makeHousehold(shop)
    const placed = await Promise.all(
      Array.from({ length: 20 }, () => makeOrder(shop, { userId: customer.id, vendorId: vendor })),
    )
    await Promise.all([
      order(),
      ...placed.slice(0, 10).map((id) => shop.query(`update orders set status = 'cancelled' where id = $1`, [id])),
      ...Array.from({ length: 10 }, () => makeOrder(shop, { userId: customer.id, vendorId: vendor })),
    ])
    const [afresh] = await shop.query(
      `select count(*)::int as order_count, count(*) filter (where status = 'cancelled')::int as cancelled_count,
         count(*) filter (where placed_by is null)::int as own_count, sum(total) filter (where status <> 'cancelled') as spend
       from orders where user_id = $1`,
      [customer.id],
    )
    expect((await totals(customer.id)).map(({ vendor_id: _, has_time: __, ...row }) => row)).toEqual([afresh, afresh])
    expect(afresh).toMatchObject({ order_count: 31, cancelled_count: 10 })
  })
})

describe('customers', () => {
  it("of a vendor are those who ordered there, with that vendor's figures and orders only", async () => {
    const [a, b] = [await makeVendor(shop), await makeVendor(shop)]
    const [both, onlyB] = [await makeUser(shop), await makeUser(shop)]
    const mine = await makeOrder(shop, { userId: both.id, vendorId: a })
    const foreign = await makeOrder(shop, { userId: both.id, vendorId: b })
    await makeOrder(shop, { userId: onlyB.id, vendorId: b })
    const staff = await staffOf(a)
    const { body } = await staff.call(listCustomers)
    expect(body).toMatchObject({ total: 1, items: [{ id: both.id, orderCount: 1, spend: 2.15 }] })
    const one = await staff.call(getCustomer, params(both.id))
    expect(one.body.orders.map(({ id }) => id)).toEqual([mine])
    expect(JSON.stringify(one.body)).not.toContain(foreign)
    expect((await staff.call(getCustomer, params(onlyB.id))).status).toBe(404)
    expect((await staff.call(listCustomers, { query: { vendorId: String(b) } })).status).toBe(403)
    expect((await staff.send('GET', `/api/admin/customers.csv?vendorId=${b}`)).status).toBe(403)

    const admin = await boss()
    const all = await admin.call(getCustomer, params(both.id))
    expect(all.body).toMatchObject({ orderCount: 2, spend: 4.3 })
    expect(all.body.orders.map(({ id }) => id).sort()).toEqual([mine, foreign].sort())
    const ofB = await admin.call(listCustomers, { query: { vendorId: String(b), limit: '100' } })
    expect(ofB.body.items.map(({ id }) => id).sort()).toEqual([both.id, onlyB.id].sort())
  })

  it('are found by folded name and phone, by tag and consent, and sorted', async () => {
    const vendorId = await makeVendor(shop)
    const people = [await makeUser(shop), await makeUser(shop), await makeUser(shop)]
    for (const [n, { id }] of people.entries()) {
      await shop.query('update users set name = $2, marketing_consent = $3 where id = $1', [
        id,
        ['آمنة', 'إيمان', 'مريم'][n],
        n === 0,
      ])
      for (let m = 0; m <= n; m += 1) await makeOrder(shop, { userId: id, vendorId })
    }
    const staff = await staffOf(vendorId)
    const found = async (query: Record<string, string>) =>
      (await staff.call(listCustomers, { query })).body.items.map(({ id }) =>
        people.findIndex((each) => each.id === id),
      )
    expect(await found({ search: 'امنه' })).toEqual([0])
    expect(await found({ search: people[2]?.phone.slice(4) ?? '' })).toEqual([2])
    expect(await found({ consent: 'true' })).toEqual([0])
    expect(await found({ sort: '-spend' })).toEqual([2, 1, 0])
    expect(await found({ sort: '-orderCount', limit: '2', page: '2' })).toEqual([0])
    await staff.call(tagCustomer, { ...params(people[1]?.id ?? 0), body: { tags: ['  شركة  ', 'VIP', 'VIP'] } })
    expect(await found({ tag: 'VIP' })).toEqual([1])
    expect((await staff.call(listCustomerTags)).body).toEqual([
      { tag: 'VIP', count: 1 },
      { tag: 'شركة', count: 1 },
    ])
  })

  it('return 403 to sales, drivers and customers', async () => {
    for (const role of ['vendor_sales', 'driver', 'customer'] as const) {
      const { status, refusal } = await (await makeVisitor(shop, { role, vendorId: 1 })).call(listCustomers)
      expect([status, refusal.code, refusal.message]).toEqual([
        403,
        'VENDOR_ONLY',
        'Only vendor staff and admins may use the vendor pages',
      ])
    }
  })
})

describe('notes and tags', () => {
  it("belong to their author's vendor, and removed notes stay visible", async () => {
    const [a, b] = [await makeVendor(shop), await makeVendor(shop)]
    const { id } = await makeUser(shop)
    for (const vendorId of [a, b]) await makeOrder(shop, { userId: id, vendorId })
    const [ofA, ofB, admin] = [await staffOf(a), await staffOf(b), await boss()]
    const written = await ofA.call(addCustomerNote, { ...params(id), body: { body: 'Rings twice' } })
    expect(written.body.notes).toMatchObject([
      { body: 'Rings twice', vendorId: a, by: { id: ofA.id }, removedAt: null },
    ])
    await ofA.call(tagCustomer, { ...params(id), body: { tags: ['office'] } })
    const seenByB = (await ofB.call(getCustomer, params(id))).body
    expect([seenByB.notes, seenByB.tags]).toEqual([[], []])
    const noteId = String(written.body.notes[0]?.id)
    expect((await ofB.call(removeCustomerNote, { params: { id: String(id), noteId } })).status).toBe(404)
    expect((await admin.call(getCustomer, params(id))).body.notes).toHaveLength(1)
    const struck = await ofA.call(removeCustomerNote, { params: { id: String(id), noteId } })
    expect(struck.body.notes).toMatchObject([{ body: 'Rings twice', removedBy: { id: ofA.id } }])
    expect((await ofA.call(removeCustomerNote, { params: { id: String(id), noteId } })).status).toBe(404)
    const audit = await shop.query(
      `select action, user_id, vendor_id, old_values, new_values from audit_log where resource = 'customer' and resource_id = $1 order by id`,
      [String(id)],
    )
    const row = { user_id: ofA.id, vendor_id: a, old_values: null, new_values: null }
    expect(audit).toEqual([
      { action: 'note-added', ...row },
      { action: 'tagged', ...row },
      { action: 'note-removed', ...row },
    ])
  })

  it.each([
    [
      {
        tags: Array(13)
          .fill('x')
          .map((x, n) => x + n),
      },
      'tags',
    ],
    [{ tags: [''] }, 'tags.0'],
    [{ tags: ['a,b'] }, 'tags.0'],
    [{ tags: ['a\u202eb'] }, 'tags.0'],
    [{ tags: ['x'.repeat(41)] }, 'tags.0'],
  ])('%j are refused', async (body, field) => {
    const admin = await boss()
    const { id } = await makeUser(shop)
    const { status, refusal } = await admin.send('PUT', `/api/admin/customers/${id}/tags`, { body })
    expect([status, Object.keys(refusal.details.fields ?? {})]).toEqual([422, [field]])
  })

  it("are part of the person's export and erasure", async () => {
    const customer = await makeVisitor(shop)
    const admin = await boss()
    await admin.call(addCustomerNote, { ...params(customer.id), body: { body: 'Canarynote' } })
    await admin.call(tagCustomer, { ...params(customer.id), body: { tags: ['canarytag'] } })
    const file = JSON.stringify((await customer.call(exportAccount)).body)
    expect(file).toContain('Canarynote')
    expect(file).toContain('canarytag')
    expect((await customer.call(eraseAccount)).status).toBe(200)
    for (const table of ['customer_notes', 'customer_tags', 'customer_totals', 'audit_log']) {
      expect([table, await shop.query(`select t::text from ${table} t where t::text ilike '%canary%'`)]).toEqual([
        table,
        [],
      ])
    }
    expect((await admin.call(getCustomer, params(customer.id))).status).toBe(404)
  })
})

describe('customers who are due', () => {
  const day = (n: number) => addDays(bahrainDate(new Date()), n)
  const delivered = async (userId: number, vendorId: number, days: readonly number[]) => {
    for (const n of days) {
      const id = await makeOrder(shop, { userId, vendorId, status: 'delivered' })
      await shop.query(`update orders set delivered_at = $2 where id = $1`, [id, `${day(n)}T21:30:00+03:00`])
    }
  }
  const weekly = [-36, -29, -22, -15, -8]
  const dueFor = async (staff: Awaited<ReturnType<typeof staffOf>>, query: object = {}) =>
    (await staff.call(listCustomers, { query: { due: 'true', sort: 'dueDate', ...query } as never })).body

  it('are listed by how long, with their interval, without those who have an open order or fewer than five days', async () => {
    const vendorId = await makeVendor(shop)
    const [late, tomorrow, later, few, open] = await Promise.all(Array.from({ length: 5 }, () => makeUser(shop)))
    if (!late || !tomorrow || !later || !few || !open) throw new Error('Five were made')
    await delivered(late.id, vendorId, weekly)
    await delivered(
      tomorrow.id,
      vendorId,
      weekly.map((n) => n + 2),
    )
    await delivered(
      later.id,
      vendorId,
      weekly.map((n) => n + 3),
    )
    // Two deliveries of one day are one.
    await delivered(few.id, vendorId, [-29, -22, -15, -8, -8])
    await delivered(open.id, vendorId, weekly)
    await makeOrder(shop, { userId: open.id, vendorId })
    const staff = await staffOf(vendorId)
    const { items, total } = await dueFor(staff)
    expect(items.map(({ id, usualDays, dueDate }) => [id, usualDays, dueDate])).toEqual([
      [late.id, 7, day(-1)],
      [tomorrow.id, 7, day(1)],
    ])
    expect(total).toBe(2)
    expect((await dueFor(staff, { page: 2, limit: 1 })).items.map(({ id }) => id)).toEqual([tomorrow.id])
    expect((await dueFor(staff, { search: late.phone })).items.map(({ id }) => id)).toEqual([late.id])
    const { body: all } = await staff.call(listCustomers, {})
    expect(all.items.find(({ id }) => id === later.id)?.dueDate).toBe(day(2))
    expect(all.items.find(({ id }) => id === few.id)?.dueDate).toBeNull()
    const { body: file } = await staff.send('GET', '/api/admin/customers.csv?lang=en&due=true&sort=dueDate')
    expect(
      String(file)
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => Number(line.split(',')[0])),
    ).toEqual([late.id, tomorrow.id])
    expect((await dueFor(await boss(), { vendorId: String(vendorId) })).total).toBe(2)
    expect((await dueFor(await staffOf(await makeVendor(shop)))).total).toBe(0)
  })

  it('are not listed until the day that they named, unless they ordered since', async () => {
    const vendorId = await makeVendor(shop)
    const { id } = await makeUser(shop)
    await delivered(id, vendorId, weekly)
    const staff = await staffOf(vendorId)
    const answer = (body: Input<typeof answerDue>['body']) => staff.call(answerDue, { ...params(id), body })
    const { body } = await answer({ answer: 'travelling', until: day(5) })
    expect(body.answer).toMatchObject({ answer: 'travelling', until: day(5) })
    expect((await dueFor(staff)).total).toBe(0)
    expect((await dueFor(await boss())).items.map((one) => one.id)).toContain(id)
    expect((await answer({ answer: 'no-answer' })).body.answer).toMatchObject({ until: day(1) })
    await shop.query(`update customer_answers set quiet_until = $2 where user_id = $1`, [id, day(0)])
    expect((await dueFor(staff)).total).toBe(1)
    await answer({ answer: 'elsewhere' })
    await shop.query(`update customer_answers set created_at = now() - interval '9 days' where user_id = $1`, [id])
    expect((await dueFor(staff)).total).toBe(1)
    for (const until of [day(0), day(400), 'soon']) expect((await answer({ answer: 'later', until })).status).toBe(422)
    expect(
      (await (await staffOf(await makeVendor(shop))).call(answerDue, { ...params(id), body: { answer: 'later' } }))
        .status,
    ).toBe(404)
  })
})

describe('the file', () => {
  it('opens in Excel without formulas and without phones that begin with a plus', async () => {
    const vendorId = await makeVendor(shop)
    const { id, phone } = await makeUser(shop)
    await shop.query(`update users set name = '=HYPERLINK("http://evil","x")' where id = $1`, [id])
    await makeOrder(shop, { userId: id, vendorId })
    const staff = await staffOf(vendorId)
    await staff.call(tagCustomer, { ...params(id), body: { tags: ['@SUM(1)', '+1'] } })
    const { status, body, headers } = await staff.send('GET', '/api/admin/customers.csv?lang=en')
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toMatch(/^attachment; filename="qatra-customers-\d{4}-\d\d-\d\d\.csv"/)
    const lines = String(body).split('\r\n')
    expect(lines[0]).toBe(
      '\ufeffNumber,Name,Phone,Orders,Cancelled,Spend (BHD),Last order,Agreed to offers,Tags,Customer since',
    )
    expect(lines[1]).toContain(`${id},"'=HYPERLINK(""http://evil"",""x"")",${phone.slice(1)},1,0,2.150,`)
    expect(lines[1]).toContain(`'+1; @SUM(1)`)
    expect(lines).toHaveLength(3)
  })

  it.each(['-lastOrderAt', '-spend', '-orderCount', '-createdAt', 'name'])(
    'contains every customer once, sorted by %s, for any number of customers',
    async (sort) => {
      const vendorId = await makeVendor(shop)
      await shop.query(
        `with made as (
           insert into users (phone, name)
           select '+9739' || lpad($1::integer::text, 3, '0') || lpad(n::text, 4, '0'), 'Caller ' || n % 7 from generate_series(1, 1203) n
           returning id)
         insert into customer_totals (user_id, vendor_id, order_count, cancelled_count, spend)
         select id, $1::integer, id % 5 + 1, 0, id % 11 from made`,
        [vendorId],
      )
      const staff = await staffOf(vendorId)
      const listed: number[] = []
      for (let page = 1; ; page += 1) {
        const { items } = (await staff.call(listCustomers, { query: { sort, page, limit: 100 } as never })).body
        listed.push(...items.map(({ id }) => id))
        if (items.length < 100) break
      }
      const { body } = await staff.send('GET', `/api/admin/customers.csv?lang=en&sort=${sort}`)
      const ids = String(body)
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => Number(line.split(',')[0]))
      expect(ids.length).toBeGreaterThan(1_000)
      expect(ids).toEqual(listed)
    },
  )
})
