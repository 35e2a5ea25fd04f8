import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { exportVat, listVat } from '@qatra/contract/corrections'
import * as drivers from '@qatra/contract/drivers'
import type { Parsed } from '@qatra/contract/endpoint'
import * as bottlesApi from '@qatra/contract/my-bottles'
import * as adminApi from '@qatra/contract/orders/admin'
import { changeManyOrders, changeOrderStatus } from '@qatra/contract/orders/admin'
import * as confirmation from '@qatra/contract/orders/confirmation'
import * as delivery from '@qatra/contract/orders/delivery'
import * as editing from '@qatra/contract/orders/editing'
import * as api from '@qatra/contract/orders/orders'
import * as paymentsApi from '@qatra/contract/orders/payments'
import * as receiptsApi from '@qatra/contract/orders/receipts'
import * as timelineApi from '@qatra/contract/orders/timeline'
import * as views from '@qatra/contract/orders/views'
import * as salesApi from '@qatra/contract/sales'
import * as visitsApi from '@qatra/contract/visits'
import type { SQL } from 'drizzle-orm'
import { listOwnBottles } from '../bottles/queries.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { type Ctx, userOf } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveTable } from '../http/serve-table.ts'
import { createKeyedSemaphore } from '../lib/concurrency.ts'
import { attachment } from '../lib/csv.ts'
import { AppError } from '../lib/errors.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { listPriceFloors } from '../vendors/queries.ts'
import { addOrderNote, removeView, saveView, sendConfirmation, setDriver } from './admin/commands.ts'
import { exportOrders } from './admin/export.queries.ts'
import { countOrders, listOrders } from './admin/list.queries.ts'
import {
  listDayLoads,
  listDrivers,
  listViews,
  readConfirmation,
  readTimeline,
  requireAdminOrder,
} from './admin/queries.ts'
import { MAX_ORDERS_PER_HOUR, placeCartOrder } from './checkout/commands.ts'
import { rateOrder } from './commands.ts'
import { changeAddress, changeBuyer, changeOwnAddress, editOrderItems, editOwnItems } from './editing/commands.ts'
import type { OrderLookup } from './lookup-limit.ts'
import { addPayment, changePayment } from './payment/commands.ts'
import { listPayments } from './payment/queries.ts'
import { countRefused } from './placing/metrics.ts'
import { managedBy, notErased, ownedBy, soldBy } from './policy.ts'
import { calendarFile } from './promise/calendar-file.ts'
import { changePromisedDate, rescheduleOwnOrder } from './promise/commands.ts'
import { listMyOrders, pageOfOrders, requireOrder, requireOrderRow } from './queries.ts'
import { numberDelivered, requestReceipt } from './receipt/commands.ts'
import { paperName, receiptDocument } from './receipt/document.ts'
import { readReceiptToken, receiptLink } from './receipt/link.ts'
import { createPdfWorker } from './receipt/pdf-worker.ts'
import { requireReceiptOrder } from './receipt/queries.ts'
import { exportedVat, readVat } from './receipt/vat.queries.ts'
import { reorder } from './reorder/commands.ts'
import { placeSalesOrder } from './sales/commands.ts'
import { listSalesDays, requireSalesCustomer } from './sales/queries.ts'
import { readDoorCounts } from './status/bottles.queries.ts'
import { changeMany } from './status/bulk.commands.ts'
import { cancelOrder, changeStatus, type GiveNumber } from './status/commands.ts'
import { cancelCollection, cancelVisit, changeVisit, createVisit, requestCollection } from './visits/commands.ts'
import { listVisits } from './visits/queries.ts'

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
  serve(app, bottlesApi.listMyBottles, listOwnBottles, { isReadWithoutPrimary: true })
  serve(app, bottlesApi.getOrderBottles, (ctx, { params }) =>
    limited(ctx, async () => readDoorCounts(ctx, (await requireOrderRow(ctx, params.id, ownedBy(ctx.actor))).id)),
  )
  serve(app, bottlesApi.requestCollection, (ctx, { body }) => requestCollection(ctx, catalogue.current(), body))
  serve(app, bottlesApi.cancelCollection, (ctx, { params }) => cancelCollection(ctx, params))
  serve(app, visitsApi.listVisits, (ctx, { query }) => listVisits(ctx, query))
  serve(app, visitsApi.createVisit, (ctx, { body }) => createVisit(ctx, catalogue.current(), body))
  serve(app, visitsApi.changeVisit, (ctx, { params, body }) => changeVisit(ctx, params.id, body))
  serve(app, visitsApi.cancelVisit, (ctx, { params }) => cancelVisit(ctx, params))
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
  serve(app, api.rateOrder, (ctx, { params, body }) => limited(ctx, () => rateOrder(ctx, params.id, body)))
  serve(app, api.reorder, (ctx, { params }) => limited(ctx, () => reorder(ctx, params.id)))
}

export function orderAdminRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const isReachable = (phone: string) => mayGetWhatsapp(phone, app.config.codeCountries)

  serve(app, adminApi.listOrders, (ctx, { query }) => listOrders(ctx, query))
  serve(app, adminApi.countOrders, (ctx, { query }) => countOrders(ctx, query))
  serveTable(app, adminApi.exportOrders, async (ctx, { query: { lang, rows, ...filters } }) => {
    const table = await exportOrders(ctx, filters, { lang: lang ?? ctx.actor.lang, rows })
    return { list: 'orders', filters, name: `orders-${bahrainDate(ctx.now)}`, table }
  })
  serve(app, listVat, (ctx, { query }) => readVat(ctx, query))
  serveTable(app, exportVat, (ctx, { query: { lang, ...filters } }) => {
    return { list: 'vat', filters, name: 'vat', table: exportedVat(ctx, filters, lang ?? ctx.actor.lang) }
  })
  serve(app, views.listOrderViews, (ctx) => listViews(ctx))
  serve(app, views.saveOrderView, (ctx, { body }) => saveView(ctx, body))
  serve(app, views.removeOrderView, (ctx, { params }) => removeView(ctx, params.id))
  serve(app, delivery.listDayLoads, (ctx, { query }) => listDayLoads(ctx, query))
  serve(app, drivers.listDrivers, (ctx, { query }) => listDrivers(ctx, query))
  serve(app, adminApi.getAdminOrder, (ctx, { params }) => limited(ctx, () => requireAdminOrder(ctx, params.id)))
  serve(app, timelineApi.getTimeline, (ctx, { params }) => limited(ctx, () => readTimeline(ctx, params.id)))
  serve(app, adminApi.changePayment, (ctx, { params, body }) => limited(ctx, () => changePayment(ctx, params.id, body)))
  serve(app, paymentsApi.listPayments, (ctx, { params, query }) =>
    limited(ctx, () => listPayments(ctx, params.id, query)),
  )
  serve(app, paymentsApi.addPayment, (ctx, { params, body }) => limited(ctx, () => addPayment(ctx, params.id, body)))
  serve(app, adminApi.assignDriver, (ctx, { params, body }) => limited(ctx, () => setDriver(ctx, params.id, body)))
  serve(app, adminApi.unassignDriver, (ctx, { params, query }) =>
    limited(ctx, () => setDriver(ctx, params.id, { driverId: null, version: query.version })),
  )
  serve(app, delivery.changeAddress, (ctx, { params, body }) =>
    limited(ctx, () => changeAddress(ctx, catalogue.current(), params.id, body)),
  )
  serve(app, delivery.changeBuyer, (ctx, { params, body }) => limited(ctx, () => changeBuyer(ctx, params.id, body)))
  serve(app, editing.editItems, (ctx, { params, body }) => limited(ctx, () => editOrderItems(ctx, params.id, body)))
  serve(app, delivery.changePromise, (ctx, { params, body }) =>
    limited(ctx, () => changePromisedDate(ctx, params.id, body)),
  )
  serve(app, timelineApi.addOrderNote, (ctx, { params, body }) =>
    limited(ctx, () => addOrderNote(ctx, params.id, body.text)),
  )
  serve(app, confirmation.sendConfirmation, (ctx, { params }) =>
    limited(ctx, () => sendConfirmation(ctx, params.id, isReachable)),
  )
  serve(app, confirmation.getConfirmation, (ctx, { params }) => limited(ctx, () => readConfirmation(ctx, params.id)))
}

/** Staff's changes; the customer's cancellation is beside the other endpoints of an own order. */
export function orderStatusRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const giveNumber: GiveNumber = (ctx, orderId) => numberDelivered(ctx, catalogue.current(), orderId)
  serve(app, changeOrderStatus, (ctx, { params, body }) =>
    limited(ctx, () => changeStatus(ctx, params.id, body, giveNumber)),
  )
  // Each order is changed in its own transaction.
  const parts = { pool: app.pool, limited, giveNumber }
  serve(app, changeManyOrders, (ctx, { body }) => changeMany(ctx, parts, body), { transaction: 'none' })
}

/** Phone look-ups of one agent: enough for a busy morning, too few to scan numbers. */
export const lookUps = { burst: 60, perMinute: 10 }

export function salesRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const limiter = app.rateLimiters.create('sales-customers', { ...lookUps, keyOf: (agentId) => agentId })
  serve(app, salesApi.findSalesCustomer, async (ctx, { query }) => {
    await limiter.consume(String(userOf(ctx).id))
    return requireSalesCustomer(ctx, query.phone)
  })
  serve(app, salesApi.placeSalesOrder, (ctx, { body }) => placeSalesOrder(ctx, catalogue.current(), body), {
    onRefused: (refusal) => countRefused('sales', refusal),
  })
  serve(app, salesApi.listPriceFloors, (ctx) => listPriceFloors(ctx, vendorInReach(ctx.actor)))
  serve(app, salesApi.listSalesOrders, (ctx, { query }) => pageOfOrders(ctx, soldBy(ctx.actor), query))
  serve(app, salesApi.listSalesDays, (ctx) => listSalesDays(ctx))
  serve(app, salesApi.getSalesOrder, (ctx, { params }) =>
    limited(ctx, () => requireOrder(ctx, params.id, soldBy(ctx.actor))),
  )
}

type ReceiptInput = Parsed<typeof receiptsApi.getReceipt>

/** Receipts that are set at once for a person, and requests that wait for it; further ones get 429. */
const perPerson = { permits: 2, maxWaiting: 10 }

export function receiptRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const pdfWorker = createPdfWorker(app.log)
  app.http.addHook('onClose', async () => pdfWorker.stop())

  const turns = createKeyedSemaphore<number | string>(perPerson)

  /** A delivery note before the delivery, then the numbered receipt; a paper of the order by its number. Writes nothing. */
  async function print(ctx: Ctx, { params, query }: ReceiptInput, scope: SQL, { isDelivered = false } = {}) {
    const { number } = query
    const found = await limited(ctx, () => requireReceiptOrder(ctx, catalogue.current(), params.id, { scope, number }))
    const { order } = found
    if (isDelivered && number === undefined && order.status !== 'delivered') throw new AppError('RECEIPT_NOT_READY')
    const document = receiptDocument(found, { lang: query.lang ?? ctx.actor.lang, size: query.size })
    const pdf = await turns.run(ctx.actor.user?.id ?? order.id, () => pdfWorker.print(document))
    ctx.setHeader('content-disposition', attachment(`${paperName(found)}.pdf`))
    if (order.status === 'delivered') {
      ctx.setHeader('cache-control', 'private, max-age=60')
      ctx.setHeader('vary', 'Cookie')
    }
    return pdf
  }

  serve(app, receiptsApi.sendReceipt, async (ctx, { params }) => {
    const isReachable = (phone: string) => mayGetWhatsapp(phone, app.config.codeCountries)
    await limited(ctx, () => requestReceipt(ctx, params.id, { scope: managedBy(ctx.actor), isReachable }))
    return { queued: true as const }
  })
  serve(app, receiptsApi.getSharedReceipt, (ctx, { params }) => {
    const shared = readReceiptToken(app.config.secret, params.token, ctx.now)
    if (!shared) throw new AppError('ORDER_NOT_FOUND')
    const input = { params: { id: shared.orderId }, query: { lang: shared.lang, size: 'a4' as const } }
    // Not after the customer erased the account.
    return print(ctx, input, notErased, { isDelivered: true })
  })
  serve(app, receiptsApi.getDeliveryEvent, async (ctx, { params, query: { lang = ctx.actor.lang } }) => {
    const order = await limited(ctx, () => requireOrder(ctx, params.id))
    // Shown by a phone rather than saved.
    ctx.setHeader('content-disposition', `inline; filename="qatra-${order.id}.ics"`)
    return calendarFile(order, lang, app.config.publicUrl)
  })
  serve(app, receiptsApi.getReceiptLink, async (ctx, { params, query: { lang = ctx.actor.lang } }) => {
    const { id, status } = await limited(ctx, () => requireOrderRow(ctx, params.id, ownedBy(ctx.actor)))
    if (status !== 'delivered') throw new AppError('RECEIPT_NOT_READY')
    return receiptLink(app.config, { orderId: id, lang }, ctx.now)
  })
  serve(app, receiptsApi.getReceipt, (ctx, input) => print(ctx, input, managedBy(ctx.actor)))
  serve(app, receiptsApi.getMyReceipt, (ctx, input) => print(ctx, input, ownedBy(ctx.actor), { isDelivered: true }))
}
