import type { IncomingHttpHeaders } from 'node:http'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '../database/transaction.ts'
import { sha256 } from '../lib/secrets.ts'
import { startShop } from '../test/app.ts'
import { makeUser, makeVisitor } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'
import { authenticate, readCredentials } from './authenticate.ts'
import { cookieNames, newSessionCookie } from './session-cookie.ts'

const shop = await startShop({ role: 'web', databasePoolSize: 10 })
const [guest, user] = [newSessionCookie('guest'), newSessionCookie('user')]
const read = (headers: IncomingHttpHeaders, isSecure = false) =>
  readCredentials({ cookies: cookieNames(isSecure) }, { headers, ip: '127.0.0.1' })

describe('readCredentials', () => {
  it.each([
    ['no cookie', '', false, [null, null]],
    ['a visitor', `sid=${guest}`, false, [null, sha256(guest)]],
    ['a session', `lang=en; sid=${user}; did=x`, false, [sha256(user), null]],
    ['two sessions, of which the first counts', `sid=${user}; sid=${guest}`, false, [sha256(user), null]],
    ['another prefix', `sid=a.${user.slice(2)}`, false, [null, null]],
    ['a short value', `sid=${user.slice(0, -1)}`, false, [null, null]],
    ['a long value', `sid=${user}A`, false, [null, null]],
    ['a name that ends with sid', `xsid=${user}`, false, [null, null]],
    ['the http name over https', `sid=${user}`, true, [null, null]],
    ['the https name', `__Host-sid=${user}`, true, [sha256(user), null]],
  ] as const)('returns session and guest cart of a request with %s', (_, cookie, isSecure, ids) => {
    const { client, visitor } = read({ cookie }, isSecure)
    expect([client.sessionId, visitor.guestSession]).toEqual(ids)
    expect([visitor.user, visitor.impersonator]).toEqual([null, null])
  })

  it('returns the language of the cookie, else of Accept-Language, else Arabic', () => {
    const langs = [
      { cookie: 'lang=ar', 'accept-language': 'en' },
      { 'accept-language': 'en-GB' },
      { 'accept-language': 'fr' },
    ].map((headers) => read(headers).visitor.lang)
    expect(langs).toEqual(['ar', 'en', 'ar'])
  })

  it.each([
    ['', null],
    [['a', 'b'], null],
    ['key', 'key'],
  ])('turns the idempotency key %j into %j', (sent, key) => {
    expect(read({ 'idempotency-key': sent }).client.idempotencyKey).toBe(key)
  })
})

describe('authenticate', () => {
  const credentialsOf = ({ cookies }: Visitor) => read({ cookie: `sid=${cookies.get('sid')}` })
  const actorOf = async (visitor: Visitor) => (await authenticate(shop.app, shop.app.db, credentialsOf(visitor))).actor

  it('returns the user of a session and the time of the transaction', async () => {
    const staff = await makeVisitor(shop, { role: 'vendor_staff', vendorId: 1 })
    const [{ actor, now }, rows] = await inTransaction(shop.app.pool, async (db) => [
      await authenticate(shop.app, db, credentialsOf(staff)),
      (await db.$client.query<{ now: Date }>('select now()')).rows,
    ])
    expect(actor).toMatchObject({ user: { id: staff.id, role: 'vendor_staff', vendorId: 1 }, impersonator: null })
    expect([{ now }]).toEqual(rows)
  })

  it('returns a visitor with the cart of the cookie, and the time of the transaction', async () => {
    const [{ actor, now }, rows] = await inTransaction(shop.app.pool, async (db) => [
      await authenticate(shop.app, db, read({ cookie: `sid=${guest}` })),
      (await db.$client.query<{ now: Date }>('select now()')).rows,
    ])
    expect(actor).toMatchObject({ user: null, guestSession: sha256(guest) })
    expect([{ now }]).toEqual(rows)
  })

  it.each([
    ['expired', `update sessions set expires_at = now() - interval '1 minute' where user_id = $1`],
    ['deleted', `delete from sessions where user_id = $1`],
    ['deactivated', `update users set is_active = false where id = $1`],
  ])('returns a visitor when session or user is %s', async (_, change) => {
    const customer = await makeVisitor(shop)
    expect((await actorOf(customer)).user?.id).toBe(customer.id)
    await shop.query(change, [customer.id])
    expect(await actorOf(customer)).toMatchObject({ user: null, guestSession: null, impersonator: null })
  })

  it('returns both people of an impersonation', async () => {
    const [admin, customer] = [await makeVisitor(shop, { role: 'super_admin' }), await makeUser(shop)]
    await admin.call(startImpersonation, {
      params: { userId: String(customer.id) },
      body: { reason: 'Customer cannot find the order' },
    })
    expect(await actorOf(admin)).toMatchObject({ user: { id: customer.id }, impersonator: { id: admin.id } })
  })
})
