import type { Cart, CartItem } from '@qatra/contract/cart/cart'
import type { ProductLine } from '../catalogue/product-line.ts'
import { debounce } from '../lib/debounce.ts'
import { isOlder } from './view.ts'

/** Calls that change a cart line; each returns the whole cart. */
export interface CartCalls {
  add: (product: ProductLine, quantity: number) => Promise<Cart>
  update: (itemId: number, line: { quantity: number; empties?: number | undefined }, leaving: boolean) => Promise<Cart>
  remove: (itemId: number, leaving: boolean) => Promise<Cart>
}

export type CartAction = 'add' | 'update' | 'remove'

interface Parts {
  calls: CartCalls
  /** The last answer of the server. */
  server: () => Cart
  answered: (cart: Cart) => void
  /** The wanted quantities changed: render the cart again. */
  changed: () => void
  failed: (error: unknown, action: CartAction) => void
}

/** What was not sent to the server. */
export interface PendingLine {
  product: ProductLine
  quantity: number
  /** Empty bottles that the customer gives back, if chosen. */
  empties?: number | undefined
}

interface Line extends PendingLine {
  sendLater: ReturnType<typeof debounce>
  /** One request at a time for each line. */
  isSending: boolean
  /** Since the last request. */
  isChanged: boolean
  done: Promise<void>
}

/** SPEC §9: a quantity is sent 2 seconds after its last change. */
export const SYNC_DELAY_MS = 2000
/** Time for the last requests of the previous page to arrive. */
const RESUME_DELAY_MS = 500

const isSame = (item: CartItem, { quantity, empties }: PendingLine) =>
  item.quantity === quantity && (empties === undefined || (item.isAnswered && item.empties === empties))

/**
 * Applies wanted quantities to the server's cart and sends them. A failed line falls back to the server's quantity; an
 * answer with an older version is ignored.
 */
export function createCartSync({ calls, server, answered, changed, failed }: Parts) {
  const lines = new Map<number, Line>()

  /** False after `forget`: an answer to this line is about the cart of another person. */
  const isCurrent = (line: Line) => lines.get(line.product.id) === line

  function take(cart: Cart, line: Line) {
    if (isCurrent(line) && !isOlder(cart, server())) answered(cart)
  }

  async function request(line: Line, leaving: boolean): Promise<void> {
    const item = server().items.find(({ productId }) => productId === line.product.id)
    if (item && line.quantity <= 0) take(await calls.remove(item.id, leaving), line)
    else if (item && !isSame(item, line)) take(await calls.update(item.id, line, leaving), line)
    else if (!item && line.quantity > 0) take(await calls.add(line.product, line.quantity), line)
  }

  const actionOf = (line: Line): CartAction => {
    const isKnown = server().items.some(({ productId }) => productId === line.product.id)
    return isKnown ? (line.quantity <= 0 ? 'remove' : 'update') : 'add'
  }

  function lineOf(pending: PendingLine, isSending = false): Line {
    const sendLater = debounce(() => void send(line), SYNC_DELAY_MS)
    const line: Line = { ...pending, sendLater, isSending, isChanged: false, done: Promise.resolve() }
    return line
  }

  async function send(line: Line, leaving = false): Promise<void> {
    line.sendLater.cancel()
    if (line.isSending) return line.done
    line.isSending = true
    line.isChanged = false
    const action = actionOf(line)
    line.done = request(line, leaving).then(
      () => {
        if (!isCurrent(line)) return
        line.isSending = false
        if (line.isChanged) return send(line)
        lines.delete(line.product.id)
        changed()
      },
      (error: unknown) => {
        if (!isCurrent(line)) return
        line.isSending = false
        lines.delete(line.product.id)
        changed()
        failed(error, action)
      },
    )
    return line.done
  }

  return {
    wanted: (): ReadonlyMap<number, PendingLine> => new Map(lines),
    isPending: () => lines.size > 0,

    /**
     * Changes the shown quantity at once. Sends a new line or a removal at once, a changed quantity after
     * SYNC_DELAY_MS.
     */
    want(product: ProductLine, quantity: number, empties?: number) {
      const isKnown = server().items.some(({ productId }) => productId === product.id)
      const line = lines.get(product.id) ?? lineOf({ product, quantity })
      line.quantity = quantity
      line.empties = empties ?? line.empties
      line.isChanged = true
      lines.set(product.id, line)
      changed()
      line.sendLater.cancel()
      // The request in flight is followed by one with the latest state.
      if (line.isSending) return
      if (!isKnown || quantity <= 0) void send(line)
      else line.sendLater()
    },

    /**
     * Resumes lines that the previous page had not sent. Its last requests may be in flight, so the cart is read again
     * first: an addition that arrived is not sent twice.
     */
    resume(left: readonly PendingLine[], reread: () => Promise<Cart>): Promise<void> {
      function isThere(line: PendingLine) {
        const item = server().items.find(({ productId }) => productId === line.product.id)
        return item ? isSame(item, line) : line.quantity === 0
      }
      const resumed = left.filter(({ product }) => !lines.has(product.id)).map((pending) => lineOf(pending, true))
      if (resumed.length === 0) return Promise.resolve()
      const wait = [0, RESUME_DELAY_MS]
      const arrived = (async () => {
        for (const ms of wait) {
          if (ms > 0) await new Promise((done) => setTimeout(done, ms))
          const cart = await reread()
          if (!resumed.every(isCurrent)) return
          if (!isOlder(cart, server())) answered(cart)
          if (left.every(isThere)) return
        }
      })().catch(() => undefined)
      for (const line of resumed) {
        lines.set(line.product.id, line)
        line.done = arrived.then(() => {
          if (!isCurrent(line)) return
          line.isSending = false
          return send(line)
        })
      }
      changed()
      return arrived
    },

    /** Sends all pending changes and resolves after all answers. `leaving` lets requests outlive the page. */
    async flush(leaving = false): Promise<void> {
      while (lines.size > 0) await Promise.all([...lines.values()].map((line) => send(line, leaving)))
    },

    /** Discards wanted quantities, answers and retries: the person changed. */
    forget() {
      for (const line of lines.values()) line.sendLater.cancel()
      lines.clear()
      changed()
    },
  }
}

export type CartSync = ReturnType<typeof createCartSync>
