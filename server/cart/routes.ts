import * as api from '@qatra/contract/cart/cart'
import type { AnyEndpoint } from '@qatra/contract/endpoint'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { type Handler, serve } from '../http/serve.ts'
import { createKeyedSemaphore } from '../lib/concurrency.ts'
import { ownerOf } from './cart.sql.ts'
import { addToCart, clearCart, restoreCart, setQuantity, swapCart, switchCart } from './commands.ts'
import { readCart } from './queries.ts'

/** Connections of requests that wait for one cart's lock, so that the pool has some left for other carts. */
const perCart = { permits: 3, maxWaiting: 180 }

export function cartRoutes(app: App, catalogue: ReferenceData<Catalogue>) {
  const { current } = catalogue
  const connections = createKeyedSemaphore<string>(perCart)
  /** A transaction of its own, which starts after the session's look-up and locks the cart with its first round trip. */
  function change<E extends AnyEndpoint>(endpoint: E, handler: Handler<E>) {
    const inOwnTransaction: Handler<E> = async (ctx, input) => {
      const work = () => inTransaction(app.pool, async (db, commitWith) => handler({ ...ctx, db, commitWith }, input))
      const owner = ownerOf(ctx.actor)
      return owner === null ? work() : connections.run(owner, work)
    }
    serve(app, endpoint, inOwnTransaction, { transaction: 'none' })
  }
  serve(app, api.getCart, (ctx) => readCart(ctx, current()), { isReadWithoutPrimary: true })
  change(api.addToCart, (ctx, { body }) => addToCart(ctx, current(), app.cookies, body))
  change(api.updateCartItem, (ctx, { params, body }) => setQuantity(ctx, current(), params.itemId, body))
  change(api.removeCartItem, (ctx, { params }) => setQuantity(ctx, current(), params.itemId, { quantity: 0 }))
  change(api.clearCart, (ctx) => clearCart(ctx, current()))
  change(api.switchCart, (ctx, { body }) => switchCart(ctx, current(), app.cookies, body))
  change(api.swapCart, (ctx, { body }) => swapCart(ctx, current(), app.cookies, body))
  change(api.restoreCart, (ctx) => restoreCart(ctx, current()))
}
