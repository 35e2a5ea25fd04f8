import { getMe } from '@qatra/contract/users/auth'
import { type Role, roles } from '@qatra/contract/users/roles'
import { changeRole, createUser, getUser, listUsers, removeVendorAccess, updateUser } from '@qatra/contract/users/users'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'

let shop: TestShop
let phones = 0
const newPhone = () => `+97338${String(200_000 + (phones += 1))}`
beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
})
const boss = () => makeVisitor(shop, { role: 'super_admin' })
const roleOf = async (id: number) =>
  (
    await shop.query<{ role: Role; vendor_id: number | null }>('select role, vendor_id from users where id = $1', [id])
  )[0]

describe('creating an account', () => {
  it('requires a phone, a name, a role, and a vendor for roles of a vendor', async () => {
    const admin = await boss()
    const empty = await admin.send('POST', '/api/admin/users', { body: {} })
    expect([empty.status, Object.keys(empty.refusal.details.fields ?? {}).sort()]).toEqual([
      422,
      ['name', 'phone', 'role'],
    ])
    for (const role of ['vendor_sales', 'vendor_staff', 'vendor_admin', 'driver'] as const) {
      const body = { phone: newPhone(), name: 'Ali', role }
      const without = await admin.call(createUser, { body })
      expect([without.status, Object.keys(without.refusal.details.fields ?? {})]).toEqual([422, ['vendorId']])
      const nowhere = await admin.call(createUser, { body: { ...body, vendorId: 2_000_000_000 } })
      expect([nowhere.status, Object.keys(nowhere.refusal.details.fields ?? {})]).toEqual([422, ['vendorId']])
      const made = await admin.call(createUser, { body: { ...body, vendorId: 2 } })
      expect([made.status, made.body]).toMatchObject([200, { role, vendorId: 2, isVerified: false, isActive: true }])
    }
    const customer = await admin.call(createUser, {
      body: { phone: newPhone(), name: 'Ali', role: 'customer', vendorId: 1 },
    })
    expect(customer.body).toMatchObject({ role: 'customer', vendorId: null, createdBy: admin.id })
  })

  it('is rejected for a phone with an account, with the id of that user', async () => {
    const admin = await boss()
    const known = await makeUser(shop)
    const typed = `${known.phone.slice(4, 8)} ${known.phone.slice(8)}`
    const body = { phone: typed, name: 'Ali', role: 'driver' as const, vendorId: 1 }
    const again = await admin.call(createUser, { body })
    expect([again.status, again.refusal.code, again.refusal.details['userId']]).toEqual([409, 'PHONE_TAKEN', known.id])
    expect(Object.keys(again.refusal.details.fields ?? {})).toEqual(['phone'])
    // The response to a vendor's admin does not reveal the account.
    const vendors = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const theirs = await vendors.call(createUser, { body })
    expect([theirs.status, theirs.body]).toMatchObject([200, { invitation: { phone: known.phone, state: 'open' } }])
    expect(await roleOf(known.id)).toEqual({ role: 'customer', vendor_id: null })
  })

  it('succeeds once for ten concurrent requests with one phone', async () => {
    const admins = await Promise.all(Array.from({ length: 10 }, boss))
    const body = { phone: newPhone(), name: 'Ali', role: 'customer' as const }
    const answers = await Promise.all(admins.map((admin) => admin.call(createUser, { body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  })

  it('by a vendor’s admin creates an invitation of that vendor, with or without `vendorId`', async () => {
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const invited = async (more: { vendorId?: number }) => {
      const phone = newPhone()
      const answer = await admin.call(createUser, { body: { name: 'Ali', role: 'driver', phone, ...more } })
      expect(await shop.query('select id from users where phone = $1', [phone])).toEqual([])
      return answer
    }
    for (const more of [{}, { vendorId: 1 }])
      expect((await invited(more)).body).toMatchObject({ invitation: { vendorId: 1, role: 'driver' } })
    expect((await invited({ vendorId: 2 })).status).toBe(403)
  })
})

/** Which actor can change which role to which: every combination, for the own and another vendor. */
describe('role changes between all roles, in the own and another vendor', () => {
  const staff: readonly Role[] = ['vendor_sales', 'vendor_staff', 'driver']
  const hasVendor = (role: Role) => role !== 'customer' && role !== 'super_admin'
  const inVendor = (role: Role, vendorId: number) => (hasVendor(role) ? { role, vendorId } : { role })

  function wanted(actor: Role, from: Role, to: Role, isOwn: boolean): number {
    if (actor === 'super_admin') return 200
    if (actor !== 'vendor_admin') return 403
    // People out of reach are not found; other admins of the vendor are visible but not editable.
    if (!hasVendor(from) || !isOwn) return 404
    if (!staff.includes(from) || !staff.includes(to)) return 403
    return 200
  }

  it.each(roles)('by a %s match the table of permitted changes', async (actor) => {
    const table: string[] = []
    const right: string[] = []
    for (const from of roles) {
      for (const to of roles) {
        for (const vendorId of [1, 2]) {
          const person = await makeVisitor(shop, inVendor(actor, 1))
          const target = await makeUser(shop, inVendor(from, vendorId))
          const before = await roleOf(target.id)
          const { status } = await person.call(changeRole, {
            params: { id: String(target.id) },
            body: { role: to, ...(hasVendor(to) ? { vendorId } : {}) },
          })
          const isOwn = vendorId === 1
          const line = `${from} of ${isOwn ? 'own' : 'other'} → ${to}`
          table.push(`${line}: ${status}`)
          right.push(`${line}: ${wanted(actor, from, to, isOwn)}`)
          const after = await roleOf(target.id)
          expect([line, after]).toEqual([
            line,
            status === 200 ? { role: to, vendor_id: hasVendor(to) ? vendorId : null } : before,
          ])
        }
      }
    }
    expect(table).toEqual(right)
  })

  it.each(roles)('by a %s have the same limits when creating accounts', async (actor) => {
    for (const role of roles) {
      for (const vendorId of [1, 2]) {
        const person = await makeVisitor(shop, inVendor(actor, 1))
        const body = { phone: newPhone(), name: 'Ali', role, ...(hasVendor(role) ? { vendorId } : {}) }
        const { status } = await person.call(createUser, { body })
        const may = actor === 'super_admin' || (actor === 'vendor_admin' && staff.includes(role) && vendorId === 1)
        expect([actor, role, vendorId, status]).toEqual([
          actor,
          role,
          vendorId,
          may || (actor === 'vendor_admin' && staff.includes(role) && !hasVendor(role)) ? 200 : 403,
        ])
      }
    }
  })

  it("by a vendor's admin cannot move a person to another vendor", async () => {
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    const own = await makeUser(shop, { role: 'driver', vendorId: 1 })
    const moved = await admin.call(changeRole, {
      params: { id: String(own.id) },
      body: { role: 'driver', vendorId: 2 },
    })
    expect([moved.status, await roleOf(own.id)]).toEqual([403, { role: 'driver', vendor_id: 1 }])
  })

  it.each(['super_admin', 'vendor_admin'] as const)('by a %s cannot change the own role or access', async (role) => {
    const self = await makeVisitor(shop, inVendor(role, 1))
    const params = { id: String(self.id) }
    expect((await self.call(changeRole, { params, body: { role: 'driver', vendorId: 1 } })).status).toBe(403)
    expect((await self.call(removeVendorAccess, { params })).status).toBe(403)
    expect((await self.call(updateUser, { params, body: { isActive: false } })).status).toBe(403)
    expect((await roleOf(self.id))?.role).toBe(role)
  })
})

describe('the last super admin', () => {
  const others = (ids: number[]) =>
    shop.query(`update users set is_active = false where role = 'super_admin' and not id = any($1)`, [ids])
  const demote = (id: number) => ({ params: { id: String(id) }, body: { role: 'customer' as const } })

  it('remains after two super admins demote each other concurrently', async () => {
    for (let round = 0; round < repeated(12, 4); round += 1) {
      const [a, b] = [await boss(), await boss()]
      await others([a.id, b.id])
      const turns = [
        [() => a.call(changeRole, demote(b.id)), () => b.call(changeRole, demote(a.id))],
        [
          () => a.call(removeVendorAccess, { params: { id: String(b.id) } }),
          () => b.call(updateUser, { params: { id: String(a.id) }, body: { isActive: false } }),
        ],
      ][round % 2]
      const answers = await Promise.all((turns ?? []).map((turn) => turn()))
      expect(answers.map(({ status }) => status).sort()[0]).toBe(200)
      expect([401, 403, 409]).toContain(answers.map(({ status }) => status).sort()[1])
      const left = await shop.query(`select id from users where role = 'super_admin' and is_active`)
      expect(left).toHaveLength(1)
    }
  })

  it('would not remain if the two checks took no lock (mutant)', async () => {
    const [a, b] = [await boss(), await boss()]
    await others([a.id, b.id])
    const { promise: bothHaveRead, resolve } = Promise.withResolvers<void>()
    let reads = 0
    const naive = async (id: number) => {
      const client = await shop.app.pool.connect()
      await client.query('begin')
      const { rowCount } = await client.query(
        `select from users where role = 'super_admin' and is_active and id <> $1`,
        [id],
      )
      reads += 1
      if (reads === 2) resolve()
      await bothHaveRead
      if (rowCount) await client.query(`update users set role = 'customer' where id = $1`, [id])
      await client.query('commit')
      client.release()
    }
    await Promise.all([naive(a.id), naive(b.id)])
    expect(await shop.query(`select id from users where role = 'super_admin' and is_active`)).toEqual([])
  })

  it('is not counted among inactive accounts', async () => {
    const [a, b] = [await boss(), await boss()]
    await others([a.id])
    expect((await a.call(getUser, { params: { id: String(b.id) } })).body.isActive).toBe(false)
    expect((await a.call(changeRole, demote(b.id))).status).toBe(200)
    expect((await a.call(changeRole, demote(a.id))).status).toBe(403)
  })
})

describe('a revoked right', () => {
  it('has no effect from the next request on', async () => {
    const staff = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    expect((await staff.call(listUsers)).status).toBe(200)
    await shop.query(`update users set role = 'vendor_staff' where id = $1`, [staff.id])
    expect((await staff.call(listUsers)).status).toBe(403)
    await shop.query(`update users set role = 'vendor_admin' where id = $1`, [staff.id])
    await shop.query(
      `update user_roles set permissions = array_remove(permissions, 'users.read') where name = 'vendor_admin'`,
    )
    expect((await staff.call(listUsers)).status).toBe(403)
    // A personal permission has the same effect.
    await shop.query(`update users set permissions = '{users.read}' where id = $1`, [staff.id])
    expect((await staff.call(listUsers)).status).toBe(200)
    await shop.query(
      `update user_roles set permissions = array_append(permissions, 'users.read') where name = 'vendor_admin'`,
    )
  })

  it.each(['role', 'access', 'account'] as const)('of the kind %s ends every session', async (what) => {
    const admin = await boss()
    const staff = await makeVisitor(shop, { role: 'driver', vendorId: 1 })
    const second = await shop.visitor().signInAs(staff.phone)
    const vendorId = 1
    await makeOrder(shop, { userId: null, vendorId, assignedDriverId: staff.id })
    await makeOrder(shop, { userId: null, vendorId, assignedDriverId: staff.id, status: 'shipped' })
    await makeOrder(shop, { userId: null, vendorId, assignedDriverId: staff.id, status: 'delivered' })
    const params = { id: String(staff.id) }
    const { status, body } =
      what === 'role'
        ? await admin.call(changeRole, { params, body: { role: 'vendor_staff', vendorId } })
        : what === 'access'
          ? await admin.call(removeVendorAccess, { params })
          : await admin.call(updateUser, { params, body: { isActive: false } })
    // A deactivated driver keeps the orders; the office sees their number.
    expect([status, body.openOrders]).toEqual([200, what === 'account' ? 2 : 0])
    expect((await staff.call(getMe)).status).toBe(401)
    expect((await second.call(getMe)).status).toBe(401)
    if (what === 'access') expect(await roleOf(staff.id)).toEqual({ role: 'customer', vendor_id: null })
  })
})

describe('updating a user', () => {
  it('cannot change role, vendor or phone', async () => {
    const admin = await boss()
    const { id, phone } = await makeUser(shop, { role: 'driver', vendorId: 1 })
    for (const body of [{ role: 'super_admin' }, { vendorId: 2 }, { phone: '+97336000001' }]) {
      expect((await admin.send('PATCH', `/api/admin/users/${id}`, { body })).status).toBe(403)
    }
    const same = { role: 'driver', vendorId: 1, phone, name: 'علي', isVerified: true, createdBy: 1, id: 7 }
    expect((await admin.send('PATCH', `/api/admin/users/${id}`, { body: same })).body).toMatchObject({
      id,
      name: 'علي',
      role: 'driver',
      createdBy: null,
    })
  })

  it('allows only super admins to grant permissions, and only known ones', async () => {
    const [admin, vendors] = [await boss(), await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })]
    const { id } = await makeUser(shop, { role: 'vendor_sales', vendorId: 1 })
    const give = {
      params: { id: String(id) },
      body: { permissions: ['orders.export' as const, 'orders.export' as const] },
    }
    expect((await vendors.call(updateUser, give)).status).toBe(403)
    expect((await admin.call(updateUser, give)).body.permissions).toEqual(['orders.export'])
    const unknown = await admin.send('PATCH', `/api/admin/users/${id}`, { body: { permissions: ['everything'] } })
    expect(unknown.status).toBe(422)
    // Personal permissions end with the role.
    const moved = await admin.call(changeRole, { params: { id: String(id) }, body: { role: 'driver', vendorId: 1 } })
    expect(moved.body.permissions).toEqual([])
  })

  it('logs the author and never the name itself', async () => {
    const admin = await boss()
    const { id } = await makeUser(shop, { role: 'driver', vendorId: 1 })
    await admin.call(updateUser, { params: { id: String(id) }, body: { name: 'Zanzibar', isActive: false } })
    await admin.call(changeRole, { params: { id: String(id) }, body: { role: 'vendor_staff', vendorId: 2 } })
    const rows = await shop.query(
      `select action, user_id, vendor_id, old_values, new_values from audit_log where resource = 'user' and resource_id = $1 order by id`,
      [String(id)],
    )
    expect(rows).toEqual([
      {
        action: 'updated',
        user_id: admin.id,
        vendor_id: 1,
        old_values: { name: null, isActive: true },
        new_values: { name: 'changed', isActive: false },
      },
      {
        action: 'role-changed',
        user_id: admin.id,
        vendor_id: 1,
        old_values: { role: 'driver', vendorId: 1 },
        new_values: { role: 'customer', vendorId: null },
      },
      // Each vendor's history has its own entry of the move.
      {
        action: 'role-changed',
        user_id: admin.id,
        vendor_id: 2,
        old_values: { role: 'customer', vendorId: null },
        new_values: { role: 'vendor_staff', vendorId: 2 },
      },
    ])
  })
})

describe('the list of users', () => {
  it('is searched by folded name and by phone in any spelling', async () => {
    const admin = await boss()
    const { id, phone } = await makeUser(shop)
    await shop.query(`update users set name = 'أحمد البُنْيَويّ' where id = $1`, [id])
    const local = phone.slice(4)
    for (const search of [
      'احمد البنيوي',
      'البنيوي',
      phone,
      local,
      `${local.slice(0, 4)} ${local.slice(4)}`,
      `00973${local}`,
    ]) {
      const { body } = await admin.call(listUsers, { query: { search } })
      expect([search, body.items.map((each) => each.id)]).toEqual([search, [id]])
    }
    expect((await admin.call(listUsers, { query: { search: '%' } })).body.total).toBe(0)
    // One or two letters or digits match only the start of a word or number.
    const found = async (search: string) =>
      (await admin.call(listUsers, { query: { search, limit: '100' } })).body.items.some((each) => each.id === id)
    expect([await found('اح'), await found('ال'), await found('ني'), await found('39'), await found('10')]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
  })

  it("shows a vendor's admin only the users of that vendor", async () => {
    const admin = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 2 })
    const own = await makeUser(shop, { role: 'driver', vendorId: 2 })
    const [foreign, customer] = [await makeUser(shop, { role: 'driver', vendorId: 1 }), await makeUser(shop)]
    const { body } = await admin.call(listUsers, { query: { limit: '100' } })
    expect(new Set(body.items.map(({ vendorId }) => vendorId))).toEqual(new Set([2]))
    expect(body.items.map(({ id }) => id)).toEqual(expect.arrayContaining([own.id, admin.id]))
    for (const { id } of [foreign, customer])
      expect((await admin.call(getUser, { params: { id: String(id) } })).status).toBe(404)
    expect((await admin.call(listUsers, { query: { vendorId: '1' } })).status).toBe(403)
    expect((await admin.call(listUsers, { query: { vendorId: '2' } })).status).toBe(200)
    expect((await admin.call(getUser, { params: { id: String(admin.id) } })).body.can).toMatchObject({
      edit: false,
      roles: [],
    })
  })

  it('filters by activity: now, within half an hour, today, limits included', async () => {
    const admin = await boss()
    const seen = async (ago: string) => {
      const { id } = await makeUser(shop, { role: 'vendor_sales', vendorId: 3 })
      // Slightly within the limit, since the query runs later.
      await shop.query(`update users set last_active_at = now() - $2::interval where id = $1`, [id, ago])
      return id
    }
    const windows = {
      online: '4 minutes',
      recent: '29 minutes',
      today: '23 hours 59 minutes',
    }
    const ids = {
      online: await seen(windows.online),
      recent: await seen(windows.recent),
      today: await seen(windows.today),
    }
    const away = await seen('24 hours 1 second')
    const of = async (activity: 'online' | 'recent' | 'today') =>
      (await admin.call(listUsers, { query: { activity, vendorId: '3', limit: '100' } })).body.items.map(({ id }) => id)
    expect(await of('online')).toEqual([ids.online])
    expect(await of('recent')).toEqual([ids.online, ids.recent])
    expect(await of('today')).toEqual([ids.online, ids.recent, ids.today])
    const { body } = await admin.call(getUser, { params: { id: String(away) } })
    expect(body.activity).toBe('away')
  })
})
