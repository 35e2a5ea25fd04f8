import { getMe, verifyCode, verifyPhone } from '@qatra/contract/users/auth'
import { describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { askForCode, newPhone, signInByCode, tryCode, WRONG } from '../test/fixtures/codes.ts'
import type { Visitor } from '../test/visitor.ts'
import { printOwnerClaimCode } from './claims.commands.ts'

const claimWith = (visitor: Visitor, body: { phone: string; code: string; claim: string }) =>
  visitor.call(verifyCode, { body })

/** Starts without demo data, so that there is no super admin. */
async function startReal(adminPhone: string | null = null): Promise<{ shop: TestShop; claim: string | undefined }> {
  const shop = await startShop({ seedDemo: false, adminPhone })
  await shop.query(`update users set role = 'customer' where role = 'super_admin'`)
  await printOwnerClaimCode(shop.app)
  return { shop, claim: claimsOf(shop.said) }
}

const claimsOf = (said: readonly string[]) => said.flatMap((line) => /#claim=([\w-]+)/.exec(line)?.[1] ?? []).at(-1)

describe('the first super admin', () => {
  it('is who has the link of the console and the code of the phone; the link works once, with the right code', async () => {
    const { shop, claim = '' } = await startReal()
    expect(claim).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    const rows = JSON.stringify(await shop.query('select * from owner_claims'))
    expect(rows).not.toContain(claim.replaceAll('-', ''))
    expect(shop.said).toContain(`  http://localhost:3000/login?redirect=/admin/setup#claim=${claim}`)
    const phone = newPhone()
    const owner = shop.visitor()
    // The link alone is no code.
    expect((await tryCode(owner, phone, claim)).refusal.code).toBe('INVALID_BODY')
    const code = await askForCode(shop, owner, phone)
    const wrong = await claimWith(owner, { phone, code: WRONG, claim })
    expect([wrong.status, wrong.refusal.code]).toEqual([422, 'INVALID_CODE'])
    const stranger = newPhone()
    const mixed = await claimWith(shop.visitor(), { phone: stranger, code, claim })
    expect(mixed.refusal.code).toBe('INVALID_CODE')
    expect(await shop.query(`select 1 from users where role = 'super_admin'`)).toEqual([])
    const { status, body } = await claimWith(owner, { phone, code, claim: claim.toLowerCase() })
    expect([status, body.user.role]).toEqual([200, 'super_admin'])
    expect((await owner.call(getMe)).body).toMatchObject({ phone, role: 'super_admin' })

    const second = shop.visitor()
    const asked = await second.call(verifyPhone, { body: { phone: stranger, claim } })
    expect([asked.status, asked.refusal.code]).toEqual([422, 'CLAIM_CLOSED'])
    const late = await askForCode(shop, second, stranger)
    const refused = await claimWith(second, { phone: stranger, code: late, claim })
    expect([refused.status, refused.refusal.code]).toEqual([422, 'CLAIM_CLOSED'])
    // The code was not tried, so it signs in as a customer.
    expect((await tryCode(second, stranger, late)).body.user.role).toBe('customer')
    const audit = await shop.query(`select new_values from audit_log where action = 'updated' and resource = 'user'`)
    expect(audit).toEqual([{ new_values: { role: 'super_admin' } }])
  })

  it('is one of several concurrent claims, each with its right code', async () => {
    const { shop, claim = '' } = await startReal()
    const people = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const [phone, visitor] = [newPhone(), shop.visitor()]
        return { phone, visitor, code: await askForCode(shop, visitor, phone) }
      }),
    )
    const answers = await Promise.all(people.map(({ visitor, ...mine }) => claimWith(visitor, { ...mine, claim })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.flatMap(({ status, refusal }) => (status === 200 ? [] : [refusal.code]))).toEqual(
      Array(5).fill('CLAIM_CLOSED'),
    )
    expect(await shop.query(`select id from users where role = 'super_admin'`)).toHaveLength(1)
  })

  it('cannot claim with an earlier, wrong or late link, and five wrong codes end the code, not the link', async () => {
    const { shop, claim = '' } = await startReal()
    await printOwnerClaimCode(shop.app)
    const [phone, visitor] = [newPhone(), shop.visitor()]
    const code = await askForCode(shop, visitor, phone)
    for (const one of [claim, 'A'.repeat(16)])
      expect((await claimWith(visitor, { phone, code, claim: one })).refusal.code).toBe('CLAIM_CLOSED')
    const latest = claimsOf(shop.said) ?? ''
    const tries = []
    for (let i = 0; i < 6; i += 1) tries.push(await claimWith(visitor, { phone, code: WRONG, claim: latest }))
    expect(tries.map(({ refusal }) => refusal.code)).toEqual([
      ...Array(4).fill('INVALID_CODE'),
      'TOO_MANY_TRIES',
      'TOO_MANY_TRIES',
    ])
    expect((await claimWith(visitor, { phone, code, claim: latest })).refusal.code).toBe('TOO_MANY_TRIES')
    const fresh = await askForCode(shop, visitor, phone)
    await shop.query(`insert into users (phone, role) values ('+97333999001', 'super_admin')`)
    expect((await claimWith(visitor, { phone, code: fresh, claim: latest })).refusal.code).toBe('CLAIM_CLOSED')
    const lines = shop.said.length
    await printOwnerClaimCode(shop.app)
    expect(shop.said).toHaveLength(lines)
  })

  it('is ADMIN_PHONE at its first sign-in, without a console code', async () => {
    const { shop, claim } = await startReal('+97333555001')
    expect(claim).toBeUndefined()
    const stranger = await signInByCode(shop, newPhone())
    expect((await stranger.call(getMe)).body.role).toBe('customer')
    const admin = await signInByCode(shop, '+97333555001')
    expect((await admin.call(getMe)).body.role).toBe('super_admin')
  })

  it('is not ADMIN_PHONE if there is a super admin already', async () => {
    const { shop } = await startReal('+97333555002')
    await shop.query(`insert into users (phone, role) values ('+97333999001', 'super_admin')`)
    const late = await signInByCode(shop, '+97333555002')
    expect((await late.call(getMe)).body.role).toBe('customer')
  })
})
