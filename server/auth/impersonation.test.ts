import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { cancelOrder } from '@qatra/contract/orders/orders'
import { eraseAccount, exportAccount, getMe, logout, updateProfile } from '@qatra/contract/users/auth'
import { getImpersonation, startImpersonation, stopImpersonation } from '@qatra/contract/users/impersonation'
import { changeRole, createUser, updateUser } from '@qatra/contract/users/users'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../lib/secrets.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, signInByCode } from '../test/fixtures/codes.ts'
import { productOf } from '../test/fixtures/identities.ts'
import { makeOrder, makeUser, makeVisitor } from '../test/fixtures/make.ts'
import { endDueImpersonations } from './impersonation.commands.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})
const boss = () => makeVisitor(shop, { role: 'super_admin' })
type Boss = Awaited<ReturnType<typeof boss>>
const driver = { role: 'driver', vendorId: 1 } as const
const reason = 'Customer cannot find the order'
const actAs = (admin: Boss, userId: number) =>
  admin.call(startImpersonation, { params: { userId: String(userId) }, body: { reason } })
const sid = (admin: Boss) => admin.cookies.get('sid') ?? ''
const sessionOf = async (admin: Boss) =>
  (await shop.query('select * from sessions where id = $1', [sha256(sid(admin))]))[0]
const auditOf = (adminId: number) =>
  shop.query(
    `select action, user_id, on_behalf_of, resource_id, new_values from audit_log where user_id = $1 order by id`,
    [adminId],
  )
const halfAnHourLater = (admin: Boss) =>
  shop.query(`update sessions set created_at = created_at - interval '30 minutes' where id = $1`, [sha256(sid(admin))])

describe('impersonation', () => {
  it.each([
    ['signing out', (admin: Boss) => admin.call(logout, {})],
    ['signing in as somebody', (admin: Boss) => signInByCode(shop, newPhone(), admin)],
  ])('is recorded as ended by %s', async (_, leave) => {
    const [admin, customer] = [await boss(), await makeUser(shop)]
    await actAs(admin, customer.id)
    await leave(admin)
    const ends = (await auditOf(admin.id)).filter(({ action }) => action === 'impersonation-ended')
    expect(ends).toMatchObject([{ on_behalf_of: customer.id, new_values: { by: 'hand' } }])
  })

  it('acts as the target from the next request on, under a new cookie; the old one is invalid', async () => {
    const [admin, customer] = [await boss(), await makeUser(shop)]
    const old = sid(admin)
    const before = await sessionOf(admin)
    const { status, body } = await actAs(admin, customer.id)
    expect([status, body]).toMatchObject([
      200,
      {
        isImpersonating: true,
        currentUser: { id: customer.id, phone: customer.phone },
        originalUser: { id: admin.id },
      },
    ])
    expect(sid(admin)).not.toBe(old)
    const planted = shop.visitor()
    planted.cookies.set('sid', old)
    expect((await planted.call(getMe)).status).toBe(401)
    expect((await admin.call(getMe)).body.id).toBe(customer.id)
    // Read again, as a reloaded page does.
    expect((await admin.call(getImpersonation)).body).toEqual(body)
    // The session expires with the admin's own.
    expect((await sessionOf(admin))?.['expires_at']).toEqual(before?.['expires_at'])
    const minutes = (Date.parse(body.endsAt ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(29)
    expect(minutes).toBeLessThanOrEqual(30)
  })

  it('stops with a new cookie, and the admin is the same as before', async () => {
    const [admin, customer] = [await boss(), await makeUser(shop)]
    await actAs(admin, customer.id)
    const during = sid(admin)
    const { status, body } = await admin.call(stopImpersonation)
    expect([status, body]).toMatchObject([
      200,
      { isImpersonating: false, currentUser: { id: admin.id }, originalUser: null },
    ])
    const planted = shop.visitor()
    planted.cookies.set('sid', during)
    expect((await planted.call(getMe)).status).toBe(401)
    expect((await admin.call(getMe)).body).toMatchObject({ id: admin.id, role: 'super_admin' })
    // Stopping without an impersonation has no effect.
    const again = sid(admin)
    expect((await admin.call(stopImpersonation)).status).toBe(200)
    expect(sid(admin)).toBe(again)
  })

  it('requires a reason of 3 to 500 characters', async () => {
    const [admin, customer] = [await boss(), await makeUser(shop)]
    for (const wrong of ['', '  ', 'ab', 'x'.repeat(501), null]) {
      const { status, refusal } = await admin.send('POST', `/api/admin/impersonate/${customer.id}`, {
        body: { reason: wrong },
      })
      expect([wrong, status, Object.keys(refusal.details.fields ?? {})]).toEqual([wrong, 422, ['reason']])
    }
    expect((await admin.call(getMe)).body.id).toBe(admin.id)
  })

  it('is refused for oneself, a super admin, a deactivated and an unknown user', async () => {
    const admin = await boss()
    const [other, off] = [await makeUser(shop, { role: 'super_admin' }), await makeUser(shop)]
    await shop.query('update users set is_active = false where id = $1', [off.id])
    for (const id of [admin.id, other.id, off.id]) {
      const { status, refusal } = await actAs(admin, id)
      expect([status, refusal.code]).toEqual([403, 'NOT_IMPERSONABLE'])
    }
    expect((await actAs(admin, 2_000_000_000)).status).toBe(404)
    expect((await admin.call(getMe)).body.id).toBe(admin.id)
    expect((await auditOf(admin.id)).length).toBe(0)
  })

  it.each(['customer', 'vendor_sales', 'vendor_staff', 'vendor_admin', 'driver'] as const)(
    'cannot be started by a %s',
    async (role) => {
      const [visitor, customer] = [await makeVisitor(shop, { role, vendorId: 1 }), await makeUser(shop)]
      const { status } = await visitor.call(startImpersonation, {
        params: { userId: String(customer.id) },
        body: { reason },
      })
      expect(status).toBe(403)
    },
  )

  it('starts once with two requests of one browser at once', async () => {
    const admin = await boss()
    const [one, two] = [await makeUser(shop), await makeUser(shop)]
    const twin = shop.visitor()
    twin.cookies.set('sid', sid(admin))
    const answers = await Promise.all([
      actAs(admin, one.id),
      actAs(Object.assign(twin, { id: admin.id, phone: '' }), two.id),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(
      await shop.query('select id from sessions where user_id = $1 or impersonator_id = $1', [admin.id]),
    ).toHaveLength(1)
  })
})

describe('while impersonating', () => {
  it('cannot start another one, assign roles, export data or erase the account', async () => {
    const admin = await boss()
    const [staff, customer] = [await makeUser(shop, { role: 'vendor_admin', vendorId: 1 }), await makeUser(shop)]
    const driver = await makeUser(shop, { role: 'driver', vendorId: 1 })
    for (const target of [staff.id, customer.id]) {
      await actAs(admin, target)
      const answers = [
        await actAs(admin, customer.id),
        await admin.call(createUser, { body: { phone: '+97333111222', name: 'Ali', role: 'driver' } }),
        await admin.call(changeRole, { params: { id: String(driver.id) }, body: { role: 'vendor_staff' } }),
        await admin.call(exportAccount),
        await admin.call(eraseAccount),
        await admin.send('DELETE', `/api/admin/users/${driver.id}/vendor-access`),
        await admin.send('GET', '/api/admin/customers.csv'),
        await admin.send('GET', '/api/admin/audit.csv'),
      ]
      for (const { status, refusal } of answers) expect([status, refusal.code]).toEqual([403, 'IMPERSONATING'])
      await admin.call(stopImpersonation)
    }
    expect(await shop.query('select role from users where id = $1', [driver.id])).toEqual([{ role: 'driver' }])
  })

  it('cannot activate or deactivate a person, but can change the name', async () => {
    const admin = await boss()
    const staff = await makeUser(shop, { role: 'vendor_admin', vendorId: 1 })
    const [active, off] = [await makeUser(shop, driver), await makeUser(shop, driver)]
    await shop.query('update users set is_active = false where id = $1', [off.id])
    await actAs(admin, staff.id)
    for (const [{ id }, isActive] of [
      [active, false],
      [off, true],
    ] as const) {
      const { status, refusal } = await admin.call(updateUser, { params: { id: String(id) }, body: { isActive } })
      expect([status, refusal.code]).toEqual([403, 'IMPERSONATING'])
    }
    const renamed = await admin.call(updateUser, {
      params: { id: String(active.id) },
      body: { name: 'علي', isActive: true },
    })
    expect([renamed.status, renamed.body.name]).toEqual([200, 'علي'])
    const rows = await shop.query('select is_active from users where id = any($1) order by id', [[active.id, off.id]])
    expect(rows).toEqual([{ is_active: true }, { is_active: false }])
  })

  it('can read only the first pages of a list', async () => {
    const admin = await boss()
    const targets: Record<string, number> = {
      vendor_admin: (await makeUser(shop, { role: 'vendor_admin', vendorId: 1 })).id,
      customer: (await makeUser(shop)).id,
    }
    const lists = {
      vendor_admin: [
        '/api/admin/orders',
        '/api/admin/customers',
        '/api/admin/users',
        '/api/admin/audit',
        '/api/admin/products',
        '/api/admin/notifications',
        '/api/sales/orders',
      ],
      customer: ['/api/auth/orders'],
    }
    for (const [who, urls] of Object.entries(lists)) {
      await actAs(admin, targets[who] ?? 0)
      for (const url of urls) {
        const [last, beyond, far] = [
          await admin.send('GET', `${url}?limit=100&page=3`),
          await admin.send('GET', `${url}?limit=100&page=4`),
          await admin.send('GET', `${url}?limit=1&page=1000`),
        ]
        expect([url, last.status]).toEqual([url, 200])
        for (const { status, refusal } of [beyond, far])
          expect([url, status, refusal.code]).toEqual([url, 403, 'IMPERSONATING_FURTHER'])
      }
      await admin.call(stopImpersonation)
    }
    // Control: without impersonation the same page is readable.
    const own = await makeVisitor(shop, { role: 'vendor_admin', vendorId: 1 })
    expect((await own.send('GET', '/api/admin/customers?page=4')).status).toBe(200)
  })

  it('writes both people to every row of every history', async () => {
    const [admin, customer] = [await boss(), await makeUser(shop)]
    const order = await makeOrder(shop, { userId: customer.id, vendorId: 1 })
    await actAs(admin, customer.id)
    await admin.call(updateProfile, { body: { name: 'Noura' } })
    await admin.call(cancelOrder, { params: { id: order }, body: {} })
    await admin.call(stopImpersonation)
    expect(await auditOf(admin.id)).toEqual([
      {
        action: 'impersonation-started',
        user_id: admin.id,
        on_behalf_of: customer.id,
        resource_id: String(customer.id),
        new_values: { reason },
      },
      {
        action: 'updated',
        user_id: admin.id,
        on_behalf_of: customer.id,
        resource_id: String(customer.id),
        new_values: { name: 'changed' },
      },
      {
        action: 'impersonation-ended',
        user_id: admin.id,
        on_behalf_of: customer.id,
        resource_id: String(customer.id),
        new_values: { by: 'hand' },
      },
    ])
    const history = await shop.query('select changed_by, on_behalf_of from order_audit_history where order_id = $1', [
      order,
    ])
    expect(history.length).toBeGreaterThan(0)
    for (const row of history) expect(row).toEqual({ changed_by: admin.id, on_behalf_of: customer.id })
  })

  it("uses the target's cart and never merges carts", async () => {
    const admin = await boss()
    const customer = await makeVisitor(shop)
    const [mine, theirs] = [await productOf(shop, 1), await productOf(shop, 2)]
    await admin.call(addToCart, { body: { productId: mine, quantity: 2 } })
    await customer.call(addToCart, { body: { productId: theirs, quantity: 3 } })
    await actAs(admin, customer.id)
    const seen = (await admin.call(getCart)).body
    expect(seen.items.map(({ productId, quantity }) => [productId, quantity])).toEqual([[theirs, 3]])
    expect(seen.parked).toBeNull()
    await admin.call(stopImpersonation)
    const own = (await admin.call(getCart)).body
    expect(own.items.map(({ productId, quantity }) => [productId, quantity])).toEqual([[mine, 2]])
    expect(own.parked).toBeNull()
  })
})

describe('an impersonation ends', () => {
  it("after thirty minutes, in the admin's own session", async () => {
    const [admin, customer] = [await boss(), await makeUser(shop)]
    await actAs(admin, customer.id)
    await shop.query(`update sessions set created_at = created_at - interval '29 minutes' where user_id = $1`, [
      customer.id,
    ])
    expect((await admin.call(getMe)).body.id).toBe(customer.id)
    await shop.query(`update sessions set created_at = created_at - interval '1 minute' where user_id = $1`, [
      customer.id,
    ])
    expect((await admin.call(getMe)).body).toMatchObject({ id: admin.id, role: 'super_admin' })
    expect((await admin.call(getImpersonation)).body).toMatchObject({
      isImpersonating: false,
      originalUser: null,
      endsAt: null,
    })
    // A new one can start.
    expect((await actAs(admin, customer.id)).status).toBe(200)
  })

  it('with one history row, written by the job or by a late stop', async () => {
    for (const how of ['clock', 'stop'] as const) {
      const [admin, customer] = [await boss(), await makeUser(shop)]
      await actAs(admin, customer.id)
      await halfAnHourLater(admin)
      if (how === 'stop') expect((await admin.call(stopImpersonation)).body.isImpersonating).toBe(false)
      await endDueImpersonations({ db: shop.app.db })
      await endDueImpersonations({ db: shop.app.db })
      const ends = (await auditOf(admin.id)).filter(({ action }) => action === 'impersonation-ended')
      expect(ends).toMatchObject([{ on_behalf_of: customer.id, new_values: { by: 'time' } }])
      expect((await admin.call(getMe)).body.id).toBe(admin.id)
    }
  })

  it.each(['the target is switched off', 'the target gets another role'] as const)('when %s', async (what) => {
    const [admin, other] = [await boss(), await boss()]
    const driver = await makeUser(shop, { role: 'driver', vendorId: 1 })
    await actAs(admin, driver.id)
    const params = { id: String(driver.id) }
    if (what === 'the target is switched off') await other.call(updateUser, { params, body: { isActive: false } })
    else await other.call(changeRole, { params, body: { role: 'vendor_staff', vendorId: 1 } })
    expect((await admin.call(getMe)).body.id).toBe(admin.id)
    expect((await auditOf(admin.id)).at(-1)).toMatchObject({
      action: 'impersonation-ended',
      new_values: { by: 'target' },
    })
  })

  it('at once when only the database says that the target is deactivated or a super admin', async () => {
    for (const change of ['is_active = false', `role = 'super_admin'`]) {
      const [admin, customer] = [await boss(), await makeUser(shop)]
      await actAs(admin, customer.id)
      await shop.query(`update users set ${change} where id = $1`, [customer.id])
      expect((await admin.call(getMe)).body.id).toBe(admin.id)
      await shop.query(`update users set role = 'customer' where id = $1`, [customer.id])
    }
  })

  it('at once when only the database says that the admin is no longer one, or deactivated', async () => {
    for (const [change, left] of [
      [`role = 'customer'`, 200],
      [`role = 'vendor_admin', vendor_id = 1`, 200],
      ['is_active = false', 401],
    ] as const) {
      const [admin, customer] = [await boss(), await makeUser(shop)]
      await actAs(admin, customer.id)
      await shop.query(`update users set ${change} where id = $1`, [admin.id])
      const { status, body } = await admin.call(getMe)
      expect([change, status, status === 200 && body.id]).toEqual([change, left, left === 200 && admin.id])
    }
  })

  it('with the session when the admin loses the role', async () => {
    const [admin, other, customer] = [await boss(), await boss(), await makeUser(shop)]
    await actAs(admin, customer.id)
    await other.call(changeRole, { params: { id: String(admin.id) }, body: { role: 'customer' } })
    expect((await admin.call(getMe)).status).toBe(401)
  })
})
