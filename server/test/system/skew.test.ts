import { addToCart } from '@qatra/contract/cart/cart'
import { cancelOrder, getOrder, placeOrder } from '@qatra/contract/orders/orders'
import { getMe } from '@qatra/contract/users/auth'
import { afterEach, describe, expect, it } from 'vitest'
import { newToken, sha256 } from '../../lib/secrets.ts'
import { startShop, type TestShop } from '../app.ts'
import { askForCode, newPhone, tryCode } from '../fixtures/codes.ts'
import { makeHousehold, makeVisitor } from '../fixtures/make.ts'

// A process whose clock is off by ten minutes: expiry is checked by the clock of the database.
const RealDate = Date
const TEN_MINUTES = 600_000
afterEach(() => {
  globalThis.Date = RealDate
})

function shiftClock(ms: number) {
  globalThis.Date = class extends RealDate {
    constructor(...given: unknown[]) {
      // Passes arguments on; without any, returns the skewed time.
      super(...((given.length === 0 ? [RealDate.now() + ms] : given) as [number]))
    }
    static override now() {
      return RealDate.now() + ms
    }
  } as DateConstructor
}

/** Minutes from the database's now, for the newest code of a phone. */
const codeEnds = (shop: TestShop, phone: string, minutes: number) =>
  shop.query(
    `update login_codes set expires_at = now() + $2 * interval '1 minute'
     where id = (select max(id) from login_codes where phone = $1)`,
    [phone, minutes],
  )
const orderIsOld = (shop: TestShop, id: string, minutes: number) =>
  shop.query(`update orders set created_at = now() - $2 * interval '1 minute' where id = $1`, [id, minutes])

async function linkThatEnds(shop: TestShop, minutes: number) {
  const token = newToken()
  await shop.query(
    `insert into magic_links (phone, token, expires_at) values ($1, $2, now() + $3 * interval '1 minute')`,
    [newPhone(), sha256(token), minutes],
  )
  const { body } = await shop.visitor().send('POST', `/api/magic-link/verify/${token}`)
  return (body as { errorCode: string | null }).errorCode
}

describe.each([
  ['ten minutes fast', TEN_MINUTES],
  ['ten minutes slow', -TEN_MINUTES],
])('a process that is %s', (_, skew) => {
  it('misjudges terms by its own clock', async () => {
    shiftClock(skew)
    const shop = await startShop()
    const [row] = await shop.query<{ soon: Date; before: Date }>(
      `select now() + interval '5 minutes' as soon, now() - interval '5 minutes' as before`,
    )
    const wrong = skew > 0 ? new Date() > (row?.soon ?? 0) : new Date() < (row?.before ?? 0)
    expect(wrong).toBe(true)
    expect(Math.abs(shop.app.clock.now().getTime() - RealDate.now())).toBeLessThan(60_000)
  })

  it('accepts a code for five minutes and not longer', async () => {
    shiftClock(skew)
    const shop = await startShop()
    const [early, late] = [newPhone(), newPhone()]
    const inTime = await askForCode(shop, shop.visitor(), early)
    await codeEnds(shop, early, 1)
    expect((await tryCode(shop.visitor(), early, inTime)).status).toBe(200)
    const tooLate = await askForCode(shop, shop.visitor(), late)
    await codeEnds(shop, late, -1)
    expect((await tryCode(shop.visitor(), late, tooLate)).refusal.code).toBe('INVALID_CODE')
  })

  it('accepts links and sessions within their term and not longer', async () => {
    shiftClock(skew)
    const shop = await startShop()
    expect([await linkThatEnds(shop, 5), await linkThatEnds(shop, -5)]).toEqual([null, 'EXPIRED_LINK'])
    const customer = await makeVisitor(shop)
    const ends = (minutes: number) =>
      shop.query(`update sessions set expires_at = now() + $2 * interval '1 minute' where user_id = $1`, [
        customer.id,
        minutes,
      ])
    await ends(5)
    expect((await customer.call(getMe)).status).toBe(200)
    await ends(-5)
    expect((await customer.call(getMe)).status).toBe(401)
  })

  it('cancels orders within the hour and not later', async () => {
    shiftClock(skew)
    const shop = await startShop()
    const home = await makeHousehold(shop)
    for (const [age, can, status] of [
      [55, true, 200],
      [59, true, 200],
      [61, false, 409],
      [65, false, 409],
    ] as const) {
      const id = await home.order()
      await orderIsOld(shop, id, age)
      const { body } = await home.customer.call(getOrder, { params: { id } })
      expect([age, body.can.cancel]).toEqual([age, can])
      expect((await home.customer.call(cancelOrder, { params: { id }, body: {} })).status).toBe(status)
    }
  })

  it("dates an order by the database's clock, by its day in Bahrain", async () => {
    shiftClock(skew)
    const shop = await startShop()
    const home = await makeHousehold(shop)
    await home.customer.call(addToCart, { body: { productId: home.water, quantity: 3 } })
    const { body } = await home.customer.call(placeOrder, { body: home.body })
    expect(Math.abs(RealDate.parse(body.createdAt) - RealDate.now())).toBeLessThan(60_000)
    expect(RealDate.parse(body.cancellableUntil) - RealDate.parse(body.createdAt)).toBe(3_600_000)
  })
})
