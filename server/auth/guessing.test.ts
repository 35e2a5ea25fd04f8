import { verifyPhone } from '@qatra/contract/users/auth'
import { beforeAll, describe, expect, it } from 'vitest'
import { startShop, type TestShop } from '../test/app.ts'
import { alarmsOf, askForCode, newPhone, signInByCode, timePasses, tryCode, WRONG } from '../test/fixtures/codes.ts'
import { isFull } from '../test/sample.ts'
import type { Visitor } from '../test/visitor.ts'

const HOUR = 3600
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const address = (n: number) => `10.${n >> 8}.${n & 255}.7`

const readTries = async (shop: TestShop, phone: string) => {
  const [row] = await shop.query<{ short: number; long: number }>(
    `select count(*) filter (where digits = 4)::int as short, count(*) filter (where digits = 6)::int as long
     from login_failures where phone = $1 and was_read and not is_trusted`,
    [phone],
  )
  return row ?? { short: 0, long: 0 }
}

describe('guessing the code of one phone', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await startShop()
  })

  const guesses = isFull ? 200 : 50

  it(`evaluates five of ${guesses} parallel guesses`, async () => {
    const phone = newPhone()
    await askForCode(shop, shop.visitor(), phone)
    const answers = await Promise.all(Array.from({ length: guesses }, () => tryCode(shop.visitor(), phone, WRONG)))
    expect((await readTries(shop, phone)).short).toBe(5)
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    // The others get 422, or 429 or 503 under load.
    expect([count(200), count(422), count(429) + count(503)]).toEqual([0, 4, guesses - 4])
  })

  it('would evaluate more if the count were read and then written', async () => {
    const phone = newPhone()
    await askForCode(shop, shop.visitor(), phone)
    let evaluated = 0
    const naive = async () => {
      const [code] = await shop.query<{ id: number; attempts: number }>(
        'select id, attempts from login_codes where phone = $1 and replaced_at is null',
        [phone],
      )
      if (!code || code.attempts >= 5) return
      evaluated += 1
      await shop.query('update login_codes set attempts = $2 where id = $1', [code.id, code.attempts + 1])
    }
    await Promise.all(Array.from({ length: guesses }, naive))
    expect(evaluated).toBeGreaterThan(5)
  })
})

describe('guessing from many addresses', () => {
  let shop: TestShop
  beforeAll(async () => {
    shop = await startShop({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
  })

  it('is counted by phone: all addresses share five attempts', async () => {
    const phone = newPhone()
    await askForCode(shop, shop.visitor(), phone, from('192.0.2.1'))
    const addresses = Array.from({ length: isFull ? 1_000 : 100 }, (_, n) => from(address(n)))
    for (let n = 0; n < addresses.length; n += 50)
      await Promise.all(addresses.slice(n, n + 50).map((headers) => tryCode(shop.visitor(), phone, WRONG, headers)))
    expect((await readTries(shop, phone)).short).toBe(5)
  })

  it('would get more attempts if they were counted by address', async () => {
    const phone = newPhone()
    for (let n = 0; n < 20; n++) {
      const [{ wrong } = { wrong: 0 }] = await shop.query<{ wrong: number }>(
        'select count(*)::int as wrong from login_failures where phone = $1 and ip_prefix = $2',
        [phone, address(n)],
      )
      if (wrong < 5)
        await shop.query(
          'insert into login_failures (phone, digits, is_trusted, was_read, ip_prefix) values ($1, 4, false, true, $2)',
          [phone, address(n)],
        )
    }
    expect((await readTries(shop, phone)).short).toBeGreaterThan(5)
    await shop.query('delete from login_failures where phone = $1', [phone])
  })

  it('ignores X-Forwarded-For of an untrusted proxy', async () => {
    const direct = await startShop({ rateLimits: true })
    const phone = newPhone()
    await askForCodeByHand(direct, phone)
    await Promise.all(Array.from({ length: 20 }, (_, n) => tryCode(direct.visitor(), phone, WRONG, from(address(n)))))
    expect((await readTries(direct, phone)).short).toBe(5)
    const prefixes = await direct.query('select distinct ip_prefix from login_failures where phone = $1', [phone])
    expect(prefixes).toEqual([{ ip_prefix: '127.0.0.0/24' }])
  })

  it('switches to six digits when many phones are tried', async () => {
    // Known devices sign in before and during the attack.
    const owners: { phone: string; visitor: Visitor }[] = []
    for (let n = 0; n < 3; n++) {
      const phone = newPhone()
      owners.push({ phone, visitor: await arrive(shop, phone, from(`172.16.${n}.1`)) })
    }
    await timePasses(shop, 20 * 60)
    const victims = Array.from({ length: isFull ? 80 : 30 }, newPhone)
    const alarms = await alarmsOf('codes-guessed')
    const ask = (phone: string, n: number) =>
      shop.visitor().call(verifyPhone, { body: { phone } }, from(`198.18.${Math.floor(n / 20)}.9`))
    for (let n = 0; n < victims.length; n += 5) {
      const asked = await Promise.all(victims.slice(n, n + 5).map((phone, i) => ask(phone, n + i)))
      expect(asked.every(({ status }) => status === 200)).toBe(true)
    }
    for (let n = 0; n < victims.length; n += 10) {
      const headers = from(`198.19.${Math.floor(n / 10)}.9`)
      const guess = (phone: string) => tryCode(shop.visitor(), phone, WRONG, headers)
      for (let round = 0; round < 5; round++) await Promise.all(victims.slice(n, n + 10).map(guess))
    }
    const [tries] = await shop.query<{ short: number; refused: number }>(
      `select count(*) filter (where was_read and digits = 4)::int as short,
              count(*) filter (where not was_read)::int as refused
       from login_failures where phone = any($1)`,
      [victims],
    )
    // A four-digit guess succeeds with 1/10,000, so 0.05 accounts would need 500 of them.
    expect(tries?.short).toBeLessThan(60)
    expect(tries?.refused).toBeGreaterThan(victims.length * 5 - 100)
    expect(await alarmsOf('codes-guessed')).toBeGreaterThan(alarms)

    const signedIn = await Promise.all(
      owners.map(async ({ phone, visitor }, n) => {
        const code = await askForCode(shop, visitor, phone, from(`172.16.${n}.1`))
        expect(code).toHaveLength(4)
        return (await tryCode(visitor, phone, code, from(`172.16.${n}.1`))).status
      }),
    )
    expect(signedIn).toEqual([200, 200, 200])
    const newcomer = newPhone()
    const code = await askForCode(shop, shop.visitor(), newcomer, from('203.0.113.5'))
    expect(code).toHaveLength(6)
    expect((await tryCode(shop.visitor(), newcomer, code, from('203.0.113.5'))).status).toBe(200)
  })

  it('limits one network to ten phones an hour', async () => {
    await timePasses(shop, 24 * HOUR)
    const network = from('100.64.9.1')
    const phones = Array.from({ length: 11 }, newPhone)
    const statuses: number[] = []
    for (const [n, phone] of phones.entries()) {
      await askForCodeByHand(shop, phone, from(`100.65.${n}.1`))
      statuses.push((await tryCode(shop.visitor(), phone, WRONG, network)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429])
  })

  it('limits one network to ten of fifteen phones tried at once', async () => {
    const network = from('100.64.10.1')
    const phones = Array.from({ length: 15 }, newPhone)
    for (const [n, phone] of phones.entries()) await askForCodeByHand(shop, phone, from(`100.66.${n}.1`))
    const answers = await Promise.all(phones.map((phone) => tryCode(shop.visitor(), phone, WRONG, network)))
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(422), count(429)]).toEqual([10, 5])
  })
})

/** Four rounds of guesses a day from changing addresses, while the owner signs in once a week and at the end. */
async function attack(shop: TestShop, phone: string, owner: Visitor, days: number, afterSignIn = async () => {}) {
  for (let quarter = 0; quarter < days * 4; quarter++) {
    const headers = from(address(quarter))
    const asked = await shop.visitor().call(verifyPhone, { body: { phone } }, headers)
    if (asked.status === 200) for (let n = 0; n < 5; n++) await tryCode(shop.visitor(), phone, WRONG, headers)
    await timePasses(shop, 6 * HOUR)
    if (quarter % 28 !== 27 && quarter !== days * 4 - 1) continue
    expect((await tryCode(owner, phone, await askForCode(shop, owner, phone))).status).toBe(200)
    await afterSignIn()
  }
}

describe('a year of guessing', () => {
  it('evaluates at most thirty four-digit and a thousand six-digit guesses, and the owner still signs in', {
    timeout: 60_000,
  }, async () => {
    const shop = await startShop({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
    const phone = newPhone()
    const owner = await arrive(shop, phone)
    await timePasses(shop, HOUR)
    await attack(shop, phone, owner, 7)
    expect((await readTries(shop, phone)).long).toBeGreaterThan(50)
    // Inserts the failures of further months, which would take too long to make.
    await shop.query(
      `insert into login_failures (phone, digits, is_trusted, created_at)
       select $1, 6, false, now() - interval '30 days' from generate_series(1, 860)`,
      [phone],
    )
    await attack(shop, phone, owner, 3)
    const tries = await readTries(shop, phone)
    expect(tries.short).toBeLessThanOrEqual(30)
    expect(tries.short).toBeGreaterThanOrEqual(20)
    expect(tries.long).toBeLessThanOrEqual(1_000)
    expect(tries.long).toBeGreaterThanOrEqual(900)
  })

  // A control of the test above, as costly as it.
  it.each(isFull ? ['year'] : [])("would evaluate more if the owner's sign-in reset the %s", async () => {
    const shop = await startShop({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
    const phone = newPhone()
    const owner = await arrive(shop, phone)
    await timePasses(shop, HOUR)
    let short = 0
    await attack(shop, phone, owner, 14, async () => {
      short += (await readTries(shop, phone)).short
      await shop.query('delete from login_failures where phone = $1', [phone])
    })
    expect(short).toBeGreaterThan(30)
  })

  it('removes the failures of a code that succeeds, and no others', async () => {
    const shop = await startShop()
    const phone = newPhone()
    const visitor = shop.visitor()
    await askForCode(shop, visitor, phone)
    await tryCode(visitor, phone, WRONG)
    const code = await askForCode(shop, visitor, phone)
    await tryCode(visitor, phone, WRONG)
    await tryCode(visitor, phone, code)
    expect((await readTries(shop, phone)).short).toBe(1)
  })
})

describe("using up the victim's attempts", () => {
  it('leaves the known device its own attempts', async () => {
    const shop = await startShop({ rateLimits: true })
    const phone = newPhone()
    const victim = await arrive(shop, phone)
    await timePasses(shop, HOUR)
    const attacker = shop.visitor()
    for (let n = 0; n < 12; n++) {
      const asked = await attacker.call(verifyPhone, { body: { phone } })
      if (asked.status === 200) for (let guess = 0; guess < 5; guess++) await tryCode(attacker, phone, WRONG)
      await timePasses(shop, 13 * 60)
    }
    expect((await attacker.call(verifyPhone, { body: { phone } })).status).toBe(429)
    expect((await victim.send('GET', '/api/auth/me')).status).toBe(200)
    victim.cookies.delete(shop.app.cookies.session)
    const code = await askForCode(shop, victim, phone)
    for (let guess = 0; guess < 10; guess++) await tryCode(attacker, phone, WRONG)
    expect((await tryCode(victim, phone, code)).status).toBe(200)
  })

  it('stops trusting a device after thirty wrong guesses within a year', async () => {
    const shop = await startShop({ rateLimits: true })
    const phone = newPhone()
    const device = await arrive(shop, phone)
    const isTrustedNow = async () => {
      await timePasses(shop, 24 * HOUR)
      expect((await device.call(verifyPhone, { body: { phone } })).status).toBe(200)
      const [code] = await shop.query<{ is_trusted: boolean }>(
        'select is_trusted from login_codes where phone = $1 order by id desc limit 1',
        [phone],
      )
      return code?.is_trusted
    }
    const guess = (count: number, daysAgo: number) =>
      shop.query(
        `insert into login_failures (phone, digits, is_trusted, created_at)
         select $1, 4, true, now() - $2 * interval '1 day' from generate_series(1, $3)`,
        [phone, daysAgo, count],
      )
    await guess(30, 400)
    await guess(29, 200)
    expect(await isTrustedNow()).toBe(true)
    await guess(1, 100)
    expect(await isTrustedNow()).toBe(false)
  })

  it('does not trust a device cookie that was planted before the sign-in', async () => {
    const shop = await startShop()
    const phone = newPhone()
    const planted = 'planted-by-somebody-else'
    const victim = shop.visitor()
    victim.cookies.set('did', planted)
    await signInByCode(shop, phone, victim)
    expect(victim.cookies.get('did')).not.toBe(planted)
    const attacker = shop.visitor()
    attacker.cookies.set('did', planted)
    await askForCode(shop, attacker, phone)
    await tryCode(attacker, phone, WRONG)
    expect((await readTries(shop, phone)).short).toBe(1)
  })
})

/** Signs in from a device that is known afterwards. */
async function arrive(shop: TestShop, phone: string, headers: Record<string, string> = {}): Promise<Visitor> {
  const visitor = shop.visitor()
  const code = await askForCode(shop, visitor, phone, headers)
  expect((await tryCode(visitor, phone, code, headers)).status).toBe(200)
  return visitor
}

/** Without waiting for the code. */
const askForCodeByHand = (shop: TestShop, phone: string, headers = {}) =>
  shop.visitor().call(verifyPhone, { body: { phone } }, headers)
