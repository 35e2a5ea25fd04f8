import { addToCart, getCart } from '@qatra/contract/cart/cart'
import { getLinkStatus, verifyLink } from '@qatra/contract/links/links'
import { getMe } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../database/transaction.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, signInByCode, until } from '../test/fixtures/codes.ts'
import { makeProduct, makeVendor } from '../test/fixtures/make.ts'
import { lockWaits } from '../test/lock-waits.ts'
import { makeLink, type NewLink } from './commands.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ databasePoolSize: 10 })
})

const make = (parameters: NewLink) =>
  inTransaction(shop.app.pool, (db) =>
    makeLink(
      {
        db,
        actor: { user: null, guestSession: null, impersonator: null, lang: 'ar' },
        now: new Date(),
        client: {
          ip: '',
          isForwarded: false,
          userAgent: '',
          sessionId: null,
          keyId: null,
          deviceToken: null,
          idempotencyKey: null,
          areaId: null,
        },
        afterCommit: () => {},
        setCookie: () => {},
        setHeader: () => {},
      },
      shop.app.config.publicUrl,
      parameters,
    ),
  )
const look = (token: string, visitor = shop.visitor()) => visitor.call(getLinkStatus, { params: { token } })
const open = (token: string, visitor = shop.visitor()) => visitor.call(verifyLink, { params: { token } })

describe('a magic link', () => {
  it('shows the masked phone and signs in once', async () => {
    const { url, token, expiresAt } = await make({ phone: '+97333123456', redirectUrl: '/orders' })
    expect(url).toBe(`http://localhost:3000/magic-login/${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(23.9 * 3600_000)
    expect((await look(token)).body).toEqual({
      success: true,
      errorCode: null,
      phone: '+973 **** 3456',
      isOwn: null,
    })
    const visitor = shop.visitor()
    const { status, body } = await open(token, visitor)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, errorCode: null, redirectUrl: '/orders', redirectParams: null })
    expect((await visitor.call(getMe)).body).toMatchObject({
      phone: '+97333123456',
      role: 'customer',
      isVerified: true,
    })
    expect((await open(token)).body).toMatchObject({ success: false, errorCode: 'USED_LINK' })
    expect((await look(token)).body).toEqual({
      success: false,
      errorCode: 'USED_LINK',
      phone: null,
      isOwn: null,
    })
  })

  it('starts one session for fifty parallel requests', async () => {
    const phone = newPhone()
    const { token } = await make({ phone })
    const answers = await Promise.all(Array.from({ length: 50 }, () => open(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.errorCode === 'USED_LINK')).toHaveLength(49)
    const sessions = await shop.query('select s.id from sessions s join users u on u.id = s.user_id where phone = $1', [
      phone,
    ])
    expect(sessions).toHaveLength(1)
  })

  it('would start several if the check and the update were separate statements', async () => {
    const { token } = await make({ phone: newPhone() })
    let opened = 0
    const naive = async () => {
      const [link] = await shop.query<{ id: number; used: boolean }>(
        'select id, used from magic_links order by id desc limit 1',
      )
      if (!link || link.used) return
      opened += 1
      await shop.query('update magic_links set used = true where id = $1', [link.id])
    }
    await Promise.all(Array.from({ length: 50 }, naive))
    expect(opened).toBeGreaterThan(1)
    expect((await open(token)).body.errorCode).toBe('USED_LINK')
  })

  it.each([
    ['WhatsApp', 'WhatsApp/2.23.20.0 A'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['Telegram', 'TelegramBot (like TwitterBot)'],
    ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Safe Links', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) SafeLinks'],
  ])('is not used up by previews of %s', async (_, userAgent) => {
    const { token } = await make({ phone: newPhone() })
    for (let n = 0; n < 20; n++) {
      for (const [method, path] of [
        ['GET', `/api/magic-link/status/${token}`],
        ['HEAD', `/api/magic-link/status/${token}`],
        ['GET', `/api/magic-link/verify/${token}`],
        ['HEAD', `/api/magic-link/verify/${token}`],
      ] as const) {
        await shop.visitor().send(method, path, { headers: { 'user-agent': userAgent } })
      }
    }
    expect((await open(token)).body.success).toBe(true)
  })

  it('would be used up by a preview if GET requests signed in', async () => {
    const { token } = await make({ phone: newPhone() })
    const headers = { 'user-agent': 'WhatsApp/2.23.20.0 A' }
    await shop.visitor().send('POST', `/api/magic-link/verify/${token}`, { headers })
    expect((await open(token)).body).toMatchObject({ success: false, errorCode: 'USED_LINK' })
  })

  it('distinguishes the error codes', async () => {
    const expired = await make({ phone: newPhone() })
    await shop.query(
      `update magic_links set expires_at = now() - interval '1 second' where id = (select max(id) from magic_links)`,
    )
    const revoked = await make({ phone: newPhone() })
    await shop.query(`update magic_links set revoked_at = now() where id = (select max(id) from magic_links)`)
    for (const [token, errorCode] of [
      [expired.token, 'EXPIRED_LINK'],
      [revoked.token, 'INVALID_LINK'],
      ['invalid', 'INVALID_LINK'],
      ['error', 'GENERAL_ERROR'],
      ['A'.repeat(43), 'INVALID_LINK'],
      ['A'.repeat(250), 'INVALID_LINK'],
      ['%F0%9F%92%A7', 'INVALID_LINK'],
    ] as const) {
      const seen = await shop.visitor().send('GET', `/api/magic-link/status/${token}`)
      expect([token, seen.status, seen.body]).toEqual([
        token,
        200,
        { success: false, errorCode, phone: null, isOwn: null },
      ])
      const used = await shop.visitor().send('POST', `/api/magic-link/verify/${token}`)
      const failure = { success: false, errorCode, redirectUrl: null, redirectParams: null }
      expect([token, used.status, used.body]).toEqual([token, 200, failure])
    }
  })

  it('is rejected for staff, and invalid after the person became staff or was deactivated', async () => {
    const [staff, promoted, inactive] = [newPhone(), newPhone(), newPhone()]
    await shop.query(`insert into users (phone, role) values ($1, 'driver')`, [staff])
    await expect(make({ phone: staff })).rejects.toMatchObject({ code: 'STAFF_PHONE', status: 422 })
    const [one, two] = [await make({ phone: promoted }), await make({ phone: inactive })]
    await shop.query(
      `insert into users (phone, role, is_active) values ($1, 'vendor_admin', true), ($2, 'customer', false)`,
      [promoted, inactive],
    )
    for (const { token } of [one, two]) {
      const visitor = shop.visitor()
      expect((await look(token)).body.errorCode).toBe('INVALID_LINK')
      expect((await open(token, visitor)).body.errorCode).toBe('INVALID_LINK')
      expect((await visitor.call(getMe)).status).toBe(401)
    }
    const [row] = await shop.query('select used from magic_links where phone = $1', [promoted])
    expect(row).toEqual({ used: false })
  })

  it.each(['a customer', 'no account'] as const)(
    'refuses to sign in when the phone of %s becomes staff at the same time',
    async (was) => {
      const phone = newPhone()
      if (was === 'a customer') await shop.query('insert into users (phone) values ($1)', [phone])
      const { token } = await make({ phone })
      const client = await shop.app.pool.connect()
      await client.query('begin')
      await client.query(
        `insert into users (phone, role, vendor_id) values ($1, 'driver', 1)
       on conflict (phone) do update set role = 'driver', vendor_id = 1`,
        [phone],
      )
      const visitor = shop.visitor()
      const opening = open(token, visitor)
      await until('the link waits for the row', async () => (await lockWaits(shop)) > 0)
      await client.query('commit')
      client.release()
      expect((await opening).body).toMatchObject({ success: false, errorCode: 'INVALID_LINK' })
      expect((await visitor.call(getMe)).status).toBe(401)
      const [row] = await shop.query('select is_verified, last_login_at from users where phone = $1', [phone])
      expect(row).toEqual({ is_verified: false, last_login_at: null })
    },
  )

  it('is valid for a week at most', async () => {
    const { expiresAt } = await make({ phone: newPhone(), expiresInHours: 1_000 })
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(168 * 3600_000 + 5_000)
  })

  it("replaces another person's session only when it is used", async () => {
    const mine = newPhone()
    const visitor = await signInByCode(shop, mine)
    const before = visitor.cookies.get('sid')
    const theirs = newPhone()
    const { token } = await make({ phone: theirs })
    await look(token, visitor)
    expect((await visitor.call(getMe)).body.phone).toBe(mine)
    await open(token, visitor)
    expect((await visitor.call(getMe)).body.phone).toBe(theirs)
    const old = shop.visitor()
    old.cookies.set('sid', before ?? '')
    expect((await old.call(getMe)).status).toBe(401)
  })

  it('reports whether it is for the signed-in user, even if the masked phones are equal', async () => {
    const [own, alike] = ['+97333105678', '+97333905678']
    const visitor = await signInByCode(shop, own)
    const [mine, theirs] = [await make({ phone: own }), await make({ phone: alike })]
    const [seenMine, seenTheirs] = [(await look(mine.token, visitor)).body, (await look(theirs.token, visitor)).body]
    expect(seenMine.phone).toBe(seenTheirs.phone)
    expect([seenMine.isOwn, seenTheirs.isOwn]).toEqual([true, false])
    expect((await look(theirs.token)).body.isOwn).toBeNull()
    await shop.query(
      `update sessions set expires_at = now() - interval '1 second' where user_id = (select id from users where phone = $1)`,
      [own],
    )
    expect((await look(theirs.token, visitor)).body.isOwn).toBeNull()
  })

  it("keeps the visitor's cart", async () => {
    const productId = await makeProduct(shop, await makeVendor(shop))
    const visitor = shop.visitor()
    await visitor.call(addToCart, { body: { productId, quantity: 2 } })
    const { token } = await make({ phone: newPhone() })
    await open(token, visitor)
    expect((await visitor.call(getCart)).body.items).toMatchObject([{ productId, quantity: 2 }])
  })

  it('is rejected in requests from another site', async () => {
    const { token } = await make({ phone: newPhone() })
    const path = `/api/magic-link/verify/${token}`
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
    for (const headers of foreign) {
      const { status, refusal } = await shop.visitor().send('POST', path, { headers })
      expect([status, refusal.code]).toEqual([403, 'CROSS_ORIGIN'])
    }
    expect((await look(token)).body.success).toBe(true)
  })

  it('is stored only as a hash', async () => {
    const { token } = await make({ phone: newPhone() })
    expect(JSON.stringify(await shop.query('select * from magic_links'))).not.toContain(token)
  })
})

describe('redirect of a link', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '/%09/evil.example',
    'https:evil.example',
    'https://evil.example/orders',
    'javascript:alert(1)',
    '/orders\r\nSet-Cookie: a=b',
    '/\u2025/evil.example',
    '/orders/..//evil.example',
    '/magic-login/x',
    `/orders?${'x'.repeat(600)}`,
  ])('never to %j', async (redirectUrl) => {
    // Written directly, as if it had bypassed the validation.
    const { token } = await make({ phone: newPhone() })
    await shop.query('update magic_links set redirect_url = $1 where id = (select max(id) from magic_links)', [
      redirectUrl,
    ])
    expect((await open(token)).body.redirectUrl).toBe('/')
    const made = await make({ phone: newPhone(), redirectUrl })
    expect((await open(made.token)).body.redirectUrl).toBe('/')
  })

  it.each<[unknown, Record<string, string> | null]>([
    [
      { vendor: 3, ref: 'spring' },
      { vendor: '3', ref: 'spring' },
    ],
    ['{"vendor":3}', { vendor: '3' }],
    ['{bad json', null],
    [['a'], null],
    [null, null],
    [{ nested: { a: 1 } }, null],
    [{ redirectUrl: '//evil.example' }, null],
    [JSON.parse('{"__proto__": "x"}'), null],
    [{ a: 'x'.repeat(1_000_000) }, null],
  ])('with parameters %j', async (redirectParams, expected) => {
    const { token } = await make({ phone: newPhone(), redirectUrl: '/orders', redirectParams })
    expect((await open(token)).body).toEqual({
      success: true,
      errorCode: null,
      redirectUrl: '/orders',
      redirectParams: expected,
    })
  })
})
