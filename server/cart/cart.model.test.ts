import {
  addToCart,
  type Cart,
  clearCart,
  getCart,
  removeCartItem,
  restoreCart,
  switchCart,
  updateCartItem,
} from '@qatra/contract/cart/cart'
import { type Fils, fils, toBhd } from '@qatra/contract/lib/money'
import { reorder } from '@qatra/contract/orders/orders'
import { orderTotals } from '@qatra/contract/orders/totals'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { sha256 } from '../lib/secrets.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'
import type { Visitor } from '../test/visitor.ts'
import { adoptGuestCart } from './commands.ts'

interface Product {
  id: number
  vendor: number
  price: Fils
  vatPercentage: number
}
type Lines = Map<Product, number>
interface Carts {
  active: Lines
  parked: { lines: Lines; at: number } | null
}
interface Model {
  user: Carts
  guest: Carts
  /** Incremented by every parking, like time. */
  clock: number
}
interface Real {
  user: Visitor & { id: number }
  guest: Visitor
  pastOrder: string
}
type Who = 'user' | 'guest'
type Command = fc.AsyncCommand<Model, Real>

let shop: TestShop
const products: Product[] = []
const fee = fils(400)
/** Items of the past order: product and quantity. */
let ordered: Lines

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 10 })
  for (let v = 0; v < 2; v += 1) {
    const vendor = await makeVendor(shop, { deliveryFee: fee })
    for (const [price, vatPercentage] of [
      [1505, 10],
      [355, 0],
    ] as const)
      products.push({
        id: await makeProduct(shop, vendor, { price, vatPercentage }),
        vendor,
        price: fils(price),
        vatPercentage,
      })
  }
  ordered = new Map(products.slice(2, 4).map((product, n) => [product, n + 3]))
})

const vendorOf = (lines: Lines) => [...lines.keys()][0]?.vendor ?? null
const isSame = (a: Lines, b: Lines) =>
  a.size === b.size && [...a].every(([product, quantity]) => b.get(product) === quantity)

function park(model: Model, carts: Carts) {
  model.clock += 1
  if (carts.active.size > 0) carts.parked = { lines: carts.active, at: model.clock }
}
function start(model: Model, carts: Carts, lines: Lines) {
  if (isSame(carts.active, lines)) return
  park(model, carts)
  carts.active = lines
}

/** Compares the database with the model for both people after every step. */
async function check(model: Model, real: Real) {
  for (const who of ['user', 'guest'] as const) {
    const { body } = await real[who].call(getCart)
    const { active, parked } = model[who]
    expect(new Map(body.items.map((item) => [item.productId, item.quantity]))).toEqual(
      new Map([...active].map(([product, quantity]) => [product.id, quantity])),
    )
    expect(body.vendorId).toBe(vendorOf(active))
    expect(body.parked).toEqual(parked && { vendorId: vendorOf(parked.lines), itemCount: parked.lines.size })
    const totals = orderTotals(
      [...active].map(([product, quantity]) => ({ ...product, quantity })),
      { deliveryFee: fee },
    )
    expect(body).toMatchObject({
      subtotal: toBhd(totals.subtotal),
      productVAT: toBhd(totals.productVAT),
      total: toBhd(totals.total),
    })
  }
}

const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  async run(model, real) {
    await run(model, real)
    await check(model, real)
  },
  toString: () => name,
})

const productAt = (index: number): Product => {
  const product = products[index]
  if (!product) throw new Error('No such product')
  return product
}

const add = (who: Who, index: number, quantity: number) =>
  step(`${who} adds ${quantity} of ${index}`, async (model, real) => {
    const product = productAt(index)
    const { active } = model[who]
    const sum = (active.get(product) ?? 0) + quantity
    const { status, refusal } = await real[who].call(addToCart, { body: { productId: product.id, quantity } })
    if (active.size > 0 && vendorOf(active) !== product.vendor) expect(refusal.code).toBe('CART_VENDOR_CONFLICT')
    else if (sum > 100) expect(refusal.code).toBe('QUANTITY_LIMIT')
    else {
      expect(status).toBe(200)
      active.set(product, sum)
    }
  })

const change = (who: Who, nth: number, quantity: number | 'remove') =>
  step(`${who} sets item ${nth} to ${quantity}`, async (model, real) => {
    const { active } = model[who]
    const before: Cart = (await real[who].call(getCart)).body
    const item = before.items[nth % Math.max(1, before.items.length)]
    const params = { itemId: String(item?.id ?? 2_000_000_000) }
    const { status } =
      quantity === 'remove'
        ? await real[who].call(removeCartItem, { params })
        : await real[who].call(updateCartItem, { params, body: { quantity } })
    if (!item) {
      expect(status).toBe(404)
      return
    }
    expect(status).toBe(200)
    const product = productAt(products.findIndex((known) => known.id === item.productId))
    if (quantity === 'remove' || quantity <= 0) active.delete(product)
    else active.set(product, quantity)
  })

const clear = (who: Who) =>
  step(`${who} clears`, async (model, real) => {
    await real[who].call(clearCart)
    model[who].active = new Map()
  })

const switchTo = (who: Who, index: number, quantity: number) =>
  step(`${who} switches to ${quantity} of ${index}`, async (model, real) => {
    await real[who].call(switchCart, { body: { productId: productAt(index).id, quantity } })
    start(model, model[who], new Map([[productAt(index), quantity]]))
  })

const restore = (who: Who) =>
  step(`${who} restores`, async (model, real) => {
    const carts = model[who]
    const { status } = await real[who].call(restoreCart)
    expect(status).toBe(carts.parked ? 200 : 404)
    if (!carts.parked) return
    const { lines } = carts.parked
    carts.parked = null
    park(model, carts)
    carts.active = lines
  })

const orderAgain = step('user orders again', async (model, real) => {
  await real.user.call(reorder, { params: { id: real.pastOrder } })
  start(model, model.user, new Map(ordered))
})

const signIn = step('guest signs in as user', async (model, real) => {
  const guestSession = sha256(real.guest.cookies.get('sid') ?? '')
  await inTransaction(shop.app.pool, (db) => {
    const ctx = { db, actor: { user: null, guestSession: null, impersonator: null, lang: 'ar' } }
    return adoptGuestCart(ctx as Ctx, { userId: real.user.id, guestSession }) // the command reads only these parts of Ctx
  })
  const { user, guest } = model
  let isParked = false
  if (guest.active.size > 0) {
    if (user.active.size > 0 && vendorOf(user.active) !== vendorOf(guest.active)) {
      park(model, user)
      user.active = new Map()
      isParked = true
    }
    for (const [product, quantity] of guest.active) user.active.set(product, quantity)
  }
  if (guest.parked && !isParked && guest.parked.at > (user.parked?.at ?? 0)) user.parked = guest.parked
  model.guest = { active: new Map(), parked: null }
})

async function pastOrderOf(userId: number, vendorId: number) {
  const id = `M${String(userId).padStart(15, '0')}`
  await shop.query(
    `insert into orders (id, user_id, vendor_id, vendor_name, status, customer_name, phone, address, lat, lng, subtotal,
       delivery_fee, product_vat, total, promised_date)
     values ($1, $2, $3, 'V', 'delivered', 'Maryam', '+97339000000', 'House 12, Road 34', 26, 50, 1, 0, 0, 1, '2026-01-01')`,
    [id, userId, vendorId],
  )
  for (const [product, quantity] of ordered)
    await shop.query(
      `insert into order_items (order_id, product_id, name, size, price, vat_percentage, quantity) values ($1, $2, 'W', '500ml', 1, 0, $3)`,
      [id, product.id, quantity],
    )
  return id
}

it('every sequence of steps leaves the carts of the model', async () => {
  const who = fc.constantFrom<Who>('user', 'guest')
  const product = fc.integer({ min: 0, max: 3 })
  const quantity = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(40, 99, 100))
  const commands = [
    fc.tuple(who, product, quantity).map((args) => add(...args)),
    fc.tuple(who, product, quantity).map((args) => add(...args)),
    fc
      .tuple(who, product, fc.constantFrom<(number | 'remove')[]>(1, 7, 100, 0, -3, 'remove'))
      .map((args) => change(...args)),
    who.map(clear),
    fc.tuple(who, product, quantity).map((args) => switchTo(...args)),
    who.map(restore),
    fc.constant(orderAgain),
    fc.constant(signIn),
  ]
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 25, size: 'max' }), async (steps) => {
      const user = await makeVisitor(shop)
      const real: Real = { user, guest: shop.visitor(), pastOrder: await pastOrderOf(user.id, productAt(2).vendor) }
      const empty = (): Carts => ({ active: new Map(), parked: null })
      const model: Model = { user: empty(), guest: empty(), clock: 0 }
      await fc.asyncModelRun(() => ({ model, real }), steps)
    }),
    { numRuns: repeated(40, 12) },
  )
})
