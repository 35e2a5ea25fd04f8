import * as api from '@qatra/contract/orders'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { MAX_ORDERS_PER_HOUR, placeOrder } from './checkout/commands.ts'
import { limitOrderLookups } from './lookup-limit.ts'
import { listMyOrders, requireOrder } from './queries.ts'
import { reorder } from './reorder/commands.ts'
import { cancelOrder } from './status/commands.ts'

export function orderRoutes(app: App, catalogue: ReferenceData<Catalogue>) {
  const limited = limitOrderLookups(app.config)
  const maxPerHour = app.config.rateLimits ? MAX_ORDERS_PER_HOUR : null
  serve(
    app,
    api.placeOrder,
    (ctx, { body }) => placeOrder(ctx, { catalogue: catalogue.current(), body, client: ctx.client, maxPerHour }),
    { transaction: 'none' },
  )
  serve(app, api.listMyOrders, (ctx, { query }) => listMyOrders(ctx, query))
  serve(app, api.getOrder, (ctx, { params }) => limited(ctx, () => requireOrder(ctx, params.id)))
  serve(app, api.cancelOrder, (ctx, { params, body }) => limited(ctx, () => cancelOrder(ctx, params.id, body.reason)))
  serve(app, api.reorder, (ctx, { params }) => limited(ctx, () => reorder(ctx, params.id)))
}
