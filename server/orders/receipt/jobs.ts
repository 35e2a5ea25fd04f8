import type { OrderStatus } from '@qatra/contract/orders/order-status'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { ReferenceData } from '../../database/reference-data.ts'
import type { App } from '../../http/runtime.ts'
import { getsNumber, issueReceipt } from './commands.ts'
import { findReceiptOrder } from './queries.ts'

/** Every delivered order gets a number, printed or not. */
export function receiptJobs(app: App, catalogue: ReferenceData<Catalogue>) {
  app.queue.handle<{ id: string; to: OrderStatus }>(
    'receipt-numbers',
    { on: ['order.status-changed'], batch: 50, concurrency: 1 },
    async ({ data: { id, to } }) => {
      if (to !== 'delivered') return
      const found = await findReceiptOrder(app, catalogue.current(), id)
      // A test order may be deleted by now.
      if (found?.order.status !== 'delivered' || !getsNumber(found.order)) return
      const { order, seller, buyerVatNumber } = found
      await issueReceipt(app.pool, { orderId: order.id, vendorId: order.vendorId, seller, buyerVatNumber })
    },
  )
}
