import * as api from '@qatra/contract/drivers'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import type { OrderLookup } from '../orders/lookup-limit.ts'
import { writeCash } from './cash.commands.ts'
import { readCashDay } from './cash.queries.ts'
import { listDriverDays } from './days.queries.ts'
import { reportAttempt } from './delivery.commands.ts'
import { requireDriver } from './drivers.queries.ts'
import { arrangeRun } from './run.commands.ts'
import { readRun } from './run.queries.ts'

export function driverRoutes(app: App, limited: OrderLookup) {
  serve(app, api.listDriverDays, (ctx, { query }) => listDriverDays(ctx, query))
  serve(app, api.getRun, async (ctx, { params, query }) =>
    readRun(ctx, await requireDriver(ctx, params.id), query.date),
  )
  serve(app, api.arrangeRun, (ctx, { params, body }) => arrangeRun(ctx, params.id, body))
  serve(app, api.getCash, async (ctx, { params, query }) =>
    readCashDay(ctx, await requireDriver(ctx, params.id), query.date),
  )
  serve(app, api.writeCash, (ctx, { params, body }) => limited(ctx, () => writeCash(ctx, params.id, body)))
  serve(app, api.reportAttempt, (ctx, { params, body }) => limited(ctx, () => reportAttempt(ctx, params.id, body)))
}
