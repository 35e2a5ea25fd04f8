import * as closing from '@qatra/contract/cash-closing'
import * as reports from '@qatra/contract/corrections'
import * as board from '@qatra/contract/driver-board'
import * as api from '@qatra/contract/drivers'
import { getStopsLeft } from '@qatra/contract/orders/orders'
import { writeVan as van } from '@qatra/contract/van'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Ctx } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveTable } from '../http/serve-table.ts'
import type { OrderLookup } from '../orders/lookup-limit.ts'
import { arrangeRun } from '../orders/run/commands.ts'
import { listProducts } from '../products/queries.ts'
import { writeCash } from './cash.commands.ts'
import { readCashDay } from './cash.queries.ts'
import { closeCash, reopenCash } from './closing.commands.ts'
import { exportClosing, readClosing, requireVendorId } from './closing.queries.ts'
import { exportedCorrections, exportedPaymentSums, readCorrections, readPaymentSums } from './corrections.queries.ts'
import { listDriverDays } from './days.queries.ts'
import { reportAttempt, writeVan } from './delivery.commands.ts'
import { type DriverRow, listAreaDrivers, requireDriver } from './drivers.queries.ts'
import { listStops, readRun, readStopsLeft } from './run.queries.ts'

export function driverRoutes(app: App, catalogue: ReferenceData<Catalogue>, limited: OrderLookup) {
  const runOf = async (ctx: Ctx, driver: DriverRow, date: string | undefined) => ({
    ...(await readRun(ctx, driver, date)),
    products: listProducts(catalogue.current(), { vendorId: driver.vendorId }),
  })
  serve(app, board.listDriverDays, (ctx, { query }) => listDriverDays(ctx, query))
  serve(app, board.listAreaDrivers, (ctx, { query }) => listAreaDrivers(ctx, query))
  serve(app, api.listStops, (ctx, { query }) => listStops(ctx, query))
  serve(app, api.getRun, async (ctx, { params, query }) => runOf(ctx, await requireDriver(ctx, params.id), query.date))
  serve(app, api.arrangeRun, async (ctx, { params, body }) => {
    const driver = await requireDriver(ctx, params.id)
    await arrangeRun(ctx, driver.id, body)
    return runOf(ctx, driver, body.date)
  })
  serve(app, api.getCash, async (ctx, { params, query }) =>
    readCashDay(ctx, await requireDriver(ctx, params.id), query.date),
  )
  serve(app, api.writeCash, (ctx, { params, body }) => limited(ctx, () => writeCash(ctx, params.id, body)))
  serve(app, van, (ctx, { params, body }) => writeVan(ctx, params.id, body))
  serve(app, closing.getCashClosing, async (ctx, { params, query }) =>
    readClosing(ctx, await requireVendorId(ctx, query.vendorId), params.date),
  )
  serveTable(
    app,
    closing.exportCashClosing,
    async (ctx, { params: { date }, query: { vendorId: requested, lang } }) => {
      const vendorId = await requireVendorId(ctx, requested)
      const table = exportClosing(await readClosing(ctx, vendorId, date), lang ?? ctx.actor.lang)
      return { list: 'cash-day', filters: { vendorId, date }, name: `cash-${date}`, table }
    },
  )
  serve(app, closing.closeCash, (ctx, { params, body }) => closeCash(ctx, params.date, body))
  serve(app, closing.reopenCash, (ctx, { params, body }) => reopenCash(ctx, params.date, body))
  serve(app, reports.listCorrections, (ctx, { query }) => readCorrections(ctx, query))
  serveTable(app, reports.exportCorrections, async (ctx, { query: { lang, ...filters } }) => {
    const { rows } = await readCorrections(ctx, filters)
    return {
      list: 'corrections',
      filters,
      name: 'corrections',
      table: exportedCorrections(rows, lang ?? ctx.actor.lang),
    }
  })
  serve(app, reports.listPaymentSums, (ctx, { query }) => readPaymentSums(ctx, query))
  serveTable(app, reports.exportPaymentSums, async (ctx, { query: { lang, ...filters } }) => {
    const { rows } = await readPaymentSums(ctx, filters)
    return { list: 'payments', filters, name: 'payments', table: exportedPaymentSums(rows, lang ?? ctx.actor.lang) }
  })
  serve(app, getStopsLeft, (ctx, { params }) => limited(ctx, () => readStopsLeft(ctx, params.id)))
  serve(app, api.reportAttempt, (ctx, { params, body }) => limited(ctx, () => reportAttempt(ctx, params.id, body)))
}
