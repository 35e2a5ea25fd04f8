import * as api from '@qatra/contract/dashboard'
import type { Catalogue } from '../catalogue/queries.ts'
import type { Reference } from '../platform/reference.ts'
import type { App } from '../platform/runtime.ts'
import { serve } from '../platform/serve.ts'
import { readDashboard } from './queries.ts'

export function dashboardRoutes(app: App, catalogue: Reference<Catalogue>) {
  serve(app, api.readDashboard, (ctx, { query }) => readDashboard(ctx, catalogue.current(), query))
}
