import { bahrainDate } from '@qatra/contract/calendar/calendar'
import * as drivers from '@qatra/contract/drivers'
import * as api from '@qatra/contract/orders/admin'
import * as confirmation from '@qatra/contract/orders/confirmation'
import * as delivery from '@qatra/contract/orders/delivery'
import * as editing from '@qatra/contract/orders/editing'
import * as views from '@qatra/contract/orders/views'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { auditExport } from '../jobs/audit-export.ts'
import { attachment } from '../lib/csv.ts'
import { mayGetWhatsapp } from '../lib/phone-reach.ts'
import { sendConfirmation } from './admin/confirmation.commands.ts'
import { readConfirmation } from './admin/confirmation.queries.ts'
import { setDriver } from './admin/driver.commands.ts'
import { listDrivers } from './admin/drivers.queries.ts'
import { exportOrders } from './admin/export.queries.ts'
import { countOrders, listOrders } from './admin/list.queries.ts'
import { addOrderNote } from './admin/notes.commands.ts'
import { requireAdminOrder } from './admin/order.queries.ts'
import { changePayment } from './admin/payment.commands.ts'
import { readTimeline } from './admin/timeline.queries.ts'
import { removeView, saveView } from './admin/views.commands.ts'
import { listViews } from './admin/views.queries.ts'
import { changeAddress } from './editing/address.commands.ts'
import { editOrderItems } from './editing/items.commands.ts'
import type { OrderLookup } from './lookup-limit.ts'
import { changePromisedDate } from './promise/commands.ts'

export function orderAdminRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const isReachable = (phone: string) => mayGetWhatsapp(phone, app.config.codeCountries)

  serve(app, api.listOrders, (ctx, { query }) => listOrders(ctx, query))
  serve(app, api.countOrders, (ctx, { query }) => countOrders(ctx, query))
  serve(app, api.exportOrders, async (ctx, { query: { lang, ...filters } }) => {
    const file = await exportOrders(ctx, filters, lang ?? ctx.actor.lang)
    await auditExport(ctx, 'orders', filters)
    ctx.setHeader('content-disposition', attachment(`orders-${bahrainDate(ctx.now)}.csv`))
    return file
  })
  serve(app, views.listOrderViews, (ctx) => listViews(ctx))
  serve(app, views.saveOrderView, (ctx, { body }) => saveView(ctx, body))
  serve(app, views.removeOrderView, (ctx, { params }) => removeView(ctx, params.id))
  serve(app, drivers.listDrivers, (ctx, { query }) => listDrivers(ctx, query))
  serve(app, api.getAdminOrder, (ctx, { params }) => limited(ctx, () => requireAdminOrder(ctx, params.id)))
  serve(app, api.getTimeline, (ctx, { params }) => limited(ctx, () => readTimeline(ctx, params.id)))
  serve(app, api.changePayment, (ctx, { params, body }) => limited(ctx, () => changePayment(ctx, params.id, body)))
  serve(app, api.assignDriver, (ctx, { params, body }) => limited(ctx, () => setDriver(ctx, params.id, body)))
  serve(app, api.unassignDriver, (ctx, { params, query }) =>
    limited(ctx, () => setDriver(ctx, params.id, { driverId: null, version: query.version })),
  )
  serve(app, delivery.changeAddress, (ctx, { params, body }) =>
    limited(ctx, () => changeAddress(ctx, catalogue.current(), params.id, body)),
  )
  serve(app, editing.editItems, (ctx, { params, body }) => limited(ctx, () => editOrderItems(ctx, params.id, body)))
  serve(app, delivery.changePromise, (ctx, { params, body }) =>
    limited(ctx, () => changePromisedDate(ctx, params.id, body)),
  )
  serve(app, api.addOrderNote, (ctx, { params, body }) => limited(ctx, () => addOrderNote(ctx, params.id, body.text)))
  serve(app, confirmation.sendConfirmation, (ctx, { params }) =>
    limited(ctx, () => sendConfirmation(ctx, params.id, isReachable)),
  )
  serve(app, confirmation.getConfirmation, (ctx, { params }) => limited(ctx, () => readConfirmation(ctx, params.id)))
}
