import { getMe, verifyCode } from '@qatra/contract/users/auth'
import { startImpersonation } from '@qatra/contract/users/impersonation'
import * as api from '@qatra/contract/users/passkeys'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { softAuthenticator } from '../test/fixtures/authenticator.ts'
import { askForCode } from '../test/fixtures/codes.ts'
import { makeUser, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import type { Visitor } from '../test/visitor.ts'

let shop: TestShop
let origin: string
let vendorId: number
beforeAll(async () => {
  shop = await startShop()
  origin = shop.app.config.publicUrl
  vendorId = await makeVendor(shop)
})

const makeBoss = () => makeVisitor(shop, { role: 'super_admin' })

async function addTo(person: Visitor, more: Partial<Parameters<Authenticator['create']>[0]> = {}) {
  const authenticator = softAuthenticator()
  const { options } = (await person.call(api.startPasskey)).body
  const credential = authenticator.create({ options, origin, ...more })
  return {
    authenticator,
    credential,
    added: await person.call(api.addPasskey, { body: { name: 'Laptop', credential } }),
  }
}
type Authenticator = ReturnType<typeof softAuthenticator>

async function signInBy(authenticator: Authenticator, more: Partial<Parameters<Authenticator['get']>[0]> = {}) {
  const visitor = shop.visitor()
  const { options } = (await visitor.call(api.startPasskeySignIn)).body
  const credential = authenticator.get({ options, origin, ...more })
  return { visitor, credential, signedIn: await visitor.call(api.finishPasskeySignIn, { body: { credential } }) }
}
const codeOf = (answer: { status: number; refusal: { code: string } }) => [answer.status, answer.refusal.code]

async function signInWithCode(phone: string, recovery?: string) {
  await shop.query('delete from login_codes where phone = $1', [phone])
  const visitor = shop.visitor()
  const code = await askForCode(shop, visitor, phone)
  const body = { phone, code, ...(recovery === undefined ? {} : { recovery }) }
  return { visitor, answer: await visitor.call(verifyCode, { body }) }
}

describe('a passkey', () => {
  it('is added, listed, renamed, used and removed by its owner', async () => {
    const boss = await makeBoss()
    const { authenticator, added } = await addTo(boss)
    expect(added.status).toBe(200)
    // The browser finds the same authenticator again, and refuses it.
    expect((await boss.call(api.startPasskey)).body.options).toMatchObject({
      excludeCredentials: [{ id: authenticator.id, transports: ['internal'] }],
    })
    const params = { id: String(added.body.id) }
    await boss.call(api.renamePasskey, { params, body: { name: 'Phone' } })
    expect((await boss.call(api.listPasskeys)).body).toMatchObject([{ name: 'Phone', lastUsedAt: null }])
    const { visitor, signedIn } = await signInBy(authenticator)
    expect(signedIn.body.user.id).toBe(boss.id)
    expect((await visitor.call(getMe)).body.role).toBe('super_admin')
    expect((await boss.call(api.listPasskeys)).body[0]?.lastUsedAt).not.toBeNull()
    expect((await boss.call(api.removePasskey, { params })).status).toBe(200)
    expect(codeOf((await signInBy(authenticator)).signedIn)).toEqual([422, 'PASSKEY_INVALID'])
    const log = await shop.query<{ action: string }>(
      `select action from audit_log where resource = 'user' and resource_id = $1 and action like 'passkey-%' order by id`,
      [String(boss.id)],
    )
    expect(log.map(({ action }) => action)).toEqual(['passkey-added', 'passkey-renamed', 'passkey-removed'])
  })

  it('is added and removed only shortly after a sign-in, and never by a foreign session', async () => {
    const boss = await makeBoss()
    const { added } = await addTo(boss)
    const params = { id: String(added.body.id) }
    const other = await makeBoss()
    expect(codeOf(await other.call(api.removePasskey, { params }))).toEqual([404, 'PASSKEY_NOT_FOUND'])
    expect(codeOf(await other.call(api.renamePasskey, { params, body: { name: 'Mine' } }))).toEqual([
      ...[404, 'PASSKEY_NOT_FOUND'],
    ])
    const { options } = (await boss.call(api.startPasskey)).body
    const body = { name: 'Mine', credential: softAuthenticator().create({ options, origin }) }
    expect(codeOf(await other.call(api.addPasskey, { body }))).toEqual([422, 'PASSKEY_INVALID'])
    await shop.query(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [boss.id])
    expect(codeOf(await boss.call(api.startPasskey))).toEqual([403, 'SIGN_IN_OLD'])
    expect(codeOf(await boss.call(api.addPasskey, { body }))).toEqual([403, 'SIGN_IN_OLD'])
    expect(codeOf(await boss.call(api.removePasskey, { params }))).toEqual([403, 'SIGN_IN_OLD'])
  })

  it('is not added while impersonating', async () => {
    const boss = await makeBoss()
    const { id } = await makeUser(shop, { role: 'vendor_admin', vendorId })
    await boss.call(startImpersonation, { params: { userId: String(id) }, body: { reason: 'to see' } })
    expect((await boss.call(api.startPasskey)).refusal.code).toBe('IMPERSONATING')
  })

  it.each([
    ['of another site', { origin: 'https://evil.example', rpId: 'localhost' }],
    ['for another site', { rpId: 'evil.example' }],
    ['without a verified person', { isVerified: false }],
  ])('%s is refused, when it is added and when it is used', async (_, wrong) => {
    const boss = await makeBoss()
    expect(codeOf((await addTo(boss, wrong)).added)).toEqual([422, 'PASSKEY_INVALID'])
    const { authenticator } = await addTo(boss)
    expect(codeOf((await signInBy(authenticator, wrong)).signedIn)).toEqual([422, 'PASSKEY_INVALID'])
    expect((await signInBy(authenticator)).signedIn.status).toBe(200)
  })

  it('answers a challenge once, within five minutes, also after a failure', async () => {
    const boss = await makeBoss()
    const { authenticator, credential } = await addTo(boss)
    expect(codeOf(await boss.call(api.addPasskey, { body: { name: 'Again', credential } }))).toEqual([
      ...[422, 'PASSKEY_INVALID'],
    ])
    const first = await signInBy(authenticator)
    const replay = { body: { credential: first.credential } }
    expect(codeOf(await shop.visitor().call(api.finishPasskeySignIn, replay))).toEqual([422, 'PASSKEY_INVALID'])

    const visitor = shop.visitor()
    const { options } = (await visitor.call(api.startPasskeySignIn)).body
    const wrong = authenticator.get({ options, origin: 'https://evil.example' })
    const right = { body: { credential: authenticator.get({ options, origin }) } }
    await visitor.call(api.finishPasskeySignIn, { body: { credential: wrong } })
    expect(codeOf(await visitor.call(api.finishPasskeySignIn, right))).toEqual([422, 'PASSKEY_INVALID'])

    const { options: late } = (await visitor.call(api.startPasskeySignIn)).body
    await shop.query('update passkey_challenges set expires_at = now()')
    const expired = { body: { credential: authenticator.get({ options: late, origin }) } }
    expect(codeOf(await visitor.call(api.finishPasskeySignIn, expired))).toEqual([422, 'PASSKEY_INVALID'])
  })

  it('signs in once for 20 equal requests at once', async () => {
    const { authenticator } = await addTo(await makeBoss())
    const visitor = shop.visitor()
    const { options } = (await visitor.call(api.startPasskeySignIn)).body
    const body = { credential: authenticator.get({ options, origin }) }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.visitor().call(api.finishPasskeySignIn, { body })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('of another person, with a foreign signature or a counter that goes back is refused', async () => {
    const boss = await makeBoss()
    const { authenticator } = await addTo(boss)
    const { authenticator: foreign } = await addTo(await makeBoss())
    const visitor = shop.visitor()
    const { options } = (await visitor.call(api.startPasskeySignIn)).body
    const claimed = { ...foreign.get({ options, origin }), id: authenticator.id, rawId: authenticator.id }
    expect(codeOf(await visitor.call(api.finishPasskeySignIn, { body: { credential: claimed } }))).toEqual([
      ...[422, 'PASSKEY_INVALID'],
    ])
    expect((await signInBy(authenticator)).signedIn.status).toBe(200)
    authenticator.setCounter(1)
    expect(codeOf((await signInBy(authenticator)).signedIn)).toEqual([422, 'PASSKEY_INVALID'])
    authenticator.setCounter(50)
    expect((await signInBy(authenticator)).signedIn.status).toBe(200)
    await shop.query('update users set is_active = false where id = $1', [boss.id])
    expect(codeOf((await signInBy(authenticator)).signedIn)).toEqual([422, 'PASSKEY_INVALID'])
  })
})

describe('the code of a phone', () => {
  it('signs in a super admin without a passkey, and staff with one, but no super admin with one', async () => {
    const boss = await makeBoss()
    const staff = await makeVisitor(shop, { role: 'vendor_admin', vendorId })
    expect((await signInWithCode(boss.phone)).answer.status).toBe(200)
    await addTo(boss)
    await addTo(staff)
    const { visitor, answer } = await signInWithCode(boss.phone)
    expect([codeOf(answer), visitor.cookies.has('sid')]).toEqual([[403, 'PASSKEY_REQUIRED'], false])
    expect((await signInWithCode(staff.phone)).answer.status).toBe(200)
  })

  it('signs in with the one-time code of the console, which removes the passkeys', async () => {
    const boss = await makeBoss()
    const { authenticator } = await addTo(boss)
    await signInWithCode(boss.phone)
    const printed = () => /: ([A-Z2-9-]{19})$/.exec(shop.said.findLast((line) => line.includes(boss.phone)) ?? '')?.[1]
    const first = printed() ?? ''
    expect(codeOf((await signInWithCode(boss.phone, 'AAAA-BBBB-CCCC-DDDD')).answer)).toEqual([403, 'PASSKEY_REQUIRED'])
    // A newer code replaces it.
    expect(codeOf((await signInWithCode(boss.phone, first)).answer)).toEqual([403, 'PASSKEY_REQUIRED'])
    expect((await signInWithCode(boss.phone, printed())).answer.status).toBe(200)
    expect(codeOf((await signInBy(authenticator)).signedIn)).toEqual([422, 'PASSKEY_INVALID'])
    expect((await signInWithCode(boss.phone)).answer.status).toBe(200)
  })
})

describe('recovery by two others', () => {
  it('removes the passkeys and ends the sessions at the second confirmation, by two different people', async () => {
    const [boss, one, two] = [await makeBoss(), await makeBoss(), await makeBoss()]
    const params = { id: String(boss.id) }
    const confirm = async (by: Visitor) => (await by.call(api.confirmRecovery, { params })).body
    expect((await one.call(api.confirmRecovery, { params })).refusal.code).toBe('PASSKEY_NOT_FOUND')
    await addTo(boss)
    expect((await boss.call(api.confirmRecovery, { params })).refusal.code).toBe('USER_NOT_FOUND')
    expect(await confirm(one)).toEqual({ confirmations: 1, removed: false })
    expect(await confirm(one)).toEqual({ confirmations: 1, removed: false })
    expect(await confirm(two)).toEqual({ confirmations: 2, removed: true })
    expect((await boss.call(getMe)).status).toBe(401)
    expect((await signInWithCode(boss.phone)).answer.status).toBe(200)
  })

  it('does not count a confirmation of a day ago, or of somebody who is no super admin any more', async () => {
    const [boss, one, two, three] = [await makeBoss(), await makeBoss(), await makeBoss(), await makeBoss()]
    await addTo(boss)
    const params = { id: String(boss.id) }
    await one.call(api.confirmRecovery, { params })
    await shop.query(`update passkey_challenges set expires_at = now() where confirmed_by = $1`, [one.id])
    await two.call(api.confirmRecovery, { params })
    await shop.query(`update users set role = 'customer' where id = $1`, [two.id])
    expect((await three.call(api.confirmRecovery, { params })).body).toEqual({ confirmations: 1, removed: false })
  })
})
