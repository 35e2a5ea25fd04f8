import { changeManyOrders, changeOrderStatus } from '@qatra/contract/orders/admin'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { ReferenceData } from '../../database/reference-data.ts'
import type { App } from '../../http/runtime.ts'
import { serve } from '../../http/serve.ts'
import type { OrderLookup } from '../lookup-limit.ts'
import { numberDelivered } from '../receipt/commands.ts'
import { changeMany } from './bulk.commands.ts'
import { changeStatus, type DeliveryWrites, type RecordDelivery } from './commands.ts'

/** Staff's changes; the customer's cancellation is beside the other endpoints of an own order. */
export function orderStatusRoutes(
  app: App,
  { catalogue, recordDelivery }: { catalogue: ReferenceData<Catalogue>; recordDelivery: RecordDelivery },
  limited: OrderLookup,
) {
  const delivery: DeliveryWrites = {
    recordDelivery,
    giveNumber: (ctx, orderId) => numberDelivered(ctx, catalogue.current(), orderId),
  }
  serve(app, changeOrderStatus, (ctx, { params, body }) =>
    limited(ctx, () => changeStatus(ctx, params.id, body, delivery)),
  )
  // Each order is changed in its own transaction.
  const parts = { pool: app.pool, limited, delivery }
  serve(app, changeManyOrders, (ctx, { body }) => changeMany(ctx, parts, body), { transaction: 'none' })
}
