import * as bottles from '@qatra/contract/bottles-admin'
import { bahrainDate } from '@qatra/contract/calendar/calendar'
import * as api from '@qatra/contract/users/customers'
import * as imports from '@qatra/contract/users/customers-import'
import type { Catalogue } from '../catalogue/queries.ts'
import { userOf } from '../database/context.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { serveTable } from '../http/serve-table.ts'
import { serveUpload } from '../http/uploads.ts'
import { readMovements } from './bottle-entries.queries.ts'
import { enterBottles } from './bottles.commands.ts'
import { exportHeldBottles, listHeldBottles } from './bottles.queries.ts'
import { addNote, answerWhenDue, removeNote, setTags } from './commands.ts'
import { requireCustomer } from './detail.queries.ts'
import { findRhythm } from './due.queries.ts'
import { exportCustomers } from './export.queries.ts'
import { importTemplate } from './import/columns.ts'
import { importCustomers, listOpeningTypes } from './import/commands.ts'
import { listImports } from './import/queries.ts'
import { undoImport } from './import/undo.commands.ts'
import { scopeOf } from './policy.ts'
import { listAllCustomers, listTags } from './queries.ts'

/** 10,000 customers take some seconds. */
const IMPORT_TIMEOUT_MS = 60_000

export function customerRoutes(app: App, { current }: ReferenceData<Catalogue>) {
  serve(app, api.getRhythm, async (ctx) => {
    const { id } = userOf(ctx)
    return (await findRhythm(ctx, id)) ?? { usualDays: null, dueDate: null }
  })
  serve(app, api.listCustomers, (ctx, { query }) => listAllCustomers(ctx, query))
  serveTable(app, api.exportCustomers, (ctx, { query: { lang, ...filters } }) => {
    scopeOf(ctx.actor, filters.vendorId)
    const table = exportCustomers(ctx, filters, lang ?? ctx.actor.lang)
    return { list: 'customers', filters, name: `qatra-customers-${bahrainDate(ctx.now)}`, table }
  })
  serve(app, api.listCustomerTags, (ctx, { query }) => listTags(ctx, query.vendorId))
  serve(app, api.getCustomer, (ctx, { params }) => requireCustomer(ctx, params.id))
  serve(app, api.addCustomerNote, (ctx, { params, body }) => addNote(ctx, params.id, body.body))
  serve(app, api.removeCustomerNote, (ctx, { params }) => removeNote(ctx, params.id, params.noteId))
  serve(app, api.answerDue, (ctx, { params, body }) => answerWhenDue(ctx, params.id, body))
  serve(app, api.tagCustomer, (ctx, { params, body }) => setTags(ctx, params.id, body.tags))

  serve(app, bottles.listBottles, (ctx, { query }) => listHeldBottles(ctx, query))
  serve(app, bottles.listBottleEntries, (ctx, { query }) => readMovements(ctx, query))
  serve(app, bottles.addBottleEntry, (ctx, { body }) => enterBottles(ctx, current(), body))
  serveTable(app, bottles.exportBottles, async (ctx, { query: { lang, ...filters } }) => {
    scopeOf(ctx.actor, filters.vendorId)
    const table = await exportHeldBottles(ctx, filters, lang ?? ctx.actor.lang)
    return { list: 'bottles', filters, name: `qatra-bottles-${bahrainDate(ctx.now)}`, table }
  })

  serveUpload(
    app,
    imports.importCustomers,
    (ctx, input) => importCustomers(ctx, { pool: app.pool, areas: current().areas }, input),
    { bytes: imports.CUSTOMER_FILE_BYTES, timeoutMs: IMPORT_TIMEOUT_MS },
  )
  serve(app, imports.listCustomerImports, (ctx, { query }) => listImports(ctx, query))
  serve(app, imports.undoCustomerImport, (ctx, { params }) => undoImport(ctx, app, params.importId), {
    transaction: 'none',
    timeoutMs: IMPORT_TIMEOUT_MS,
  })
  serve(app, imports.customerTemplate, async (ctx, { query: { lang, vendorId } }) => {
    ctx.setHeader('content-disposition', 'attachment; filename="customers.csv"')
    return importTemplate(lang ?? ctx.actor.lang, await listOpeningTypes(ctx, vendorId))
  })
}
