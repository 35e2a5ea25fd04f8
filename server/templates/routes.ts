import * as api from '@qatra/contract/whatsapp/templates/templates'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { readProviderTemplates, storeTemplates } from './commands.ts'
import { listTemplates } from './queries.ts'
import { removeTemplate, rewriteTemplate, writeTemplate } from './writing.commands.ts'

export function templateRoutes(app: App) {
  serve(app, api.listTemplates, (ctx) => listTemplates(ctx, app.config))
  serve(
    app,
    api.syncTemplates,
    async (ctx) => {
      const answer = await readProviderTemplates(app)
      return inTransaction(app.pool, (db) => storeTemplates({ ...ctx, db }, answer))
    },
    { transaction: 'none' },
  )
  // Meta is called outside of transactions.
  const slow = { transaction: 'none' } as const
  serve(app, api.writeTemplate, (ctx, { body }) => writeTemplate(app, ctx, body), slow)
  serve(app, api.editTemplate, (ctx, input) => rewriteTemplate(app, ctx, input), slow)
  serve(app, api.deleteTemplate, (ctx, { params }) => removeTemplate(app, ctx, params.id), slow)
}
