import * as api from '@qatra/contract/cart'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { addToCart, clearCart, restoreCart, setQuantity, switchCart } from './commands.ts'
import { readCart } from './queries.ts'

/** Single-statement commands need no transaction. */
const oneStatement = { transaction: 'none' } as const

export function cartRoutes(app: App, catalogue: ReferenceData<Catalogue>) {
  const { current } = catalogue
  serve(app, api.getCart, (ctx) => readCart(ctx, current()))
  serve(app, api.addToCart, (ctx, { body }) => addToCart(ctx, current(), app.cookies, body), oneStatement)
  serve(
    app,
    api.updateCartItem,
    (ctx, { params, body }) => setQuantity(ctx, current(), params.itemId, body.quantity),
    oneStatement,
  )
  serve(app, api.removeCartItem, (ctx, { params }) => setQuantity(ctx, current(), params.itemId, 0), oneStatement)
  serve(app, api.clearCart, (ctx) => clearCart(ctx, current()), oneStatement)
  serve(app, api.switchCart, (ctx, { body }) => switchCart(ctx, current(), app.cookies, body))
  serve(app, api.restoreCart, (ctx) => restoreCart(ctx, current()))
}
