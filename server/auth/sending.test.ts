import { verifyCode, verifyPhone } from '@qatra/contract/users/auth'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import {
  alarmsOf,
  askForCode,
  codeIn,
  inbox,
  newPhone,
  signInByCode,
  timePasses,
  tryCode,
  until,
} from '../test/fixtures/codes.ts'
import { printOwnerClaimCode } from './claims.commands.ts'

const HOUR = 3600
const from = (n: number) => ({ 'x-forwarded-for': `10.${n >> 8}.${n & 255}.7` })

describe('how often codes are sent', () => {
  let shop: TestShop
  let network = 0
  beforeAll(async () => {
    shop = await startShop({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
  })
  const ask = (phone: string, headers = from((network += 1))) =>
    shop.visitor().call(verifyPhone, { body: { phone } }, headers)
  let earlier = 100_000
  /** Requests of a network within the hour, for phones with an account or without. */
  const requested = (ipPrefix: string, count: number, isKnown = false) =>
    shop.query(
      `insert into login_codes (phone, code_hash, digits, language, is_known_phone, ip_prefix, replaced_at, expires_at)
       select '+97334' || n, 'x', 4, 'ar', $3::boolean, $1, now(), now() from generate_series($2::integer, $4) n`,
      [ipPrefix, earlier + 1, isKnown, (earlier += count)],
    )

  it('waits a minute between two codes and returns the remaining time', async () => {
    const phone = newPhone()
    const first = await ask(phone)
    expect(first.body).toMatchObject({ success: true, resendAfter: 60 })
    await timePasses(shop, 20)
    const { status, refusal, headers } = await ask(phone)
    expect([status, refusal.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    const wait = Number(headers['retry-after'])
    expect(wait).toBeGreaterThan(10)
    expect(wait).toBeLessThanOrEqual(40)
    expect(refusal.details['retryAfter']).toBe(wait)
    await timePasses(shop, 40)
    expect((await ask(phone)).status).toBe(200)
  })

  it('keeps the previous code valid after a refused request', async () => {
    const phone = newPhone()
    const code = await askForCode(shop, shop.visitor(), phone, from((network += 1)))
    expect((await ask(phone)).status).toBe(429)
    expect((await tryCode(shop.visitor(), phone, code)).status).toBe(200)
  })

  it('sends five an hour and ten a day', async () => {
    const phone = newPhone()
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) {
      statuses.push((await ask(phone)).status)
      await timePasses(shop, 61)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    await timePasses(shop, HOUR)
    for (let n = 0; n < 5; n++) {
      expect((await ask(phone)).status).toBe(200)
      await timePasses(shop, 15 * 60)
    }
    const { status, headers } = await ask(phone)
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(20 * HOUR)
    await timePasses(shop, 24 * HOUR)
    expect((await ask(phone)).status).toBe(200)
  })

  it('sends one of thirty parallel requests for a phone', async () => {
    const phone = newPhone()
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(phone)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await until('the code', async () => (await inbox(shop, phone)).length)).toBe(1)
  })

  it('sends twenty an hour for one network', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 22; n++) statuses.push((await ask(newPhone(), { 'x-forwarded-for': `198.51.100.${n}` })).status)
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429])
  })

  it('sends twenty of thirty parallel requests of one network', async () => {
    // Requests wait for each other: on a slow machine some get 503 for lack of a connection, and are repeated.
    const askUntilServed = async (phone: string, address: string) => {
      for (;;) {
        const answer = await ask(phone, { 'x-forwarded-for': address })
        if (answer.status !== 503) return answer
      }
    }
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => askUntilServed(newPhone(), `203.0.113.${n}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })

  it('past the network limit delivers to phones with an account and answers 429 to all', async () => {
    const [known, unknown] = [newPhone(), newPhone()]
    await shop.query('insert into users (phone) values ($1)', [known])
    const here = { 'x-forwarded-for': '192.0.2.77' }
    await requested('192.0.2.0/24', 20)
    const [toKnown, toUnknown] = [await ask(known, here), await ask(unknown, here)]
    expect([toKnown.status, toUnknown.status]).toEqual([429, 429])
    expect(toKnown.refusal.details).toMatchObject({ codeMayArrive: true })
    const withoutWait = ({ refusal: { details, ...rest } }: typeof toKnown) => ({
      ...rest,
      details: Object.keys(details),
    })
    expect(withoutWait(toUnknown)).toEqual(withoutWait(toKnown))
    expect(Math.abs(Number(toUnknown.headers['retry-after']) - Number(toKnown.headers['retry-after']))).toBeLessThan(30)
    const message = await until('the code', async () => (await inbox(shop, known))[0])
    expect((await tryCode(shop.visitor(), known, codeIn(message), here)).status).toBe(200)
    expect(await inbox(shop, unknown)).toEqual([])
    // A second request is refused in the same way for both.
    expect([(await ask(known, here)).status, (await ask(unknown, here)).status]).toEqual([429, 429])
    expect(await inbox(shop, known)).toHaveLength(1)
  })

  it('answers the next phone the same after a phone with an account and after one without', async () => {
    const known = newPhone()
    await shop.query('insert into users (phone) values ($1)', [known])
    const after = async (phone: string, net: string) => {
      const here = { 'x-forwarded-for': `${net}.7` }
      await requested(`${net}.0/24`, 19)
      const asked = (await ask(phone, here)).status
      const next = await ask(newPhone(), here)
      return [asked, next.status, Number(next.headers['retry-after'])]
    }
    const [toKnown, toUnknown] = [await after(known, '192.0.3'), await after(newPhone(), '192.0.4')]
    expect(toKnown.slice(0, 2)).toEqual([200, 429])
    expect(toUnknown.slice(0, 2)).toEqual([200, 429])
    expect(Math.abs((toKnown[2] ?? 0) - (toUnknown[2] ?? 0))).toBeLessThan(60)
  })

  it('delivers 280 codes to customers of one carrier within an hour, and stops at 300 requests', async () => {
    const customers = Array.from({ length: 30 }, newPhone)
    await shop.query('insert into users (phone) select unnest($1::text[])', [customers])
    const here = (n: number) => ({ 'x-forwarded-for': `100.72.4.${n}` })
    await requested('100.72.4.0/24', 20)
    await requested('100.72.4.0/24', 260, true)
    // An overloaded server answers 503 and counts nothing.
    const insist = async (phone: string, n: number): Promise<unknown> =>
      (await ask(phone, here(n))).status >= 500 && insist(phone, n)
    await Promise.all(customers.map(insist))
    const [{ delivered } = { delivered: 0 }] = await shop.query<{ delivered: number }>(
      'select count(*)::int as delivered from login_codes where not is_withheld and phone = any($1)',
      [customers],
    )
    expect(260 + delivered).toBe(280)
    const stored = 'select count(*)::int as count from login_codes where phone = $1'
    const late = newPhone()
    expect((await ask(late, here(1))).status).toBe(429)
    expect(await shop.query(stored, [late])).toEqual([{ count: 0 }])
  })

  it('stops at the daily limit, except for known devices', async () => {
    const phone = newPhone()
    const known = shop.visitor()
    const code = await askForCode(shop, known, phone, from((network += 1)))
    await tryCode(known, phone, code)
    await shop.query(
      `insert into login_codes (phone, code_hash, digits, language, replaced_at, expires_at, created_at)
       select '+97333' || n, 'x', 4, 'ar', now(), now(), now() - interval '2 hours' from generate_series(1, $1) n`,
      [5_000],
    )
    const alarms = await alarmsOf('codes-of-the-day')
    expect((await ask(newPhone())).status).toBe(429)
    expect(await alarmsOf('codes-of-the-day')).toBe(alarms + 1)
    expect((await known.call(verifyPhone, { body: { phone } }, from((network += 1)))).status).toBe(200)
    await timePasses(shop, 24 * HOUR)
    expect((await ask(newPhone())).status).toBe(200)
  })

  it('stops after eleven wrong codes within a day', async () => {
    const after = async (count: number, hours: number) => {
      const phone = newPhone()
      await shop.query(
        `insert into login_failures (phone, digits, is_trusted, was_read, created_at)
         select $1, 4, false, true, now() - $3 * interval '1 hour' from generate_series(1, $2)`,
        [phone, count, hours],
      )
      return (await ask(phone)).status
    }
    expect([await after(10, 23), await after(11, 23), await after(11, 25)]).toEqual([200, 429, 200])
  })

  it('has no limit with RATE_LIMITS=off, except the five attempts', async () => {
    const free = await startShop()
    const phone = newPhone()
    for (let n = 0; n < 12; n++) {
      const { status, body } = await free.visitor().call(verifyPhone, { body: { phone } })
      expect([status, body.resendAfter]).toEqual([200, 0])
    }
    const tries = await Promise.all(Array.from({ length: 9 }, () => tryCode(free.visitor(), phone, '00000')))
    expect(tries.filter(({ status }) => status === 422)).toHaveLength(4)
  })
})

describe('where codes are sent', () => {
  let shop: TestShop
  beforeEach(async () => {
    shop ??= await startShop()
  })
  const ask = (phone: string) => shop.visitor().call(verifyPhone, { body: { phone } }, { 'accept-language': 'en' })

  it.each([
    ['Bahrain', '36009999'],
    ['Saudi Arabia', '+966501234567'],
    ['Kuwait', '0096550001234'],
    ['the Emirates', '+971501234567'],
    ['Qatar', '+97450123456'],
    ['Oman', '+96890123456'],
  ])('to a mobile of %s', async (_, phone) => {
    expect((await ask(phone)).status).toBe(200)
  })

  it.each([
    ['a fixed line of Bahrain', '17000000', false],
    ['a premium number', '90001234', false],
    ['a toll-free number', '80001234', false],
    ['no number at all', '+97300000000', false],
    // Offered the proof by a message instead.
    ['a mobile of Germany', '+4915112345678', true],
    ['a mobile of the United States', '+12025550123', true],
  ])('never to %s', async (_, phone, byMessage) => {
    const { status, refusal } = await ask(phone)
    expect([status, refusal.code]).toEqual([422, 'PHONE_NOT_ALLOWED'])
    expect(refusal.details).toMatchObject({
      fields: { phone: 'We send codes to mobile numbers in the Gulf states only' },
      byMessage,
    })
    expect(await shop.query('select id from login_codes where phone like $1', [`%${phone.slice(-8)}`])).toEqual([])
  })

  it('answers 503 if no channel is configured', async () => {
    const mute = await startShop({
      simulator: false,
      whatsapp: { ...shop.app.config.whatsapp, provider: 'web' },
    })
    const { status, refusal } = await mute.visitor().call(verifyPhone, { body: { phone: newPhone() } })
    expect([status, refusal.code]).toEqual([503, 'CODE_NOT_SENT'])
    // Before the first super admin nobody can connect one: the console has the code, for who has the link.
    await mute.query(`update users set role = 'customer' where role = 'super_admin'`)
    await printOwnerClaimCode({ ...mute.app, config: { ...mute.app.config, seedDemo: false } })
    const claim = mute.said.flatMap((line) => /#claim=([\w-]+)/.exec(line)?.[1] ?? []).at(-1) ?? ''
    const [phone, visitor] = [newPhone(), mute.visitor()]
    expect((await visitor.call(verifyPhone, { body: { phone, claim } })).status).toBe(200)
    const code = /: (\d{6})$/.exec(mute.said.at(-1) ?? '')?.[1] ?? ''
    expect(mute.said.at(-1)).toContain(phone)
    const { body } = await visitor.call(verifyCode, { body: { phone, code, claim } })
    expect(body.user.role).toBe('super_admin')
  })
})

describe('responses to strangers', () => {
  it('have the same bytes for known, unknown, deactivated and staff phones', async () => {
    const shop = await startShop({ rateLimits: true })
    const [known, inactive, staff, unknown] = [newPhone(), newPhone(), newPhone(), newPhone()]
    await shop.query(
      `insert into users (phone, role, is_active) values ($1, 'customer', true), ($2, 'customer', false)`,
      [known, inactive],
    )
    await shop.query(`insert into users (phone, role) values ($1, 'super_admin')`, [staff])
    const answers = []
    for (const phone of [known, inactive, staff, unknown]) {
      const visitor = shop.visitor()
      const sent = await visitor.call(verifyPhone, { body: { phone } })
      const again = await visitor.call(verifyPhone, { body: { phone } })
      const wrong = await tryCode(visitor, phone, '00000')
      answers.push(
        JSON.stringify(
          [sent, again, wrong].map(({ status, body, headers }) => [status, body, { ...headers, date: '' }]),
        ).replace(/("retry-?after":"?)5\d/gi, '$1…'), // a second may pass between two requests
      )
    }
    expect(new Set(answers).size).toBe(1)
    expect(await shop.query('select id from users where phone = $1', [unknown])).toEqual([])
  })

  it('staff get six digits outside of the simulator', async () => {
    const shop = await startShop()
    await shop.query(`insert into users (phone, role) values ('+97333888001', 'driver')`)
    await signInByCode(shop, '+97333888001')
    const digits = 'select digits from login_codes where phone = $1 order by id desc limit 1'
    expect(await shop.query(digits, ['+97333888001'])).toEqual([{ digits: 4 }])
    const real = await startShop({
      simulator: false,
      whatsapp: { ...shop.app.config.whatsapp, provider: 'cloud', graphUrl: 'http://127.0.0.1:9', token: 'x' },
    })
    await real.query(`insert into users (phone, role) values ('+97333888001', 'driver')`)
    for (const phone of ['+97333888001', '+97333888002']) await real.visitor().call(verifyPhone, { body: { phone } })
    expect(await real.query(digits, ['+97333888001'])).toEqual([{ digits: 6 }])
    expect(await real.query(digits, ['+97333888002'])).toEqual([{ digits: 4 }])
  })

  it('the phone of the first super admin gets six digits before it has an account', async () => {
    const { whatsapp } = (await startShop()).app.config
    const real = await startShop({
      simulator: false,
      adminPhone: '+97333888003',
      whatsapp: { ...whatsapp, provider: 'cloud', graphUrl: 'http://127.0.0.1:9', token: 'x' },
    })
    await real.visitor().call(verifyPhone, { body: { phone: '+97333888003' } })
    expect(await real.query('select digits from login_codes')).toEqual([{ digits: 6 }])
  })
})
