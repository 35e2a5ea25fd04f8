import { getMe } from '@qatra/contract/users/auth'
import { describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { newPhone, signInByCode, tryCode } from '../test/fixtures/codes.ts'
import { printOwnerClaimCode } from './claims.commands.ts'

/** Starts without demo data, so that there is no super admin. */
async function startReal(adminPhone: string | null = null): Promise<{ shop: TestShop; claim: string | undefined }> {
  const shop = await startShop({ seedDemo: false, adminPhone })
  await shop.query(`update users set role = 'customer' where role = 'super_admin'`)
  await printOwnerClaimCode(shop.app)
  return { shop, claim: /"code": "([\w-]+)"/.exec(shop.said.at(-1) ?? '')?.[1] }
}

describe('the first super admin', () => {
  it('is the holder of the console code, which works once', async () => {
    const { shop, claim = '' } = await startReal()
    expect(claim).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    expect(shop.said).toContain(`  http://localhost:3000/login?redirect=/admin/setup#claim=${claim}`)
    const phone = newPhone()
    const owner = shop.visitor()
    const { status, body } = await tryCode(owner, phone, claim.toLowerCase())
    expect([status, body.user.role]).toEqual([200, 'super_admin'])
    expect((await owner.call(getMe)).body).toMatchObject({ phone, role: 'super_admin' })
    const second = await tryCode(shop.visitor(), newPhone(), claim)
    expect([second.status, second.refusal.code]).toEqual([422, 'INVALID_CODE'])
    const audit = await shop.query(`select new_values from audit_log where action = 'updated' and resource = 'user'`)
    expect(audit).toEqual([{ new_values: { role: 'super_admin' } }])
  })

  it('is one of twenty concurrent claims', async () => {
    const { shop, claim = '' } = await startReal()
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryCode(shop.visitor(), newPhone(), claim)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await shop.query(`select id from users where role = 'super_admin'`)).toHaveLength(1)
  })

  it('cannot be claimed with an earlier, wrong or late code', async () => {
    const { shop, claim = '' } = await startReal()
    await printOwnerClaimCode(shop.app)
    expect((await tryCode(shop.visitor(), newPhone(), claim)).status).toBe(422)
    expect((await tryCode(shop.visitor(), newPhone(), 'A'.repeat(16))).status).toBe(422)
    const latest = /"code": "([\w-]+)"/.exec(shop.said.at(-1) ?? '')?.[1] ?? ''
    await shop.query(`insert into users (phone, role) values ('+97333999001', 'super_admin')`)
    expect((await tryCode(shop.visitor(), newPhone(), latest)).status).toBe(422)
    const lines = shop.said.length
    await printOwnerClaimCode(shop.app)
    expect(shop.said).toHaveLength(lines)
  })

  it('has a code that is stored as a hash only', async () => {
    const { shop, claim = '' } = await startReal()
    const rows = JSON.stringify(await shop.query('select * from owner_claims'))
    expect(rows).not.toContain(claim)
    expect(rows).not.toContain(claim.replaceAll('-', ''))
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
