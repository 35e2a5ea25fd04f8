import type { Input } from '@qatra/contract/endpoint'
import { createLink, deleteLink, generateLink, listLinks, revokeLink } from '@qatra/contract/links/admin'
import { getLinkStatus, verifyLink } from '@qatra/contract/links/links'
import { getMe } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { inbox, newPhone, until } from '../test/fixtures/codes.ts'
import { makeUser } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let admin: Visitor
beforeAll(async () => {
  shop = await startShop()
  admin = await shop.visitor().signInAs('+97336000001')
})

const make = async (body: Input<typeof createLink>['body']) => (await admin.call(createLink, { body })).body
const open = (token: string, visitor = shop.visitor()) => visitor.call(verifyLink, { params: { token } })
const find = async (phone: string) => {
  const { body } = await admin.call(listLinks, { query: { search: phone } })
  return body.items
}
const only = async (phone: string) => {
  const [link] = await find(phone)
  if (!link) throw new Error('No link')
  return link
}

describe('creating a link in the admin area', () => {
  it('returns URL, token and expiry, and never shows the token again', async () => {
    const phone = newPhone()
    for (const endpoint of [createLink, generateLink]) {
      const { status, body } = await admin.call(endpoint, {
        body: { phone, redirectUrl: '/orders', redirectParams: { from: 'office' }, expiresInHours: 48 },
      })
      expect(status).toBe(200)
      expect(Object.keys(body).sort()).toEqual(['expiresAt', 'token', 'url'])
      expect(body.url).toBe(`http://localhost:3000/magic-login/${body.token}`)
      expect(body.token).toMatch(/^[\w-]{43}$/)
      expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - 48 * 3600_000)).toBeLessThan(60_000)
      expect(JSON.stringify(await find(phone))).not.toContain(body.token)
      const logged = await shop.query(`select * from audit_log where resource = 'magic-link'`)
      expect(JSON.stringify(logged)).not.toContain(body.token)
      expect(JSON.stringify(logged)).not.toContain(phone)
    }
    expect((await find(phone)).map(({ state }) => state)).toEqual(['live', 'live'])
  })

  it('expires after a day by default and after a week at most', async () => {
    const { expiresAt } = await make({ phone: newPhone() })
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 24 * 3600_000)).toBeLessThan(60_000)
    for (const expiresInHours of [0, -1, 169, 1.5, '24', null, Number.MAX_SAFE_INTEGER]) {
      const answer = await admin.send('POST', createLink.path, { body: { phone: newPhone(), expiresInHours } })
      expect([expiresInHours, answer.status, Object.keys(answer.refusal.details.fields ?? {})]).toEqual([
        expiresInHours,
        422,
        ['expiresInHours'],
      ])
    }
  })

  it("logs the creator and masks the recipient's phone", async () => {
    const phone = newPhone()
    await make({ phone })
    const { id } = await only(phone)
    const [line] = await shop.query(
      `select a.action, u.phone, a.new_values from audit_log a join users u on u.id = a.user_id
       where resource = 'magic-link' and resource_id = $1`,
      [String(id)],
    )
    expect(line).toMatchObject({
      action: 'created',
      phone: '+97336000001',
      new_values: { phone: `+973 **** ${phone.slice(-4)}` },
    })
  })

  it.each(['vendor_admin', 'vendor_staff', 'vendor_sales', 'driver', 'super_admin'] as const)(
    'is refused for a %s and stores nothing',
    async (role) => {
      const { phone } = await makeUser(shop, { role, ...(role === 'super_admin' ? {} : { vendorId: 1 }) })
      const { status, refusal } = await admin.call(createLink, { body: { phone, send: true } })
      expect([status, refusal.code]).toEqual([422, 'STAFF_PHONE'])
      expect(await find(phone)).toEqual([])
    },
  )

  it('is refused for a deactivated account', async () => {
    const { phone } = await makeUser(shop)
    await shop.query('update users set is_active = false where phone = $1', [phone])
    expect((await admin.call(createLink, { body: { phone } })).refusal.code).toBe('CUSTOMER_SWITCHED_OFF')
    expect(await find(phone)).toEqual([])
  })

  it('creates the customer of an unknown phone only on use', async () => {
    const phone = newPhone()
    const { token } = await make({ phone })
    expect(await shop.query('select 1 from users where phone = $1', [phone])).toEqual([])
    expect((await only(phone)).customer).toBeNull()
    const visitor = shop.visitor()
    expect((await open(token, visitor)).body.success).toBe(true)
    expect((await visitor.call(getMe)).body).toMatchObject({ phone, role: 'customer' })
    expect(await only(phone)).toMatchObject({ state: 'used', customer: { name: null }, can: { revoke: false } })
  })
})

describe('the list of links', () => {
  it('shows the four states, masked, with the creator', async () => {
    const phones = { live: newPhone(), used: newPhone(), expired: newPhone(), revoked: newPhone() }
    for (const phone of Object.values(phones)) await make({ phone })
    await shop.query(`update magic_links set expires_at = now() - interval '1 second' where phone = $1`, [
      phones.expired,
    ])
    await shop.query(
      `update magic_links set used = true, used_at = now(), expires_at = now() - interval '1 second' where phone = $1`,
      [phones.used],
    )
    await admin.call(revokeLink, { params: { id: String((await only(phones.revoked)).id) } })
    for (const [state, phone] of Object.entries(phones)) {
      const link = await only(phone)
      expect(link).toMatchObject({
        state,
        phone: `+973 **** ${phone.slice(-4)}`,
        createdBy: { name: expect.any(String) },
      })
      const { body } = await admin.call(listLinks, { query: { state: state as 'live', limit: 100 } })
      expect(body.items.map(({ id }) => id)).toContain(link.id)
      expect(new Set(body.items.map((one) => one.state))).toEqual(new Set([state]))
    }
  })

  it('finds links by phone in any format, by name and by creator', async () => {
    const { phone } = await makeUser(shop)
    await shop.query(`update users set name = 'Zaynab Haddad' where phone = $1`, [phone])
    await make({ phone })
    const national = phone.slice(4)
    for (const search of [phone, national, `${national.slice(0, 4)} ${national.slice(4)}`, 'zaynab', 'haddad'])
      expect([search, (await find(search)).length]).toEqual([search, 1])
    expect(await find('%')).toEqual([])
    const mine = await admin.call(listLinks, { query: { createdBy: '1', limit: 100 } })
    expect(mine.body.total).toBe(mine.body.items.length)
    const nobodys = await admin.call(listLinks, { query: { createdBy: '2000000000' } })
    expect(nobodys.body).toMatchObject({ items: [], total: 0 })
  })

  it('is paginated, newest first', async () => {
    const one = (await admin.call(listLinks, { query: { limit: 2, page: 1 } })).body
    const two = (await admin.call(listLinks, { query: { limit: 2, page: 2 } })).body
    const ids = [...one.items, ...two.items].map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(new Set(ids).size).toBe(4)
    expect(one.total).toBe(two.total)
  })
})

describe('revoking', () => {
  it('invalidates the link once and logs it once', async () => {
    const phone = newPhone()
    const { token } = await make({ phone })
    const id = String((await only(phone)).id)
    for (const endpoint of [revokeLink, deleteLink, revokeLink]) {
      const { status, body } = await admin.call(endpoint, { params: { id } })
      expect([status, body.state]).toEqual([200, 'revoked'])
    }
    expect((await open(token)).body).toMatchObject({ success: false, errorCode: 'INVALID_LINK' })
    const lines = await shop.query(
      `select 1 from audit_log where resource = 'magic-link' and action = 'revoked' and resource_id = $1`,
      [id],
    )
    expect(lines).toHaveLength(1)
  })

  it('returns 409 with the state for a used or expired link', async () => {
    const [used, expired] = [newPhone(), newPhone()]
    await open((await make({ phone: used })).token)
    await make({ phone: expired })
    await shop.query(`update magic_links set expires_at = now() - interval '1 second' where phone = $1`, [expired])
    for (const [phone, state] of [
      [used, 'used'],
      [expired, 'expired'],
    ] as const) {
      const { status, refusal } = await admin.call(revokeLink, { params: { id: String((await only(phone)).id) } })
      expect([status, refusal.code, refusal.details['state']]).toEqual([409, 'LINK_CLOSED', state])
    }
  })

  it('concurrently with opening succeeds for exactly one of the two', async () => {
    for (let round = 0; round < repeated(25, 6); round += 1) {
      const phone = newPhone()
      const { token } = await make({ phone })
      const id = String((await only(phone)).id)
      const [opened, revoked] = await Promise.all([open(token), admin.call(revokeLink, { params: { id } })])
      expect([opened.body.success, revoked.status]).toEqual(opened.body.success ? [true, 409] : [false, 200])
    }
  })
})

describe('sending a link', () => {
  const messageTo = (phone: string) => until('the message', async () => (await inbox(shop, phone))[0])

  it("delivers it to the phone in the person's language, and it signs in", async () => {
    for (const language of ['en', 'ar']) {
      const { phone } = await makeUser(shop)
      await shop.query('update users set language = $2 where phone = $1', [phone, language])
      const { url, token } = await make({ phone, send: true })
      const { body: text, channel } = await messageTo(phone)
      expect(channel).toBe('whatsapp')
      expect(text).toContain(url)
      expect(/\p{Script=Arabic}/u.test(text)).toBe(language === 'ar')
      await until('the receipt', async () => (await only(phone)).sending === 'delivered')
      expect((await open(token)).body.success).toBe(true)
    }
  })

  it('falls back to SMS when WhatsApp fails', async () => {
    // The simulator refuses this ending. Not every number that begins with 3 is a mobile.
    const phone = '+97336559990'
    const { url } = await make({ phone, send: true })
    const message = await messageTo(phone)
    expect([message.channel, message.body.includes(url)]).toEqual(['sms', true])
  })

  it('keeps the token out of job payloads and stored messages', async () => {
    const phone = newPhone()
    const { token } = await make({ phone, send: true })
    await messageTo(phone)
    const kept = await shop.query(
      `select data::text as text from pgboss.job where name = 'send-link'
       union all select content from whatsapp_messages where to_number = $1`,
      [phone],
    )
    expect(kept.length).toBeGreaterThan(1)
    expect(JSON.stringify(kept)).not.toContain(token)
    expect((await admin.call(getLinkStatus, { params: { token } })).body.success).toBe(true)
  })

  it('is refused for an unreachable phone, and no link is created', async () => {
    for (const phone of ['+97317123456', '+12025550123', '+442079460000']) {
      const { status, refusal } = await admin.call(createLink, { body: { phone, send: true } })
      expect([phone, status, refusal.code]).toEqual([phone, 422, 'CUSTOMER_NOT_REACHABLE'])
      expect(await find(phone)).toEqual([])
    }
  })
})
