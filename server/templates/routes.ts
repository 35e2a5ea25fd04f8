import * as api from '@qatra/contract/whatsapp/templates/templates'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { readProviderTemplates, storeTemplates } from './commands.ts'
import { listTemplates } from './queries.ts'

export function templateRoutes(app: App) {
  serve(app, api.listTemplates, (ctx) => listTemplates(ctx))
  serve(
    app,
    api.syncTemplates,
    async (ctx) => {
      const answer = await readProviderTemplates(app)
      return inTransaction(app.pool, (db) => storeTemplates({ ...ctx, db }, answer))
    },
    { transaction: 'none' },
  )
}
