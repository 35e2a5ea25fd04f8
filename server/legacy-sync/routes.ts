import * as api from '@qatra/contract/legacy'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { retryMany, retryOne } from './admin.commands.ts'
import { listSynced, readSummary } from './queries.ts'

export function legacyRoutes(app: App) {
  const { legacy } = app.config
  serve(app, api.getLegacySummary, (ctx) => readSummary(ctx, legacy))
  serve(app, api.listLegacyOrders, (ctx, { query }) => listSynced(ctx, query))
  serve(app, api.retryLegacyOrder, (ctx, { params }) => retryOne(ctx, legacy, params.id))
  serve(app, api.retryLegacyOrders, (ctx, { body }) => retryMany(ctx, legacy, body.scope))
}
