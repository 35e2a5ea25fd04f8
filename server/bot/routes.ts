import * as api from '@qatra/contract/whatsapp/inbox/cart'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { changeCartOf, sendCart } from './customer-cart.commands.ts'
import { readConversationCart } from './customer-cart.ts'
import type { KnownShop } from './knowledge/snapshot.queries.ts'

export function botRoutes(app: App, current: () => KnownShop) {
  serve(app, api.getConversationCart, (ctx, { params }) => readConversationCart(ctx, current(), params.contact))
  serve(app, api.changeConversationCart, (ctx, { params, body }) =>
    changeCartOf(ctx, current(), { ...params, ...body }),
  )
  serve(app, api.sendConversationCart, (ctx, { params }) => sendCart(ctx, app, current(), params.contact))
}
