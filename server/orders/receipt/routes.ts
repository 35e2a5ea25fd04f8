import type { Parsed } from '@qatra/contract/endpoint'
import * as api from '@qatra/contract/orders/receipts'
import type { SQL } from 'drizzle-orm'
import type { Catalogue } from '../../catalogue/queries.ts'
import type { Ctx } from '../../database/context.ts'
import type { ReferenceData } from '../../database/reference-data.ts'
import type { App } from '../../http/runtime.ts'
import { serve } from '../../http/serve.ts'
import { createKeyedSemaphore } from '../../lib/concurrency.ts'
import { attachment } from '../../lib/csv.ts'
import { AppError } from '../../lib/errors.ts'
import { mayGetWhatsapp } from '../../lib/phone-reach.ts'
import type { OrderLookup } from '../lookup-limit.ts'
import { managedBy, notErased, ownedBy } from '../policy.ts'
import { receiptDocument, receiptNumber } from './document.ts'
import { readReceiptToken } from './link.ts'
import { createPdfWorker } from './pdf-worker.ts'
import { requireReceiptOrder } from './queries.ts'
import { requestReceipt } from './request.commands.ts'

type ReceiptInput = Parsed<typeof api.getReceipt>

/** Receipts that are set at once for a person, and requests that wait for it; further ones get 429. */
const perPerson = { permits: 2, maxWaiting: 10 }

export function receiptRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const pdfWorker = createPdfWorker(app.log)
  app.http.addHook('onClose', async () => pdfWorker.stop())

  const turns = createKeyedSemaphore<number | string>(perPerson)

  /** A delivery note before the delivery, then the numbered receipt. Writes nothing. */
  async function print(ctx: Ctx, { params, query }: ReceiptInput, scope: SQL, { isDelivered = false } = {}) {
    const found = await limited(ctx, () => requireReceiptOrder(ctx, catalogue.current(), params.id, scope))
    const { order, receipt } = found
    if (isDelivered && order.status !== 'delivered') throw new AppError('RECEIPT_NOT_READY')
    const document = receiptDocument(found, { lang: query.lang ?? ctx.actor.lang, size: query.size })
    const pdf = await turns.run(ctx.actor.user?.id ?? order.id, () => pdfWorker.print(document))
    const name = receipt ? `receipt-${receiptNumber(receipt)}` : `delivery-note-${order.id}`
    ctx.setHeader('content-disposition', attachment(`${name}.pdf`))
    if (order.status === 'delivered') {
      ctx.setHeader('cache-control', 'private, max-age=60')
      ctx.setHeader('vary', 'Cookie')
    }
    return pdf
  }

  serve(app, api.sendReceipt, async (ctx, { params }) => {
    const isReachable = (phone: string) => mayGetWhatsapp(phone, app.config.codeCountries)
    await limited(ctx, () => requestReceipt(ctx, params.id, { scope: managedBy(ctx.actor), isReachable }))
    return { queued: true as const }
  })
  serve(app, api.getSharedReceipt, (ctx, { params }) => {
    const shared = readReceiptToken(app.config.secret, params.token, ctx.now)
    if (!shared) throw new AppError('ORDER_NOT_FOUND')
    const input = { params: { id: shared.orderId }, query: { lang: shared.lang, size: 'a4' as const } }
    // Not after the customer erased the account.
    return print(ctx, input, notErased, { isDelivered: true })
  })
  serve(app, api.getReceipt, (ctx, input) => print(ctx, input, managedBy(ctx.actor)))
  serve(app, api.getMyReceipt, (ctx, input) => print(ctx, input, ownedBy(ctx.actor), { isDelivered: true }))
}
