import { addToCart, getCart, restoreCart, swapCart, updateCartItem } from '@qatra/contract/cart/cart'
import { fils, toBhd } from '@qatra/contract/lib/money'
import { listMyBottles } from '@qatra/contract/my-bottles'
import { editMyItems } from '@qatra/contract/orders/editing'
import { cancelOrder, getOrder, placeOrder, reorder } from '@qatra/contract/orders/orders'
import { orderTotals } from '@qatra/contract/orders/totals'
import { placeSalesOrder } from '@qatra/contract/sales'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Ctx } from '../database/context.ts'
import { inTransaction } from '../database/transaction.ts'
import { sha256 } from '../lib/secrets.ts'
import { startShop, type TestShop } from '../test/app.ts'
import { makeBottleType, makeHousehold, makeProduct, makeVendor, makeVisitor } from '../test/fixtures/make.ts'
import { repeated } from '../test/sample.ts'
import type { Visitor } from '../test/visitor.ts'
import { adoptGuestCart } from './commands.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await startShop({ role: 'web', databasePoolSize: 20 })
})

/** Fils of one bottle. */
const deposit = 2000
const exchange = (product: number, type: number) =>
  shop.query(`update products set bottle_type_id = $2, bottle_terms = 'exchange' where id = $1`, [product, type])

async function makeHome() {
  const home = await makeHousehold(shop)
  await shop.query('update products set price = 1000 where id = $1', [home.gallon])
  const type = await makeBottleType(shop, home.vendor, { deposit })
  await exchange(home.gallon, type)
  await shop.catalogue.reload()
  return { ...home, type }
}
type Home = Awaited<ReturnType<typeof makeHome>>

/** Some of them at a saved address, the others nowhere known. */
const hold = ({ vendor, customer, type }: Home, count: number) =>
  shop.query(
    `insert into bottle_balances (vendor_id, customer_id, bottle_type_id, address_id, count, deposit, moved_on)
     values ($1, $2, $3, null, $4 - 1, 0, current_date), ($1, $2, $3, 7, 1, 2000, current_date)`,
    [vendor, customer.id, type, count],
  )
const add = (visitor: Visitor, productId: number, quantity: number) =>
  visitor.call(addToCart, { body: { productId, quantity } })
const bottlesIn = async (visitor: Visitor) => {
  const { body } = await visitor.call(getCart)
  return [
    ...body.items.map(({ quantity, empties, held, deposit: sum }) => [quantity, empties, held, sum]),
    body.deposit,
  ]
}
async function answer(visitor: Visitor, quantity: number, empties?: number) {
  const [item] = (await visitor.call(getCart)).body.items
  return visitor.call(updateCartItem, { params: { itemId: String(item?.id) }, body: { quantity, empties } })
}
const place = ({ customer, body }: Home, more: object = {}) => customer.call(placeOrder, { body: { ...body, ...more } })
const linesOf = (id: string) =>
  shop.query(
    'select quantity, bottle_terms as terms, bottle_deposit as deposit, empties from order_items where order_id = $1 order by id',
    [id],
  )

describe('a cart with bottles that come back', () => {
  it('has a deposit for each of them while the customer is not known, or has none', async () => {
    const { gallon, customer, type } = await makeHome()
    for (const visitor of [shop.visitor(), customer]) {
      const { body } = await add(visitor, gallon, 2)
      expect(body).toMatchObject({ subtotal: 2, productVAT: 0, deliveryFee: 0.75, deposit: 4, total: 6.75 })
      const bottle = { typeId: type, terms: 'exchange', deposit: 2 }
      expect(body.items).toMatchObject([{ bottle, empties: 0, held: 0, isAnswered: false, deposit: 4 }])
    }
  })

  it('gives back what the customer has at all addresses, until the customer says otherwise', async () => {
    const home = await makeHome()
    const { customer, gallon } = home
    await hold(home, 3)
    await add(customer, gallon, 2)
    expect(await bottlesIn(customer)).toEqual([[2, 2, 3, 0], 0])
    await answer(customer, 5)
    expect(await bottlesIn(customer)).toEqual([[5, 3, 3, 4], 4])
    expect((await answer(customer, 5, 1)).body.items).toMatchObject([{ empties: 1, isAnswered: true, deposit: 8 }])
    await answer(customer, 6)
    expect(await bottlesIn(customer)).toEqual([[6, 1, 3, 10], 10])
    await answer(customer, 6, 6)
    await answer(customer, 4)
    await answer(customer, 5)
    expect(await bottlesIn(customer)).toEqual([[5, 4, 3, 2], 2])
    await answer(customer, 2, 100)
    expect(await bottlesIn(customer)).toEqual([[2, 2, 3, 0], 0])
    for (const wrong of [-1, 101, 1.5]) expect((await answer(customer, 2, wrong)).status).toBe(422)
  })

  it('knows what is free of each type, also without items, so that the price of an order is known before it is placed', async () => {
    const home = await makeHome()
    const { customer, gallon, type } = home
    expect((await customer.call(getCart)).body.free).toEqual({})
    await hold(home, 3)
    expect((await customer.call(getCart)).body).toMatchObject({ items: [], free: { [type]: 3 } })
    await add(customer, gallon, 3)
    expect((await place(home)).status).toBe(200)
    // All are promised: the customer is not a new one, who would be asked.
    expect((await customer.call(getCart)).body).toMatchObject({ items: [], free: { [type]: 0 } })
    expect((await shop.visitor().call(getCart)).body.free).toEqual({})
  })

  it('shares what the customer has between two products in one bottle', async () => {
    const home = await makeHome()
    const { customer, gallon, water, type } = home
    await exchange(water, type)
    await shop.catalogue.reload()
    await hold(home, 3)
    await add(customer, gallon, 2)
    await add(customer, water, 2)
    expect(await bottlesIn(customer)).toEqual([[2, 2, 3, 0], [2, 1, 1, 2], 2])
    await answer(customer, 2, 0)
    expect(await bottlesIn(customer)).toEqual([[2, 0, 3, 4], [2, 2, 3, 0], 4])
  })

  it('asks for nothing once the vendor, the type or the terms say so', async () => {
    const home = await makeHome()
    await add(home.customer, home.gallon, 2)
    const changes = [
      ['update vendor_business set bottles = $2 where vendor_id = $1', home.vendor, false, true],
      ['update bottle_types set is_active = $2 where id = $1', home.type, false, true],
      ['update products set bottle_terms = $2 where id = $1', home.gallon, 'sold', 'exchange'],
    ] as const
    for (const [text, id, off, on] of changes) {
      await shop.query(text, [id, off])
      await shop.catalogue.reload()
      expect(await bottlesIn(home.customer)).toEqual([[2, 0, 0, 0], 0])
      await shop.query(text, [id, on])
      await shop.catalogue.reload()
      expect(await bottlesIn(home.customer)).toEqual([[2, 0, 0, 4], 4])
    }
  })

  it('keeps what was said at sign-in and while it is parked; a new one begins without', async () => {
    const home = await makeHome()
    const { customer, gallon } = home
    await hold(home, 2)
    const guest = shop.visitor()
    await add(guest, gallon, 4)
    await answer(guest, 4, 1)
    await add(customer, gallon, 1)
    const session = sha256(guest.cookies.get('sid') ?? '')
    await inTransaction(shop.app.pool, (db) =>
      // The command reads only these parts of Ctx.
      adoptGuestCart({ db, actor: { impersonator: null } } as Ctx, { userId: customer.id, guestSession: session }),
    )
    expect(await bottlesIn(customer)).toEqual([[4, 1, 2, 6], 6])
    const other = await makeProduct(shop, await makeVendor(shop))
    await customer.call(swapCart, { body: { items: [{ productId: other, quantity: 1 }] } })
    await customer.call(restoreCart)
    expect(await bottlesIn(customer)).toEqual([[4, 1, 2, 6], 6])
    const { body } = await place(home)
    await shop.query(`update orders set status = 'delivered', delivered_at = now() where id = $1`, [body.id])
    await customer.call(reorder, { params: { id: body.id } })
    expect(await bottlesIn(customer)).toEqual([[4, 2, 2, 4], 4])
  })
})

describe('an order with bottles that come back', () => {
  it('copies the bottle, counts the deposit and takes the promised bottles out of the next cart', async () => {
    const home = await makeHome()
    const { customer, gallon } = home
    await hold(home, 3)
    await add(customer, gallon, 4)
    const { body: cart } = await customer.call(getCart)
    const { body } = await place(home, { expectedTotal: cart.total })
    expect(body.total).toBe(6.75)
    expect(await linesOf(body.id)).toEqual([{ quantity: 4, terms: 'exchange', deposit, empties: 3 }])
    const { body: order } = await customer.call(getOrder, { params: { id: body.id } })
    expect(order).toMatchObject({ deposit: 2, total: 6.75, cashDue: 6.75 })
    expect(order.items).toMatchObject([{ bottleTerms: 'exchange', bottleDeposit: 2, empties: 3, orderedEmpties: null }])
    await add(customer, gallon, 3)
    expect(await bottlesIn(customer)).toEqual([[3, 0, 0, 6], 6])
    await customer.call(cancelOrder, { params: { id: body.id }, body: {} })
    expect(await bottlesIn(customer)).toEqual([[3, 3, 3, 0], 0])
  })

  it('is refused with the new cart if the deposit rose since the customer saw it', async () => {
    const home = await makeHome()
    await hold(home, 3)
    await add(home.customer, home.gallon, 3)
    const { body: cart } = await home.customer.call(getCart)
    await shop.query('update bottle_balances set count = 1 where customer_id = $1', [home.customer.id])
    await shop.query('update bottle_types set deposit = 2500 where id = $1', [home.type])
    const { refusal } = await place(home, { expectedTotal: cart.total })
    expect(refusal).toMatchObject({ code: 'PRICE_CHANGED', details: { cart: { deposit: 2.5, total: 6.25 } } })
    expect((await place(home, { expectedTotal: 6.25 })).status).toBe(200)
  })

  it('keeps its bottle in edits, with at most as many empties as bottles', async () => {
    const home = await makeHome()
    const { customer, gallon, water } = home
    await add(customer, gallon, 4)
    await answer(customer, 4, 3)
    const { body } = await place(home)
    await shop.query('update bottle_types set deposit = 9000, is_active = false where id = $1', [home.type])
    let version = 1
    async function edit(quantity: number, empties?: number) {
      const items = [
        { productId: gallon, quantity, empties },
        { productId: water, quantity: 2 },
      ]
      const answered = await customer.call(editMyItems, { params: { id: body.id }, body: { items, version } })
      version = answered.body.version
      return [answered.body.items[0]?.empties, answered.body.deposit]
    }
    expect(await edit(5)).toEqual([3, 4])
    expect(await edit(2)).toEqual([2, 0])
    expect(await edit(4)).toEqual([2, 4])
    expect(await edit(4, 4)).toEqual([4, 0])
    expect(await edit(4, 4)).toEqual([4, 0])
    expect(version).toBe(5)
    expect(await edit(1, 9)).toEqual([1, 0])
  })

  it('has a deposit for a product that an edit adds, less the empties that the customer names', async () => {
    const home = await makeHome()
    const { customer, gallon, water } = home
    const id = await home.order()
    const items = [
      { productId: water, quantity: 3 },
      { productId: gallon, quantity: 3, empties: 1 },
    ]
    const { body } = await customer.call(editMyItems, { params: { id }, body: { items, version: 1 } })
    expect(body.deposit).toBe(4)
    expect(body.items[1]).toMatchObject({ bottleDeposit: 2, empties: 1 })
  })

  it('placed by sales gives back what the customer has, or what the agent says', async () => {
    const home = await makeHome()
    await hold(home, 3)
    const agent = await makeVisitor(shop, { role: 'vendor_sales', vendorId: home.vendor })
    const sell = (empties?: number) =>
      agent.call(placeSalesOrder, {
        body: {
          ...home.body,
          phone: home.customer.phone,
          deliveryFee: 0,
          items: [{ productId: home.gallon, quantity: 4, empties }],
        },
      })
    expect((await sell(2)).body).toMatchObject({ deposit: 4, items: [{ empties: 2 }] })
    expect((await sell()).body).toMatchObject({ deposit: 6, items: [{ empties: 1 }] })
    expect((await sell(9)).body).toMatchObject({ deposit: 0, items: [{ empties: 4 }] })
  })

  it('promises no bottle twice when orders of one customer are placed at once', async () => {
    for (let round = 0; round < repeated(10, 3); round += 1) {
      const home = await makeHome()
      await hold(home, 5)
      const agents = await Promise.all(
        Array.from({ length: 4 }, () => makeVisitor(shop, { role: 'vendor_sales', vendorId: home.vendor })),
      )
      await add(home.customer, home.gallon, 3)
      const sales = agents.map((agent) =>
        agent.call(placeSalesOrder, {
          body: { ...home.body, phone: home.customer.phone, items: [{ productId: home.gallon, quantity: 3 }] },
        }),
      )
      const answers = await Promise.all([place(home), ...sales])
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const [sum] = await shop.query<{ empties: number; deposit: number }>(
        `select sum(i.empties)::int as empties, sum(o.deposit)::int as deposit
         from orders o join order_items i on i.order_id = o.id where o.user_id = $1`,
        [home.customer.id],
      )
      expect(sum).toEqual({ empties: 5, deposit: (15 - 5) * deposit })
    }
  })
})

describe('the bottles of a customer', () => {
  it('are counted at all addresses, with the deposit paid for them and their movements, for the customer alone', async () => {
    const home = await makeHome()
    const { customer, vendor, type } = home
    const entry = (kind: string, count: number, due: number, key: string) =>
      shop.query(
        `insert into ledger_entries (ledger, vendor_id, holder, holder_id, day, kind, amount, due, bottle_type_id, key, happened_at)
         values ('bottles', $1, 'customer', $2, current_date, $3, $4, $5, $6, $7, now())`,
        [vendor, customer.id, kind, count, due, type, `${type} ${key}`],
      )
    await entry('opening', 5, 8000, 'first')
    await entry('returned', -2, -4000, 'second')
    const { body } = await customer.call(listMyBottles)
    expect(body).toMatchObject([{ vendorId: vendor, typeId: type, count: 3, depositHeld: 4 }])
    expect(body[0]?.moves).toMatchObject([
      { kind: 'returned', count: -2, orderId: null },
      { kind: 'opening', count: 5 },
    ])
    expect((await (await makeVisitor(shop)).call(listMyBottles)).body).toEqual([])
    await shop.query('update vendor_business set bottles = false where vendor_id = $1', [vendor])
    expect((await customer.call(listMyBottles)).body).toEqual([])
  })
})

describe('the totals of random carts', () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 9 }),
    empties: fc.option(fc.integer({ min: 0, max: 9 })),
  })

  it('are those of the model, in the cart and in its order', async () => {
    const home = await makeHome()
    const { customer, vendor, type } = home
    const products = [home.gallon, home.water, await makeProduct(shop, vendor, { price: 805, vatPercentage: 5 })]
    const other = await makeBottleType(shop, vendor, { deposit })
    await exchange(products[2] ?? 0, other)
    await shop.catalogue.reload()
    await shop.query('update vendors set min_delivery_amount = 0 where id = $1', [vendor])
    await hold(home, 4)
    const facts = [
      { price: fils(1000), vatPercentage: 0, type },
      { price: fils(1505), vatPercentage: 10, type: null },
      { price: fils(805), vatPercentage: 5, type: other },
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 3 }), async (lines) => {
        for (const [i, { quantity, empties }] of lines.entries()) {
          const { body } = await add(customer, products[i] ?? 0, quantity)
          const item = body.items.find(({ productId }) => productId === products[i])
          if (empties !== null)
            await customer.call(updateCartItem, { params: { itemId: String(item?.id) }, body: { quantity, empties } })
        }
        const model = orderTotals(
          lines.map(({ quantity, empties }, i) => {
            const { price, vatPercentage, type: bottle } = facts[i] ?? { price: fils(0), vatPercentage: 0, type: null }
            const given = empties ?? (bottle === type ? 4 : 0)
            return {
              price,
              vatPercentage,
              quantity,
              empties: given,
              bottleDeposit: bottle === null ? null : fils(deposit),
            }
          }),
          { deliveryFee: fils(750) },
        )
        const { body: cart } = await customer.call(getCart)
        expect([cart.deposit, cart.total]).toEqual([toBhd(model.deposit), toBhd(model.total)])
        expect(toBhd(model.deposit)).toBeCloseTo(
          cart.items.reduce((sum, item) => sum + item.deposit, 0),
          9,
        )
        const { body } = await place(home, { expectedTotal: cart.total })
        expect(body.total).toBe(toBhd(model.total))
        await shop.query('delete from orders where id = $1', [body.id])
      }),
      { numRuns: repeated(40, 10) },
    )
  })
})
