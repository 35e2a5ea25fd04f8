import type { Cart } from '@qatra/contract/cart/cart'
import { emptyCart } from '@qatra/contract/cart/cart'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ProductLine } from '../catalogue/product-line.ts'
import { pricedCart } from './priced-cart.ts'
import { type CartAction, type CartCalls, createCartSync, SYNC_DELAY_MS } from './sync.ts'
import { cartView } from './view.ts'

const product = (id: number): ProductLine => ({
  id,
  vendorId: 1,
  name: `Water ${id}`,
  nameAr: null,
  size: '500ml',
  price: 1.35,
  imageUrl: null,
  vatPercentage: 0,
  inventoryUnit: null,
  inventoryUnitAr: null,
  unitsPerInventoryUnit: 1,
  bottle: null,
})

/** Fake server with one cart: quantities by product, an increasing version; every answer is the whole cart. */
function createServer() {
  const quantities = new Map<number, number>()
  let version = 0
  const cart = (): Cart => {
    const wanted = new Map([...quantities].map(([id, quantity]) => [id, { quantity, product: product(id) }]))
    const view = pricedCart(cartView({ ...emptyCart, id: 1 }, wanted), 1)
    return { ...view, version, items: view.items.map((item) => ({ ...item, id: item.productId + 100 })) }
  }
  const change = (id: number, quantity: number) => {
    version += 1
    if (quantity > 0) quantities.set(id, quantity)
    else quantities.delete(id)
    return cart()
  }
  return { quantities, cart, change }
}

interface Setup {
  /** Delays or rejects an answer. */
  through?: <T>(answer: () => T, name: string) => Promise<T>
}

function setUp({ through = async (answer) => answer() }: Setup = {}) {
  const remote = createServer()
  let known: Cart = emptyCart
  const sent: string[] = []
  const failures: CartAction[] = []
  const send = (name: string, answer: () => Cart) => {
    sent.push(name)
    return through(answer, name)
  }
  const calls: CartCalls = {
    add: ({ id }, quantity) => send(`add ${id} ${quantity}`, () => remote.change(id, quantity)),
    update: (itemId, { quantity, empties }) =>
      send(['update', itemId - 100, quantity, empties].join(' ').trim(), () => remote.change(itemId - 100, quantity)),
    remove: (itemId) => send(`remove ${itemId - 100}`, () => remote.change(itemId - 100, 0)),
  }
  const sync = createCartSync({
    calls,
    server: () => known,
    answered: (cart) => {
      known = cart
    },
    changed: () => {},
    failed: (_, action) => void failures.push(action),
  })
  const shown = () =>
    Object.fromEntries(cartView(known, sync.wanted()).items.map((item) => [item.productId, item.quantity]))
  const reread = async () => {
    known = remote.cart()
    return known
  }
  return { sync, sent, failures, shown, remote, reread }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('cart sync in the browser', () => {
  it('shows a new product and sends it without a delay', async () => {
    const { sync, sent, shown } = setUp()
    sync.want(product(1), 1)
    expect(shown()).toEqual({ 1: 1 })
    expect(sent).toEqual(['add 1 1'])
    await vi.runAllTimersAsync()
    expect(shown()).toEqual({ 1: 1 })
  })

  it('sends a changed quantity once, two seconds after the last change', async () => {
    const { sync, sent, shown } = setUp()
    sync.want(product(1), 1)
    await vi.advanceTimersByTimeAsync(0)
    for (const quantity of [2, 3, 4]) {
      sync.want(product(1), quantity)
      await vi.advanceTimersByTimeAsync(SYNC_DELAY_MS - 1)
    }
    expect(shown()).toEqual({ 1: 4 })
    expect(sent).toEqual(['add 1 1'])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual(['add 1 1', 'update 1 4'])
  })

  it('sends empty bottles with the quantity, also where only they changed', async () => {
    const { sync, sent } = setUp()
    sync.want(product(1), 3)
    await vi.advanceTimersByTimeAsync(0)
    sync.want(product(1), 3, 2)
    sync.want(product(1), 4)
    await vi.advanceTimersByTimeAsync(SYNC_DELAY_MS)
    sync.want(product(1), 4, 0)
    await sync.flush()
    expect(sent).toEqual(['add 1 3', 'update 1 4 2', 'update 1 4 0'])
  })

  it('sends a removal without a delay', async () => {
    const { sync, sent, shown } = setUp()
    sync.want(product(1), 1)
    await vi.advanceTimersByTimeAsync(0)
    sync.want(product(1), 0)
    expect(shown()).toEqual({})
    expect(sent).toEqual(['add 1 1', 'remove 1'])
  })

  it('sends one request at a time for a line, then the latest wanted quantity', async () => {
    const { sync, sent, shown } = setUp({
      through: (answer) => new Promise((done) => setTimeout(() => done(answer()), 5000)),
    })
    sync.want(product(1), 1)
    sync.want(product(1), 2)
    sync.want(product(1), 3)
    await vi.advanceTimersByTimeAsync(4999)
    expect(sent).toEqual(['add 1 1'])
    await vi.runAllTimersAsync()
    expect(sent).toEqual(['add 1 1', 'update 1 3'])
    expect(shown()).toEqual({ 1: 3 })
  })

  it('falls back to the quantity of the server if a change is rejected', async () => {
    const { sync, failures, shown } = setUp({
      through: async (answer, name) => {
        if (name.startsWith('update')) throw new Error('refused')
        return answer()
      },
    })
    sync.want(product(1), 1)
    await vi.advanceTimersByTimeAsync(0)
    sync.want(product(1), 9)
    await vi.runAllTimersAsync()
    expect(shown()).toEqual({ 1: 1 })
    expect(failures).toEqual(['update'])
  })

  it('flushes pending changes before the checkout', async () => {
    const { sync, sent } = setUp()
    sync.want(product(1), 1)
    sync.want(product(2), 1)
    await vi.advanceTimersByTimeAsync(0)
    sync.want(product(1), 5)
    sync.want(product(2), 6)
    await sync.flush()
    expect(sent.slice(2)).toEqual(['update 1 5', 'update 2 6'])
    expect(sync.isPending()).toBe(false)
  })

  it('ends with the wanted quantities, in whatever order the answers arrive', async () => {
    vi.useRealTimers()
    const change = fc.record({ id: fc.integer({ min: 1, max: 3 }), quantity: fc.integer({ min: 0, max: 9 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(change, { minLength: 1, maxLength: 12 }),
        async (scheduler, changes) => {
          const { sync, shown, remote } = setUp({
            // The server processes a request on arrival; the scheduler decides when the answer arrives.
            through: (answer, name) => scheduler.schedule(Promise.resolve(answer()), name),
          })
          const wanted = new Map<number, number>()
          for (const { id, quantity } of changes) {
            sync.want(product(id), quantity)
            wanted.set(id, quantity)
            if (scheduler.count() > 0 && quantity % 2 === 0) await scheduler.waitOne()
          }
          const flushed = sync.flush()
          await scheduler.waitFor(flushed)
          const expected = Object.fromEntries([...wanted].filter(([, quantity]) => quantity > 0))
          expect(Object.fromEntries(remote.quantities)).toEqual(expected)
          expect(shown()).toEqual(expected)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('lines stored by the previous page', () => {
  it('are shown at once, and sent if the server does not have them', async () => {
    const { sync, remote, shown, sent, reread } = setUp()
    remote.change(1, 4)
    await reread()
    const resumed = sync.resume([{ product: product(1), quantity: 5 }], reread)
    expect(shown()).toEqual({ 1: 5 })
    await vi.runAllTimersAsync()
    await resumed
    await sync.flush()
    expect(sent).toEqual(['update 1 5'])
    expect([shown(), remote.quantities.get(1), sync.isPending()]).toEqual([{ 1: 5 }, 5, false])
  })

  it('are not sent twice if the last request of that page arrives late', async () => {
    const { sync, remote, sent, reread } = setUp()
    setTimeout(() => remote.change(1, 2), 200)
    const resumed = sync.resume([{ product: product(1), quantity: 2 }], reread)
    await vi.runAllTimersAsync()
    await resumed
    await sync.flush()
    expect([sent, remote.quantities.get(1), sync.isPending()]).toEqual([[], 2, false])
  })

  it('delay a flush until they are settled', async () => {
    const { sync, remote, reread } = setUp()
    remote.change(1, 4)
    await reread()
    void sync.resume([{ product: product(1), quantity: 0 }], reread)
    const flushed = sync.flush().then(() => remote.quantities.get(1))
    await vi.runAllTimersAsync()
    expect(await flushed).toBeUndefined()
  })
})

describe('after the person changed', () => {
  const answers: (() => void)[] = []
  const held = <T>(answer: () => T) => new Promise<T>((resolve) => void answers.push(() => resolve(answer())))
  const refused = () => new Promise<never>((_, reject) => void answers.push(() => reject(new Error('refused'))))
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer()
    return vi.runAllTimersAsync()
  }

  it('an answer changes no cart, and a later quantity is not sent', async () => {
    const { sync, sent, shown } = setUp({ through: held })
    sync.want(product(1), 1)
    sync.want(product(1), 2)
    sync.forget()
    await answerAll()
    expect([sent, shown(), sync.isPending()]).toEqual([['add 1 1'], {}, false])
  })

  it('a refusal is not shown', async () => {
    const { sync, failures } = setUp({ through: refused })
    sync.want(product(1), 1)
    sync.forget()
    await answerAll()
    expect(failures).toEqual([])
  })

  it('an answer does not end a line that the next person wants', async () => {
    const { sync, shown } = setUp({ through: held })
    sync.want(product(1), 1)
    sync.forget()
    sync.want(product(1), 3)
    answers.shift()?.()
    await vi.runAllTimersAsync()
    expect([shown(), sync.isPending()]).toEqual([{ 1: 3 }, true])
    await answerAll()
    expect([shown(), sync.isPending()]).toEqual([{ 1: 3 }, false])
  })

  it('stored lines are not sent, and the cart is not read again for them', async () => {
    const { sync, sent, shown, remote } = setUp()
    const reread = vi.fn(() => held(() => remote.change(1, 4)))
    void sync.resume([{ product: product(1), quantity: 5 }], reread)
    sync.forget()
    await answerAll()
    expect([sent, shown(), reread.mock.calls.length]).toEqual([[], {}, 1])
  })
})

describe('the shown cart with bottles that come back', () => {
  const bottle = { typeId: 1, terms: 'exchange' as const, name: 'Gallon', nameAr: null, deposit: 2 }
  const gallon = { ...product(1), bottle }
  const [line] = pricedCart(
    cartView({ ...emptyCart, id: 1 }, new Map([[1, { product: gallon, quantity: 2 }]])),
    1,
  ).items
  const shown = (free: Record<string, number>, stored: object, want: object) => {
    const server = { ...emptyCart, id: 1, free, items: line ? [{ ...line, ...stored }] : [] }
    const wanted = new Map([[1, { product: gallon, quantity: 5, ...want }]])
    const { items, deposit } = pricedCart(cartView(server, wanted), 0)
    return [items[0]?.empties, items[0]?.deposit, deposit]
  }

  it.each([
    ['has a deposit for all of them while the customer has none', {}, {}, {}, [0, 10, 10]],
    ['gives back what the customer has', { 1: 3 }, {}, {}, [3, 4, 4]],
    ['gives back at most the quantity', { 1: 9 }, { empties: 2 }, {}, [5, 0, 0]],
    ['keeps what was chosen', { 1: 9 }, { empties: 1, isAnswered: true }, {}, [1, 8, 8]],
    ['shows what is chosen at once', { 1: 9 }, { empties: 2 }, { empties: 0 }, [0, 10, 10]],
    ['limits what was chosen to a lower quantity', {}, { empties: 4, isAnswered: true }, { quantity: 2 }, [2, 0, 0]],
  ])('%s', (_, free, stored, want, expected) => {
    expect(shown(free, stored, want)).toEqual(expected)
  })
})
