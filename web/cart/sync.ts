import type { Cart } from '@qatra/contract/cart'
import type { ProductLine } from './view.ts'

/** The calls a cart line needs; each answers the whole cart. */
export interface CartCalls {
  add: (product: ProductLine, quantity: number) => Promise<Cart>
  update: (itemId: number, quantity: number, leaving: boolean) => Promise<Cart>
  remove: (itemId: number, leaving: boolean) => Promise<Cart>
}

export type CartAction = 'add' | 'update' | 'remove'

interface Parts {
  calls: CartCalls
  /** The server's last answer. */
  server: () => Cart
  answered: (cart: Cart) => void
  /** The wanted quantities changed: show the cart anew. */
  changed: () => void
  failed: (error: unknown, act: CartAction) => void
}

/** A quantity that was not sent to the server. */
export interface PendingLine {
  product: ProductLine
  quantity: number
}

interface Line extends PendingLine {
  timer: ReturnType<typeof setTimeout> | null
  /** Quantity on its way to the server; one request at a time for each line. */
  sending: number | null
  done: Promise<void>
}

/** From SPEC §9: sent when 2 seconds passed without another change. */
export const SYNC_DELAY_MS = 2000
/** Time for the last requests of the previous page to arrive. */
const RESUME_DELAY_MS = 500

/**
 * Lays wanted quantities over the server's cart and brings them there. A failed line falls back to what the server
 * has; a late answer of an older cart is ignored.
 */
export function createCartSync({ calls, server, answered, changed, failed }: Parts) {
  const lines = new Map<number, Line>()

  function take(cart: Cart) {
    const known = server()
    if (cart.id !== known.id || cart.version >= known.version) answered(cart)
  }

  async function request(line: Line, leaving: boolean): Promise<CartAction> {
    const item = server().items.find(({ productId }) => productId === line.product.id)
    if (item && line.quantity <= 0) {
      take(await calls.remove(item.id, leaving))
      return 'remove'
    }
    if (item && item.quantity !== line.quantity) take(await calls.update(item.id, line.quantity, leaving))
    if (!item && line.quantity > 0) take(await calls.add(line.product, line.quantity))
    return item ? 'update' : 'add'
  }

  const actOf = (line: Line): CartAction => {
    const isKnown = server().items.some(({ productId }) => productId === line.product.id)
    return isKnown ? (line.quantity <= 0 ? 'remove' : 'update') : 'add'
  }

  async function send(line: Line, leaving = false): Promise<void> {
    if (line.timer) clearTimeout(line.timer)
    line.timer = null
    if (line.sending !== null) return line.done
    line.sending = line.quantity
    const act = actOf(line)
    line.done = request(line, leaving).then(
      () => {
        const wasSent = line.sending === line.quantity
        line.sending = null
        if (!wasSent) return send(line)
        lines.delete(line.product.id)
        changed()
      },
      (error: unknown) => {
        line.sending = null
        lines.delete(line.product.id)
        changed()
        failed(error, act)
      },
    )
    return line.done
  }

  return {
    wanted: (): ReadonlyMap<number, { quantity: number; product: ProductLine }> => new Map(lines),
    isPending: () => lines.size > 0,

    /** Shows at once. A new line and a removal are sent at once too, a changed quantity when it has settled. */
    want(product: ProductLine, quantity: number) {
      const isKnown = server().items.some(({ productId }) => productId === product.id)
      const line = lines.get(product.id) ?? { product, quantity, timer: null, sending: null, done: Promise.resolve() }
      line.quantity = quantity
      lines.set(product.id, line)
      changed()
      if (line.timer) clearTimeout(line.timer)
      line.timer = null
      // A request under way sends what is wanted by then as soon as it is answered.
      if (line.sending !== null) return
      if (!isKnown || quantity <= 0) void send(line)
      else line.timer = setTimeout(() => void send(line), SYNC_DELAY_MS)
    },

    /**
     * Takes over lines that the previous page had not sent. Its last requests may still be in flight, so the cart is
     * read again before anything is sent: an add that arrived is not sent twice.
     */
    resume(left: readonly PendingLine[], reread: () => Promise<Cart>): Promise<void> {
      const isThere = ({ product, quantity }: PendingLine) =>
        (server().items.find(({ productId }) => productId === product.id)?.quantity ?? 0) === quantity
      const resumed = left
        .filter(({ product }) => !lines.has(product.id))
        .map(
          ({ product, quantity }): Line => ({
            product,
            quantity,
            timer: null,
            sending: quantity,
            done: Promise.resolve(),
          }),
        )
      if (resumed.length === 0) return Promise.resolve()
      const wait = [0, RESUME_DELAY_MS]
      const arrived = (async () => {
        for (const ms of wait) {
          if (ms > 0) await new Promise((done) => setTimeout(done, ms))
          take(await reread())
          if (left.every(isThere)) return
        }
      })().catch(() => undefined)
      for (const line of resumed) {
        lines.set(line.product.id, line)
        line.done = arrived.then(() => {
          // Cleared in the meantime: the cart was ordered or switched, or the person changed.
          if (lines.get(line.product.id) !== line) return
          line.sending = null
          return send(line)
        })
      }
      changed()
      return arrived
    },

    /** Everything pending is sent now; resolves when all of it was answered. `leaving` lets requests outlive the page. */
    async flush(leaving = false): Promise<void> {
      while (lines.size > 0) await Promise.all([...lines.values()].map((line) => send(line, leaving)))
    },

    /** What was wanted is void: the whole cart was cleared, switched, ordered or belongs to somebody else now. */
    forget() {
      for (const line of lines.values()) if (line.timer) clearTimeout(line.timer)
      lines.clear()
      changed()
    },
  }
}

export type CartSync = ReturnType<typeof createCartSync>
