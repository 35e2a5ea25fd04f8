import { getMe, verifyCode, verifyPhone } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { askForCode, inbox, newPhone, signInByCode, tryCode, until, WRONG } from '../test/fixtures/codes.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await startShop({ databasePoolSize: 20 })
})

const usersWith = (phone: string) => shop.query('select * from users where phone = $1', [phone])

describe('sign-in by code', () => {
  it('creates a customer at the right code, and not before', async () => {
    const visitor = shop.visitor()
    const phone = newPhone()
    const code = await askForCode(shop, visitor, phone)
    expect(await usersWith(phone)).toEqual([])
    const { status, body } = await tryCode(visitor, phone, code)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, user: { phone, role: 'customer', isVerified: true, language: 'ar' } })
    expect((await visitor.call(getMe)).body).toMatchObject({ phone, name: null, mapCoordinates: null })
  })

  it('stores the language in which the code was requested', async () => {
    const visitor = shop.visitor()
    const phone = newPhone()
    await visitor.call(verifyPhone, { body: { phone, language: 'en' } })
    const message = await until('the code', async () => (await inbox(shop, phone))[0])
    // The line of the host is for SMS, which a browser reads.
    expect(message.body).toMatch(/^\d{4} is your Qatra sign-in code\.\n[^\n@#]+$/)
    const { body } = await tryCode(visitor, phone, message.body.slice(0, 4))
    expect(body.user.language).toBe('en')
  })

  it('finds the same person for every spelling of the phone', async () => {
    const first = await signInByCode(shop, '+97333777001')
    const second = await signInByCode(shop, '00973 3377-7001')
    expect((await first.call(getMe)).body.id).toBe((await second.call(getMe)).body.id)
  })

  it.each([
    ['٤٣٢١ in Arabic digits', (code: string) => code.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)))],
    ['Persian digits', (code: string) => code.replace(/\d/g, (digit) => '۰۱۲۳۴۵۶۷۸۹'.charAt(Number(digit)))],
    ['a paste with spaces and marks', (code: string) => ` \u2067${code.slice(0, 2)} ${code.slice(2)}\u2069\n`],
    ['a paste with a dash', (code: string) => `${code.slice(0, 2)}-${code.slice(2)}`],
  ])('accepts %s', async (_, written) => {
    const visitor = shop.visitor()
    const phone = newPhone()
    const { status } = await tryCode(visitor, phone, written(await askForCode(shop, visitor, phone)))
    expect(status).toBe(200)
  })

  it('refuses and counts a wrong code', async () => {
    const visitor = shop.visitor()
    const phone = newPhone()
    const code = await askForCode(shop, visitor, phone)
    const { status, refusal } = await tryCode(visitor, phone, WRONG)
    expect([status, refusal.code]).toEqual([422, 'INVALID_CODE'])
    const [row] = await shop.query('select attempts from login_codes where phone = $1', [phone])
    expect(row).toEqual({ attempts: 1 })
    expect((await tryCode(visitor, phone, code)).status).toBe(200)
  })

  it('blocks the code after five wrong attempts until a new one is requested', async () => {
    const visitor = shop.visitor()
    const phone = newPhone()
    const code = await askForCode(shop, visitor, phone)
    for (let n = 1; n < 5; n++) expect((await tryCode(visitor, phone, WRONG)).status).toBe(422)
    const fifth = await tryCode(visitor, phone, WRONG)
    expect([fifth.status, fifth.refusal.code]).toEqual([429, 'TOO_MANY_TRIES'])
    expect(Number(fifth.headers['retry-after'])).toBeGreaterThan(0)
    expect(fifth.refusal.details['retryAfter']).toBe(Number(fifth.headers['retry-after']))
    const right = await tryCode(visitor, phone, code)
    expect([right.status, right.refusal.code]).toEqual([429, 'TOO_MANY_TRIES'])
    expect((await tryCode(visitor, phone, await askForCode(shop, visitor, phone))).status).toBe(200)
  })

  it('refuses a used, replaced, expired, foreign or unknown code', async () => {
    const [visitor, phone, other] = [shop.visitor(), newPhone(), newPhone()]
    const first = await askForCode(shop, visitor, phone)
    await shop.query(`update login_codes set code_hash = 'x' || code_hash where phone = $1`, [phone])
    const second = await askForCode(shop, visitor, phone)
    const life = `select extract(epoch from expires_at - created_at)::int as seconds from login_codes where phone = $1`
    expect(await shop.query(life, [phone])).toEqual([{ seconds: 300 }, { seconds: 300 }])
    if (first !== second) expect((await tryCode(visitor, phone, first)).refusal.code).toBe('INVALID_CODE')
    expect((await tryCode(visitor, other, second)).refusal.code).toBe('INVALID_CODE')
    await shop.query(`update login_codes set expires_at = now() - interval '1 second' where phone = $1`, [phone])
    expect((await tryCode(visitor, phone, second)).refusal.code).toBe('INVALID_CODE')
    const third = await askForCode(shop, visitor, phone)
    expect((await tryCode(visitor, phone, third)).status).toBe(200)
    expect((await tryCode(shop.visitor(), phone, third)).refusal.code).toBe('INVALID_CODE')
  })

  it('creates one session for one code used fifty times at once', async () => {
    const phone = newPhone()
    const code = await askForCode(shop, shop.visitor(), phone)
    const answers = await Promise.all(Array.from({ length: 50 }, () => tryCode(shop.visitor(), phone, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const sessions = await shop.query(
      'select s.id from sessions s join users u on u.id = s.user_id where u.phone = $1',
      [phone],
    )
    expect(sessions).toHaveLength(1)
  })

  it('leaves one valid code after twenty parallel requests', async () => {
    const phone = newPhone()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.visitor().call(verifyPhone, { body: { phone } })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const live = await shop.query('select id from login_codes where phone = $1 and replaced_at is null', [phone])
    expect(live).toHaveLength(1)
  })

  it('reveals a deactivated account only to the right code', async () => {
    const phone = newPhone()
    await signInByCode(shop, phone)
    await shop.query('update users set is_active = false where phone = $1', [phone])
    const visitor = shop.visitor()
    const code = await askForCode(shop, visitor, phone)
    expect((await tryCode(visitor, phone, WRONG)).refusal.code).toBe('INVALID_CODE')
    expect((await tryCode(visitor, phone, code)).refusal.code).toBe('FORBIDDEN')
    expect((await visitor.call(getMe)).status).toBe(401)
  })
})

describe('invalid input', () => {
  it.each([
    ['1234567', 'at least 8 digits'],
    ['1234567890123456', 'too long'],
    ['3600x123', 'only digits and optional +'],
  ])('phone %s: %s', async (phone, words) => {
    const { status, refusal } = await shop
      .visitor()
      .call(verifyPhone, { body: { phone } }, { 'accept-language': 'en-GB' })
    expect([status, refusal.code]).toEqual([422, 'INVALID_BODY'])
    expect(refusal.details.fields?.['phone']).toContain(words)
  })

  it.each(['123', '1234567', '12a4', '', '١٢٣'])('code %j gets the message in Arabic', async (code) => {
    const { status, refusal } = await shop.visitor().call(verifyCode, { body: { phone: newPhone(), code } })
    expect(status).toBe(422)
    expect(refusal.details.fields?.['code']).toBe('أدخل رمز التحقق المكوّن من 4 أرقام')
  })

  const rubbish: unknown[] = [
    null,
    [],
    'text',
    7,
    {},
    { phone: null },
    { phone: {} },
    { phone: ['+97336000001'] },
    { phone: 36000001 },
    { phone: '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000' },
    { phone: '\ud800\ud800\ud800\ud800\ud800\ud800\ud800\ud800' },
    { phone: '9'.repeat(60_000) },
    { phone: '+97336000001', code: null },
    { phone: '+97336000001', code: 1234 },
    { phone: '+97336000001', code: ['1234'] },
    { phone: '+97336000001', code: '\u0000'.repeat(4) },
    { phone: '+97336000001', code: '1e3' },
    { phone: '+97336000001', code: ' '.repeat(60_000) },
    { phone: "' or 1=1 --", code: "' or 1=1 --" },
    { phone: '+97336000001', code: '1234', language: 'fr' },
  ]
  it.each(rubbish.map((body, index) => [index, body]))('malformed request %i gets a 4xx', async (_, body) => {
    for (const path of ['/api/auth/verify/phone', '/api/auth/verify/otp']) {
      const { status } = await shop.visitor().send('POST', path, { body })
      const mayBeFine = path.endsWith('phone') && JSON.stringify(body).includes('"+97336000001"')
      if (!mayBeFine) expect([400, 422], path).toContain(status)
    }
  })
})
