import type { OrderStatus } from '@qatra/contract/order-status'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { ReferenceData } from '../../database/reference-data.ts'
import type { App } from '../../http/runtime.ts'
import { issueReceipt } from './commands.ts'
import { requireReceiptOrder } from './queries.ts'

/** Every delivered order gets a number, printed or not. */
export function receiptJobs(app: App, catalogue: ReferenceData<Catalogue>) {
  app.queue.handle<{ id: string; to: OrderStatus }>(
    'receipt-numbers',
    { on: ['order.status-changed'], batch: 50, concurrency: 1 },
    async ({ data: { id, to } }) => {
      if (to !== 'delivered') return
      const { order, seller } = await requireReceiptOrder(app, catalogue.current(), id)
      if (order.status === 'delivered')
        await issueReceipt(app.pool, { orderId: order.id, vendorId: order.vendorId, seller })
    },
  )
}
