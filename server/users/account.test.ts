import { addToCart } from '@qatra/contract/cart/cart'
import { cancelOrder, placeOrder } from '@qatra/contract/orders/orders'
import { eraseAccount, exportAccount, getMe, getProfile, updateProfile } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendSimulatedMessage } from '../../demo/contract/simulator.ts'
import { sha256 } from '../lib/secrets.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { restingState } from '../test/ask.ts'
import { askForCode, newPhone, signInByCode, tryCode, until } from '../test/fixtures/codes.ts'
import {
  makeArea,
  makeHousehold,
  makeOrder,
  makeProduct,
  makeUser,
  makeVendor,
  makeVisitor,
} from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ databasePoolSize: 10 })
})

describe('the profile', () => {
  it('changes the fields that were sent and no others', async () => {
    const visitor = await makeVisitor(shop)
    const changed = {
      name: "Noura O'Brien",
      language: 'en',
      address: 'Villa 12, Road 2834, Block 428, Seef',
      addressParts: { block: '428', road: '2834', building: '12' },
      mapCoordinates: { lat: 26.2361, lng: 50.5355 },
      instructions: 'Ring twice',
      notificationEnabled: false,
      notificationTypes: ['order_updates'],
      marketingConsent: true,
    } as const
    const { status, body } = await visitor.call(updateProfile, {
      body: { ...changed, notificationTypes: [...changed.notificationTypes] },
    })
    expect([status, body]).toMatchObject([200, changed])
    const renamed = await visitor.call(updateProfile, { body: { name: 'نورة' } })
    expect(renamed.body).toEqual({ ...body, name: 'نورة' })
    expect((await visitor.call(getProfile)).body).toEqual(renamed.body)
    expect((await visitor.call(getMe)).body).toEqual(renamed.body)
    expect(renamed.body.impersonatedBy).toBeNull()
    const emptied = { address: null, addressParts: null, mapCoordinates: null, instructions: null }
    expect((await visitor.call(updateProfile, { body: emptied })).body).toMatchObject(emptied)
  })

  it('ignores fields that the person must not change', async () => {
    const visitor = await makeVisitor(shop)
    const before = await shop.query('select * from users where id = $1', [visitor.id])
    const body = {
      id: 1,
      role: 'super_admin',
      vendorId: 1,
      vendor_id: 1,
      phone: '+97336000001',
      isVerified: false,
      isActive: false,
      permissions: ['all'],
      lat: 1,
      lng: 1,
      createdAt: '2000-01-01',
      erasedAt: '2000-01-01',
      consentSource: 'x',
      telegramChatId: '7',
      constructor: { prototype: { role: 'super_admin' } },
    }
    expect((await visitor.send('PUT', '/api/auth/profile', { body })).status).toBe(200)
    const after = await shop.query('select * from users where id = $1', [visitor.id])
    expect(after).toEqual(before.map((row) => ({ ...row, updated_at: after[0]?.['updated_at'] })))
  })

  it('stores time and source of the marketing consent', async () => {
    const visitor = await makeVisitor(shop)
    const consent = () =>
      shop.query(
        'select marketing_consent, consent_source, consent_at is not null as has_time from users where id = $1',
        [visitor.id],
      )
    await visitor.call(updateProfile, { body: { name: 'Ali', marketingConsent: false } })
    expect(await consent()).toEqual([{ marketing_consent: false, consent_source: null, has_time: false }])
    await visitor.call(updateProfile, { body: { marketingConsent: true } })
    expect(await consent()).toEqual([{ marketing_consent: true, consent_source: 'profile', has_time: true }])
    await shop.query(`update users set consent_source = 'import', consent_at = null where id = $1`, [visitor.id])
    await visitor.call(updateProfile, { body: { name: 'Ahmed', marketingConsent: true } })
    expect(await consent()).toEqual([{ marketing_consent: true, consent_source: 'import', has_time: false }])
    await visitor.call(updateProfile, { body: { marketingConsent: false } })
    expect(await consent()).toEqual([{ marketing_consent: false, consent_source: 'profile', has_time: true }])
  })

  it('writes the names of changed fields to the history, never their values', async () => {
    const visitor = await makeVisitor(shop)
    await visitor.call(updateProfile, { body: { name: 'Zanzibar', language: 'ar' } })
    const rows = await shop.query('select new_values from audit_log where user_id = $1', [visitor.id])
    expect(rows).toEqual([{ new_values: { name: 'changed' } }])
    await visitor.call(updateProfile, { body: { name: 'Zanzibar' } })
    expect(await shop.query('select id from audit_log where user_id = $1', [visitor.id])).toHaveLength(1)
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: '<b>x</b>' }, 'name'],
    [{ name: 'a\u202eb' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ language: 'fr' }, 'language'],
    [{ address: 'short' }, 'address'],
    [{ address: 'x'.repeat(501) }, 'address'],
    [{ mapCoordinates: { lat: 91, lng: 0 } }, 'mapCoordinates.lat'],
    [{ mapCoordinates: { lat: '26', lng: 50 } }, 'mapCoordinates.lat'],
    [{ instructions: 'x'.repeat(1001) }, 'instructions'],
    [{ notificationEnabled: 'yes' }, 'notificationEnabled'],
    [{ notificationTypes: ['everything'] }, 'notificationTypes.0'],
    [{ notificationTypes: Array(50).fill('new_orders') }, 'notificationTypes'],
    [{ marketingConsent: 1 }, 'marketingConsent'],
    [{ addressParts: { block: 'x'.repeat(20) } }, 'addressParts.block'],
  ])('rejects %j and changes nothing', async (body, field) => {
    const visitor = await makeVisitor(shop)
    const { status, refusal } = await visitor.send('PUT', '/api/auth/profile', { body })
    expect([status, Object.keys(refusal.details.fields ?? {})]).toEqual([422, [field]])
  })

  it('returns 401 to visitors', async () => {
    for (const endpoint of [getMe, getProfile, exportAccount, eraseAccount]) {
      expect((await shop.visitor().call(endpoint)).status).toBe(401)
    }
    expect((await shop.visitor().call(updateProfile, { body: {} })).status).toBe(401)
  })
})

/** Unique values. */
const canary = {
  name: 'Zanzibarcanary',
  address: 'Canaryhouse 77, Canaryroad, Seef',
  profileAddress: 'Profilecanary 12, Road 2834',
  instructions: 'Canarybell twice please',
  reason: 'Canaryreason changed my mind',
  message: 'Canarymessage where is my water',
  agent: 'Canarybrowser/1.0',
  email: 'canary-key-5519',
}

/** Tables that contain these values, including the queue's. */
async function tracesIn(shop: TestShop, traces: readonly string[]) {
  const all = await shop.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema in ('public', 'pgboss') and table_type = 'BASE TABLE'`,
  )
  const found: { name: string; trace: string }[] = []
  for (const { name } of all) {
    for (const trace of traces) {
      const rows = await shop.query(`select 1 from ${name} t where t::text ilike '%' || $1 || '%' limit 1`, [trace])
      if (rows.length > 0) found.push({ name, trace })
    }
  }
  return found
}

describe('erasure of an account', () => {
  it('removes all personal data, and keeps the orders with their sums', async () => {
    const shop = await startShop({ trustedProxies: ['127.0.0.1'] })
    const vendorId = await makeVendor(shop)
    const productId = await makeProduct(shop, vendorId)
    const { lat, lng } = await makeArea(shop, [vendorId])
    const phone = '+97333555777'
    const headers = { 'user-agent': canary.agent, 'x-forwarded-for': '203.0.113.77' }
    const visitor = shop.visitor()
    await tryCode(visitor, phone, '00000')
    const code = await askForCode(shop, visitor, phone, headers)
    await tryCode(visitor, phone, '00000', headers)
    await tryCode(visitor, phone, code, headers)
    const ids: string[] = []
    for (let n = 0; n < 2; n++) {
      await visitor.call(addToCart, { body: { productId, quantity: 4 } })
      const body = {
        customerName: canary.name,
        address: canary.address,
        mapCoordinates: { lat, lng },
        instructions: canary.instructions,
      }
      const placed = await visitor.call(placeOrder, { body }, { ...headers, 'idempotency-key': `${canary.email}-${n}` })
      expect(placed.status).toBe(200)
      ids.push(placed.body.id)
    }
    await visitor.call(
      updateProfile,
      { body: { name: canary.name, address: canary.profileAddress, mapCoordinates: { lat, lng } } },
      headers,
    )
    await visitor.call(cancelOrder, { params: { id: ids[0] ?? '' }, body: { reason: canary.reason } }, headers)
    await visitor.call(addToCart, { body: { productId, quantity: 1 } })
    await shop.visitor().call(sendSimulatedMessage, { body: { from: phone, body: canary.message } })
    await until(
      'the message',
      async () => (await shop.query('select 1 from contacts where phone = $1', [phone])).length > 0,
    )
    await shop.query(
      `insert into magic_links (phone, token, expires_at) values ($1, 'hash-of-a-token', now() + interval '1 day')`,
      [phone],
    )
    const { id: userId } = (await visitor.call(getMe)).body
    // A receipt that arrives after the erasure would be stored with the phone.
    await until('the bot’s answer and the receipts of all messages', async () => {
      const [messages] = await shop.query<{ done: boolean }>(
        `select count(*) filter (where created_at > (select max(created_at) from whatsapp_messages where from_number = $1)) > 0
           and bool_and(status in ('delivered', 'read', 'failed')) as done
         from whatsapp_messages where to_number = $1 and direction = 'outgoing'`,
        [phone],
      )
      return messages?.done
    })
    await restingState(shop)

    const { status, body: file } = await visitor.call(exportAccount)
    expect(status).toBe(200)
    const tables = [
      'orders',
      'orderItems',
      'orderHistory',
      'carts',
      'cartItems',
      'sessions',
      'devices',
      'codes',
      'links',
    ]
    for (const table of [...tables, 'contacts', 'messages', 'audit']) {
      expect([table, (file[table] as unknown[]).length > 0]).toEqual([table, true])
    }
    const text = JSON.stringify(file)
    const written = [
      canary.name,
      canary.address,
      canary.profileAddress,
      canary.instructions,
      canary.reason,
      canary.message,
    ]
    for (const word of [phone, ...written, canary.agent, ...ids]) expect(text).toContain(word)
    expect(text).not.toContain('hash-of-a-token')
    expect(text).not.toContain(sha256(visitor.cookies.get('sid') ?? ''))

    const traces = ['33555777', 'canary', String(lat), '203.0.113']
    const found = async () =>
      (await tracesIn(shop, traces)).filter(({ name, trace }) => trace !== String(lat) || !/areas/.test(name))
    // Control: all values are stored before the erasure.
    expect([...new Set((await found()).map(({ trace }) => trace))].sort()).toEqual([...traces].sort())

    const sums =
      'select id, subtotal, delivery_fee, product_vat, total, vendor_id, user_id from orders where id = any($1) order by id'
    const before = await shop.query(sums, [ids])
    const erased = await visitor.call(eraseAccount, {}, headers)
    expect([erased.status, erased.body]).toEqual([200, { success: true }])
    expect(erased.headers['clear-site-data']).toBe('"cache","storage"')
    expect(visitor.cookies.size).toBe(0)

    expect(await shop.query(sums, [ids])).toEqual(before)
    expect(await shop.query('select status from orders where id = any($1)', [ids])).toEqual([
      { status: 'cancelled' },
      { status: 'cancelled' },
    ])
    expect(await shop.query('select phone, is_active from users where id = $1', [userId])).toEqual([
      { phone: `erased-${userId}`, is_active: false },
    ])
    // The area keeps its coordinates.
    expect(await found()).toEqual([])
    const again = await signInByCode(shop, phone)
    expect((await again.call(getMe)).body).toMatchObject({ phone, name: null, address: null })
    expect((await again.call(getMe)).body.id).not.toBe(userId)
  })

  it("does not change other people's rows, and delivered orders stay delivered", async () => {
    const vendorId = await makeVendor(shop)
    await makeProduct(shop, vendorId)
    const [leaving, staying] = [await makeVisitor(shop), await makeVisitor(shop)]
    const mine = await makeOrder(shop, { userId: leaving.id, vendorId, status: 'delivered' })
    const theirs = await makeOrder(shop, { userId: staying.id, vendorId })
    const rest = async () => [
      await shop.query('select * from orders where id = $1', [theirs]),
      await shop.query('select * from users where id = $1', [staying.id]),
      await shop.query('select * from sessions where user_id = $1', [staying.id]),
    ]
    const before = await rest()
    await leaving.call(eraseAccount)
    expect(await rest()).toEqual(before)
    expect(
      await shop.query('select status, customer_name, address, phone, lat from orders where id = $1', [mine]),
    ).toEqual([{ status: 'delivered', customer_name: '—', address: '—', phone: '—', lat: 0 }])
  })

  it('includes an order that is being placed at the same time', async () => {
    const { customer, order, vendor, water } = await makeHousehold(shop)
    await order()
    await customer.call(addToCart, { body: { productId: water, quantity: 3 } })
    const placing = await shop.app.pool.connect()
    await placing.query('begin')
    await placing.query('select from carts where user_id = $1 for update', [customer.id])
    const leaving = customer.call(eraseAccount)
    await until('the erasure to wait for the cart', async () => (await lockWaits(shop)) > 0)
    await placing.query(
      `insert into orders (id, user_id, vendor_id, vendor_name, customer_name, phone, address, lat, lng,
         subtotal, delivery_fee, product_vat, total, promised_date)
       values ('MEANWHILE2222222', $1, $2, 'v', 'Canary', $3, 'Canary 77', 26, 50, 1, 0, 0, 1, current_date)`,
      [customer.id, vendor, customer.phone],
    )
    await placing.query('commit')
    placing.release()
    expect((await leaving).status).toBe(200)
    expect(
      await shop.query(`select customer_name, address, phone, status from orders where user_id = $1`, [customer.id]),
    ).toEqual(Array(2).fill({ customer_name: '—', address: '—', phone: '—', status: 'cancelled' }))
  })

  it('is not undone by a concurrent change of the profile', async () => {
    const visitor = await makeVisitor(shop)
    const leaving = await shop.app.pool.connect()
    await leaving.query('begin')
    await leaving.query('update users set name = null, is_active = false where id = $1', [visitor.id])
    const saving = visitor.call(updateProfile, { body: { name: 'Canary' } })
    await until('the profile to wait', async () => (await lockWaits(shop)) > 0)
    await leaving.query('commit')
    leaving.release()
    expect((await saving).status).toBe(401)
    expect(await shop.query('select name from users where id = $1', [visitor.id])).toEqual([{ name: null }])
  })

  it('ends all sessions of the person, on all devices', async () => {
    const phone = newPhone()
    const [one, two] = [await signInByCode(shop, phone), await signInByCode(shop, phone)]
    await one.call(eraseAccount)
    expect((await two.call(getMe)).status).toBe(401)
  })

  it.each(['vendor_sales', 'vendor_staff', 'vendor_admin', 'driver', 'super_admin'] as const)(
    'returns 403 to a %s',
    async (role) => {
      const visitor = await makeVisitor(shop, { role })
      expect((await visitor.call(eraseAccount)).status).toBe(403)
      expect((await visitor.call(getMe)).status).toBe(200)
      expect((await visitor.call(exportAccount)).status).toBe(200)
    },
  )

  it('returns 403 during impersonation, and so does the export', async () => {
    const [admin, customer] = [await makeUser(shop, { role: 'super_admin' }), await makeVisitor(shop)]
    await shop.query('update sessions set impersonator_id = $1 where user_id = $2', [admin.id, customer.id])
    expect((await customer.call(eraseAccount)).status).toBe(403)
    expect((await customer.call(exportAccount)).status).toBe(403)
    const { body: me } = await customer.call(getMe)
    expect([me.phone, me.impersonatedBy]).toEqual([customer.phone, { name: null, phone: admin.phone }])
  })

  it('is rolled back as a whole on an error', async () => {
    const visitor = await makeVisitor(shop)
    await shop.query(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await shop.query('create trigger fail before update on users for each row execute function fail()')
    expect((await visitor.call(eraseAccount)).status).toBe(500)
    await shop.query('drop trigger fail on users')
    expect((await visitor.call(getMe)).body.phone).toBe(visitor.phone)
  })

  it('is the only transaction in which append-only columns can be emptied', async () => {
    const change = (sql: string, erasing = false) =>
      shop.app.db.transaction(async (tx) => {
        if (erasing) await tx.execute(`select set_config('qatra.erasing', 'on', true)`)
        await tx.execute(sql)
      })
    await shop.query(`insert into audit_log (action, resource, ip_address) values ('x', 'y', '192.0.2.1')`)
    const empty = `update audit_log set ip_address = null where action = 'x'`
    await expect(change(empty)).rejects.toThrow()
    await expect(change(`update audit_log set action = 'z' where action = 'x'`, true)).rejects.toThrow()
    await expect(change(`update audit_log set ip_address = '1' where action = 'x'`, true)).rejects.toThrow()
    await expect(change(`delete from audit_log where action = 'x'`, true)).rejects.toThrow()
    await expect(change(empty, true)).resolves.toBeUndefined()
  })
})
