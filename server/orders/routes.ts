import * as editing from '@qatra/contract/orders/editing'
import * as api from '@qatra/contract/orders/orders'
import type { Catalogue } from '../catalogue/queries.ts'
import { userOf } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { createKeyedSemaphore } from '../lib/concurrency.ts'
import { MAX_ORDERS_PER_HOUR, placeCartOrder } from './checkout/commands.ts'
import { changeOwnAddress } from './editing/address.commands.ts'
import { editOwnItems } from './editing/items.commands.ts'
import type { OrderLookup } from './lookup-limit.ts'
import { countRefused } from './placing/metrics.ts'
import { rescheduleOwnOrder } from './promise/commands.ts'
import { listMyOrders, requireOrder } from './queries.ts'
import { reorder } from './reorder/commands.ts'
import { cancelOrder } from './status/commands.ts'

/** Requests of one customer that wait to place an order; further ones are refused. */
const MAX_WAITING = 60

export function orderRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const maxPerHour = app.config.rateLimits ? MAX_ORDERS_PER_HOUR : null
  const mutex = createKeyedSemaphore<number>({ permits: 1, maxWaiting: MAX_WAITING })
  // A transaction of its own, which starts after the session's look-up: waiting requests of one customer hold no connection.
  serve(
    app,
    api.placeOrder,
    (ctx, { body }) =>
      mutex.run(userOf(ctx).id, () =>
        inTransaction(app.pool, (db, commitWith) =>
          placeCartOrder(
            { ...ctx, db, commitWith },
            { channel: 'shop', catalogue: catalogue.current(), body, maxPerHour },
          ),
        ),
      ),
    { transaction: 'none', onRefused: (refusal) => countRefused('shop', refusal) },
  )
  serve(app, api.listMyOrders, (ctx, { query }) => listMyOrders(ctx, query), { isReadWithoutPrimary: true })
  serve(app, api.getOrder, (ctx, { params }) => limited(ctx, () => requireOrder(ctx, params.id)), {
    isReadWithoutPrimary: true,
  })
  serve(app, api.cancelOrder, (ctx, { params, body }) => limited(ctx, () => cancelOrder(ctx, params.id, body.reason)))
  serve(app, api.rescheduleOrder, (ctx, { params, body }) =>
    limited(ctx, () => rescheduleOwnOrder(ctx, params.id, body)),
  )
  serve(app, editing.editMyItems, (ctx, { params, body }) => limited(ctx, () => editOwnItems(ctx, params.id, body)))
  serve(app, editing.editMyAddress, (ctx, { params, body }) =>
    limited(ctx, () => changeOwnAddress(ctx, catalogue.current(), params.id, body)),
  )
  serve(app, api.reorder, (ctx, { params }) => limited(ctx, () => reorder(ctx, params.id)))
}
