import { changeManyOrders, changeOrderStatus } from '@qatra/contract/orders/admin'
import type { App } from '../../http/runtime.ts'
import { serve } from '../../http/serve.ts'
import type { OrderLookup } from '../lookup-limit.ts'
import { changeMany } from './bulk.commands.ts'
import { changeStatus, type RecordDelivery } from './commands.ts'

/** Staff's changes; the customer's cancellation is beside the other endpoints of an own order. */
export function orderStatusRoutes(app: App, recordDelivery: RecordDelivery, limited: OrderLookup) {
  serve(app, changeOrderStatus, (ctx, { params, body }) =>
    limited(ctx, () => changeStatus(ctx, params.id, body, recordDelivery)),
  )
  // Each order is changed in its own transaction.
  const parts = { pool: app.pool, limited, recordDelivery }
  serve(app, changeManyOrders, (ctx, { body }) => changeMany(ctx, parts, body), { transaction: 'none' })
}
