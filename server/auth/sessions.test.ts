import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { exportAccount, getMe, getProfile, logout, verifyCode } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { newSessionCookie } from '../http/session-cookie.ts'
import { deleteOldRows } from '../jobs/retention.ts'
import { sha256 } from '../lib/secrets.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { askForCode, newPhone, signInByCode, tryCode } from '../test/fixtures/codes.ts'
import { makeProduct, makeVendor } from '../test/fixtures/make.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})

const setCookies = (headers: Record<string, unknown>) => [headers['set-cookie'] ?? []].flat().map(String)
const daysLeft = async (cookie: string) => {
  const [row] = await shop.query<{ days: number }>(
    `select extract(epoch from expires_at - now())::float8 / 86400 as days from sessions where id = $1`,
    [sha256(cookie)],
  )
  return row?.days
}
const isSeen = async (id: string) =>
  (await shop.query(`select 1 from sessions where id = $1 and last_seen_at > now() - interval '1 minute'`, [id]))
    .length > 0
const sessionOf = (visitor: { cookies: Map<string, string> }) => visitor.cookies.get('sid') ?? ''

describe('a session', () => {
  it.each([
    ['a signed-in value', newSessionCookie('user')],
    ['a visitor', newSessionCookie('guest')],
    ['rubbish', 'u.short'],
  ])('rejects a cookie that was planted as %s', async (_, planted) => {
    const victim = shop.visitor()
    victim.cookies.set('sid', planted)
    await signInByCode(shop, newPhone(), victim)
    expect(sessionOf(victim)).toMatch(/^u\.[\w-]{43}$/)
    expect(sessionOf(victim)).not.toBe(planted)
    const attacker = shop.visitor()
    attacker.cookies.set('sid', planted)
    expect((await attacker.call(getMe)).status).toBe(401)
    expect(await shop.query('select id from sessions where id = any($1)', [[planted, sessionOf(victim)]])).toEqual([])
  })

  it('ends when the same browser signs in again', async () => {
    const visitor = shop.visitor()
    await signInByCode(shop, newPhone(), visitor)
    const first = sessionOf(visitor)
    await signInByCode(shop, newPhone(), visitor)
    const old = shop.visitor()
    old.cookies.set('sid', first)
    expect((await old.call(getMe)).status).toBe(401)
    expect((await visitor.call(getMe)).status).toBe(200)
  })

  it('is invalid on the server after sign-out, also for a copied cookie', async () => {
    const visitor = await signInByCode(shop, newPhone())
    const kept = sessionOf(visitor)
    const { status, body, headers } = await visitor.call(logout)
    expect([status, body]).toEqual([200, { success: true }])
    expect(headers['clear-site-data']).toBe('"cache","storage"')
    expect(setCookies(headers)).toEqual(['sid=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    const replay = shop.visitor()
    replay.cookies.set('sid', kept)
    for (const endpoint of [getMe, getProfile, exportAccount]) expect((await replay.call(endpoint)).status).toBe(401)
    expect((await replay.call(logout)).status).toBe(200)
    expect((await shop.visitor().call(logout)).body).toEqual({ success: true })
  })

  it('does not end the sessions of other devices', async () => {
    const phone = newPhone()
    const [one, two] = [await signInByCode(shop, phone), await signInByCode(shop, phone)]
    await one.call(logout)
    expect((await two.call(getMe)).status).toBe(200)
  })

  it('ends with the next request of a deactivated person', async () => {
    const phone = newPhone()
    const visitor = await signInByCode(shop, phone)
    await shop.query('update users set is_active = false where phone = $1', [phone])
    expect((await visitor.call(getMe)).status).toBe(401)
  })

  it('has the current rights, not those of the sign-in', async () => {
    const phone = newPhone()
    const visitor = await signInByCode(shop, phone)
    await shop.query(`update users set role = 'driver' where phone = $1`, [phone])
    expect((await visitor.call(getMe)).body.role).toBe('driver')
  })

  it("ends by the database's clock", async () => {
    const visitor = await signInByCode(shop, newPhone())
    const id = sha256(sessionOf(visitor))
    await shop.query(`update sessions set expires_at = now() + interval '1 minute' where id = $1`, [id])
    expect((await visitor.call(getMe)).status).toBe(200)
    await shop.query(`update sessions set expires_at = now() - interval '1 second' where id = $1`, [id])
    expect((await visitor.call(getMe)).status).toBe(401)
  })

  it.each([
    ['customer', 30],
    ['driver', 0.5],
    ['vendor_admin', 0.5],
    ['super_admin', 1 / 3],
  ])('of a %s lasts %d days', async (role, days) => {
    const phone = newPhone()
    await shop.query('insert into users (phone, role) values ($1, $2)', [phone, role])
    const visitor = await signInByCode(shop, phone)
    expect(await daysLeft(sessionOf(visitor))).toBeCloseTo(days, 2)
  })

  it('of a customer is extended by thirty days per visit, of staff it is not, also while they act as a customer', async () => {
    const [customer, driver, actedFor] = [newPhone(), newPhone(), newPhone()]
    await shop.query(`insert into users (phone, role) values ($1, 'driver')`, [driver])
    const [admin] = await shop.query<{ id: number }>(
      `insert into users (phone, role) values ($1, 'super_admin') returning id`,
      [newPhone()],
    )
    for (const [phone, days, impersonator] of [
      [customer, 30, null],
      [driver, 0.1, null],
      [actedFor, 0.1, admin?.id],
    ] as const) {
      const visitor = await signInByCode(shop, phone)
      const id = sha256(sessionOf(visitor))
      await shop.query('update sessions set impersonator_id = $2 where id = $1', [id, impersonator])
      await shop.query(
        `update sessions set expires_at = now() + interval '2.4 hours', last_seen_at = now() - interval '1 hour'
         where id = $1`,
        [id],
      )
      await visitor.call(getMe)
      // Recorded beside the request, which does not wait for it.
      await expect.poll(() => isSeen(id)).toBe(true)
      await expect.poll(() => daysLeft(sessionOf(visitor))).toBeCloseTo(days, 2)
    }
  })
})

describe('the data of sign-ins', () => {
  it('is deleted when its limits no longer need it: sessions, codes, message logins, failures, devices', async () => {
    const phone = newPhone()
    const [user] = await shop.query<{ id: number }>('insert into users (phone) values ($1) returning id', [phone])
    const ago = (days: number) => [`${phone} ${days}`, phone, days] as const
    for (const days of [6, 8])
      await shop.query(
        `insert into login_codes (code_hash, phone, digits, language, replaced_at, expires_at, created_at)
         values ($1, $2, 4, 'ar', now(), now(), now() - $3 * interval '1 day')`,
        [...ago(days)],
      )
    for (const days of [0.9, 1.1])
      await shop.query(
        `insert into message_logins (secret_hash, word_hash, phone, language, ip_prefix, expires_at, created_at)
         values ($1, $1, $2, 'ar', '', now(), now() - $3 * interval '1 day')`,
        [...ago(days)],
      )
    for (const days of [0.9, 1.1, 360, 370])
      await shop.query(
        `insert into login_failures (phone, digits, is_trusted, ip_prefix, created_at)
         values ($1, 4, false, '192.0.2.0/24', now() - $2 * interval '1 day')`,
        [phone, days],
      )
    for (const days of [399, 401])
      await shop.query(
        "insert into known_devices (id, phone, last_used_at) values ($1, $2, now() - $3 * interval '1 day')",
        [...ago(days)],
      )
    for (const days of [0.1, -0.1])
      await shop.query(
        `insert into sessions (id, user_id, user_agent, expires_at) values ($1, $2, '', now() + $3 * interval '1 day')`,
        [`${phone} ${days}`, user?.id, days],
      )
    await deleteOldRows(shop.app)
    const left = async (column: string, table: string) =>
      (
        await shop.query(`select ${column} as one from ${table} where phone = $1 order by created_at desc`, [phone])
      ).map(({ one }) => one)
    expect(await left('code_hash', 'login_codes')).toEqual([`${phone} 6`])
    expect(await left('secret_hash', 'message_logins')).toEqual([`${phone} 0.9`])
    expect(await left('ip_prefix', 'login_failures')).toEqual(['192.0.2.0/24', null, null])
    expect(await left('id', 'known_devices')).toEqual([`${phone} 399`])
    expect(await shop.query('select id from sessions where user_id = $1', [user?.id])).toEqual([{ id: `${phone} 0.1` }])
  })
})

describe('cookies', () => {
  it('over https are bound to the host, secure and HttpOnly', async () => {
    const secure = await startShop({ isSecure: true, publicUrl: 'https://qatra.example' })
    const phone = newPhone()
    const visitor = secure.visitor()
    const { headers } = await tryCode(visitor, phone, await askForCode(secure, visitor, phone))
    const cookies = setCookies(headers)
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-did', '__Host-sid'])
    for (const cookie of cookies) {
      const attributes = cookie.split('; ')
      expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure']))
      expect(cookie).not.toMatch(/domain=/i)
    }
    // The scheme comes from the configuration; request headers do not change it.
    const plain = await startShop()
    const answer = await tryCode(plain.visitor(), phone, await askForCode(plain, plain.visitor(), phone), {
      'x-forwarded-proto': 'https',
    })
    expect(setCookies(answer.headers).join()).not.toContain('Secure')
  })
})

describe("a visitor's cart", () => {
  it('is taken over at sign-in, and its cookie is invalid afterwards', async () => {
    const productId = await makeProduct(shop, await makeVendor(shop))
    const visitor = shop.visitor()
    await visitor.call(addToCart, { body: { productId, quantity: 3 } })
    const guest = sessionOf(visitor)
    await signInByCode(shop, newPhone(), visitor)
    expect((await visitor.call(getCart)).body.items).toMatchObject([{ productId, quantity: 3 }])
    const other = shop.visitor()
    other.cookies.set('sid', guest)
    expect((await other.call(getCart)).body.items).toEqual([])
  })
})

describe('the test code', () => {
  const base = { PUBLIC_URL: 'http://localhost:3000', DATA_DIR: '/tmp/qatra-config-test', OTP_TEST_CODE: '9876' }

  it.each([
    ['production', { NODE_ENV: 'production' }],
    ['an unset NODE_ENV', {}],
    ['a NODE_ENV that only looks like one', { NODE_ENV: 'Development' }],
    ['an address that others reach', { NODE_ENV: 'development', HOST: '0.0.0.0', ALLOW_SIMULATOR: 'true' }],
  ])('prevents the start of the server in %s', (_, env) => {
    expect(() => readConfig({ ...base, ...env })).toThrow(/OTP_TEST_CODE/)
  })

  it('signs in if it is set and a code was requested, and counts as an attempt', async () => {
    const testing = await startShop({ otpTestCode: '9876' })
    const phone = newPhone()
    expect((await tryCode(testing.visitor(), phone, '9876')).status).toBe(422)
    await askForCode(testing, testing.visitor(), phone)
    expect((await tryCode(testing.visitor(), phone, '9876')).status).toBe(200)
    expect((await tryCode(testing.visitor(), phone, '9876')).status).toBe(422)
  })

  const proxied = { 'x-forwarded-for': '127.0.0.1' }
  it.each([
    ['in production', { otpTestCode: '9876', environment: 'production' as const }, '127.0.0.1', {}],
    ['where others reach the server', { otpTestCode: '9876', host: '192.168.1.10' }, '127.0.0.1', {}],
    ['for a caller from elsewhere', { otpTestCode: '9876' }, '192.168.1.77', {}],
    ['for whoever comes through a proxy on this machine', { otpTestCode: '9876' }, '127.0.0.1', proxied],
    ['where it is not set', { otpTestCode: null }, '127.0.0.1', {}],
  ])('is a wrong code %s', async (_, config, remoteAddress, headers) => {
    const strict = await startShop(config)
    const phone = newPhone()
    const code = await askForCode(strict, strict.visitor(), phone)
    const payload = { phone, code: code === '9876' ? '98760' : '9876' }
    const url = verifyCode.path
    const { statusCode } = await strict.app.http.inject({ method: 'POST', url, payload, remoteAddress, headers })
    expect(statusCode).toBe(422)
  })
})
