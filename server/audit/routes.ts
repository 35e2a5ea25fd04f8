import * as api from '@qatra/contract/audit'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveTable } from '../http/serve-table.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { exportHistory, listHistory } from './queries.ts'

export function auditRoutes(app: App) {
  serve(app, api.listAudit, (ctx, { query }) => listHistory(ctx, query))
  serveTable(app, api.exportAudit, (ctx, { query: { lang, ...filters } }) => {
    vendorInReach(ctx.actor, filters.vendorId || null)
    const table = exportHistory(ctx, filters, lang ?? ctx.actor.lang)
    return { list: 'audit', filters, name: `qatra-audit-${bahrainDate(ctx.now)}`, table }
  })
}
