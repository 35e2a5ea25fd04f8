import { addToCart, getCart, restoreCart, switchCart } from '@qatra/contract/cart/cart'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { deleteOldRows } from '../jobs/retention.ts'
import { sha256 } from '../lib/secrets.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'
import type { Visitor } from '../test/visitor.ts'
import { adoptGuestCart } from './commands.ts'

let shop: TestShop
let vendor: number
let other: number
let water: number
let gallon: number
let foreign: number

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  vendor = await makeVendor(shop)
  other = await makeVendor(shop)
  water = await makeProduct(shop, vendor)
  gallon = await makeProduct(shop, vendor)
  foreign = await makeProduct(shop, other)
})

const guestSessionOf = (visitor: Visitor) => sha256(visitor.cookies.get('sid') ?? '')
const put = (visitor: Visitor, productId: number, quantity: number) =>
  visitor.call(addToCart, { body: { productId, quantity } })
const linesOf = async (visitor: Visitor) =>
  (await visitor.call(getCart)).body.items.map((item) => [item.productId, item.quantity])

/** Runs what sign-in does with the visitor's cart. */
function signIn(guest: Visitor, userId: number, impersonator: Ctx['actor']['impersonator'] = null) {
  return inTransaction(shop.app.pool, (db) => {
    const ctx = { db, actor: { user: null, guestSession: null, impersonator, lang: 'ar' } }
    return adoptGuestCart(ctx as Ctx, { userId, guestSession: guestSessionOf(guest) }) // the command reads only these parts of Ctx
  })
}

describe('signing in with a cart', () => {
  it('moves it to an account without one', async () => {
    const [guest, user] = [shop.visitor(), await makeVisitor(shop)]
    await put(guest, water, 2)
    await signIn(guest, user.id)
    expect(await linesOf(user)).toEqual([[water, 2]])
    expect(await linesOf(guest)).toEqual([])
  })

  it("merges carts of one vendor; the visitor's quantities win", async () => {
    const [guest, user] = [shop.visitor(), await makeVisitor(shop)]
    await put(user, water, 5)
    await put(user, gallon, 1)
    await put(guest, water, 2)
    await signIn(guest, user.id)
    expect(await linesOf(user)).toEqual([
      [water, 2],
      [gallon, 1],
    ])
  })

  it("parks the account's cart of another vendor and offers it for restoring", async () => {
    const [guest, user] = [shop.visitor(), await makeVisitor(shop)]
    await put(user, foreign, 5)
    await put(guest, water, 2)
    await signIn(guest, user.id)
    expect(await linesOf(user)).toEqual([[water, 2]])
    expect((await user.call(getCart)).body.parked).toEqual({ vendorId: other, itemCount: 1 })
    expect((await user.call(restoreCart)).body.items.map((item) => item.productId)).toEqual([foreign])
  })

  it("takes the visitor's parked cart along unless the account's is newer", async () => {
    const [guest, user] = [shop.visitor(), await makeVisitor(shop)]
    await put(guest, water, 2)
    await guest.call(switchCart, { body: { productId: foreign, quantity: 1 } })
    await signIn(guest, user.id)
    expect((await user.call(getCart)).body).toMatchObject({
      vendorId: other,
      parked: { vendorId: vendor, itemCount: 1 },
    })
  })

  it('changes nothing while impersonating', async () => {
    const [guest, user] = [shop.visitor(), await makeVisitor(shop)]
    await put(guest, water, 2)
    await signIn(guest, user.id, { id: 1, name: null, phone: '+97336000001' })
    expect([await linesOf(user), await linesOf(guest)]).toEqual([[], [[water, 2]]])
  })

  it('leaves items of one vendor after concurrent sign-ins and adds', async () => {
    for (let round = 0; round < repeated(20, 6); round += 1) {
      const [guest, user] = [shop.visitor(), await makeVisitor(shop)]
      await put(guest, water, 2)
      await Promise.all([
        signIn(guest, user.id),
        put(user, foreign, 1),
        put(user, gallon, 1),
        signIn(guest, user.id),
        put(user, foreign, 1),
      ])
      const rows = await shop.query<{ vendors: number }>(
        `select count(distinct p.vendor_id)::integer as vendors from carts c join cart_items i on i.cart_id = c.id
         join products p on p.id = i.product_id where c.user_id = $1 group by c.id`,
        [user.id],
      )
      expect(rows.every((row) => row.vendors === 1)).toBe(true)
      expect((await linesOf(user)).some(([productId]) => productId === water)).toBe(true)
    }
  })
})

describe('purging old carts', () => {
  it("deletes visitors' and parked carts after 30 days, never a user's active one", async () => {
    const [guest, young, user] = [shop.visitor(), shop.visitor(), await makeVisitor(shop)]
    for (const visitor of [guest, young, user]) await put(visitor, water, 1)
    await user.call(switchCart, { body: { productId: foreign, quantity: 1 } })
    await shop.query(`update carts set updated_at = now() - interval '29 days' where session_id = $1`, [
      guestSessionOf(young),
    ])
    await shop.query(
      `update carts set updated_at = now() - interval '31 days', parked_at = parked_at - interval '31 days'
      where user_id = $1 or session_id = $2`,
      [user.id, guestSessionOf(guest)],
    )
    await deleteOldRows(shop.app, ({ table }) => table === 'carts')
    expect([await linesOf(guest), await linesOf(young), await linesOf(user)]).toEqual([
      [],
      [[water, 1]],
      [[foreign, 1]],
    ])
    expect(await shop.query('select id from carts where user_id = $1', [user.id])).toHaveLength(1)
  })
})
