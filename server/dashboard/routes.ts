import * as api from '@qatra/contract/dashboard/dashboard'
import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { readDashboard } from './queries.ts'

export function dashboardRoutes(app: App, catalogue: ReferenceData<Catalogue>) {
  serve(app, api.readDashboard, (ctx, { query }) => readDashboard(ctx, catalogue.current(), query))
}
