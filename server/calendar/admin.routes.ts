import * as api from '@qatra/contract/calendar/admin'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { closeDay, openDay } from './commands.ts'
import { listClosedDays } from './queries.ts'

export function calendarAdminRoutes(app: App, { reload: renew }: Pick<ReferenceData<unknown>, 'reload'>) {
  serve(app, api.listClosedDays, (ctx, { query }) => listClosedDays(ctx, query))
  serve(app, api.closeDay, (ctx, { body }) => closeDay(ctx, body), { renew })
  serve(app, api.openDay, (ctx, { query }) => openDay(ctx, query), { renew })
}
