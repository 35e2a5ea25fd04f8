import { bahrainDate } from '@qatra/contract/calendar'
import * as api from '@qatra/contract/customers'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { auditExport } from '../jobs/audit-export.ts'
import { attachment } from '../lib/csv.ts'
import { addNote, removeNote, setTags } from './commands.ts'
import { exportCustomers } from './export.queries.ts'
import { scopeOf } from './policy.ts'
import { listAllCustomers, listTags, requireCustomer } from './queries.ts'

export function customerRoutes(app: App) {
  serve(app, api.listCustomers, (ctx, { query }) => listAllCustomers(ctx, query))
  serve(app, api.exportCustomers, async (ctx, { query: { lang, ...filters } }) => {
    scopeOf(ctx.actor, filters.vendorId)
    await auditExport(ctx, 'customers', filters)
    ctx.setHeader('content-disposition', attachment(`qatra-customers-${bahrainDate(ctx.now)}.csv`))
    return exportCustomers(ctx, filters, lang ?? ctx.actor.lang)
  })
  serve(app, api.listCustomerTags, (ctx, { query }) => listTags(ctx, query.vendorId))
  serve(app, api.getCustomer, (ctx, { params }) => requireCustomer(ctx, params.id))
  serve(app, api.addCustomerNote, (ctx, { params, body }) => addNote(ctx, params.id, body.body))
  serve(app, api.removeCustomerNote, (ctx, { params }) => removeNote(ctx, params.id, params.noteId))
  serve(app, api.tagCustomer, (ctx, { params, body }) => setTags(ctx, params.id, body.tags))
}
