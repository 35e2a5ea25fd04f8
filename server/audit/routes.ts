import * as api from '@qatra/contract/audit'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { auditExport } from '../jobs/audit-export.ts'
import { attachment } from '../lib/csv.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { exportHistory, listHistory } from './queries.ts'

export function auditRoutes(app: App) {
  serve(app, api.listAudit, (ctx, { query }) => listHistory(ctx, query))
  serve(app, api.exportAudit, async (ctx, { query: { lang, ...filters } }) => {
    vendorInReach(ctx.actor, filters.vendorId || null)
    await auditExport(ctx, 'audit', filters)
    ctx.setHeader('content-disposition', attachment(`qatra-audit-${bahrainDate(ctx.now)}.csv`))
    return exportHistory(ctx, filters, lang ?? ctx.actor.lang)
  })
}
