import * as api from '@qatra/contract/users/impersonation'
import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { serve } from '../http/serve.ts'
import { endDueImpersonations, startImpersonation, stopImpersonation } from './impersonation.commands.ts'
import { readImpersonation } from './impersonation.queries.ts'

export function impersonationRoutes(app: App) {
  serve(app, api.startImpersonation, (ctx, { params, body }) =>
    startImpersonation(ctx, app.cookies, { userId: params.userId, reason: body.reason }),
  )
  serve(app, api.stopImpersonation, (ctx) => stopImpersonation(ctx, app.cookies))
  serve(app, api.getImpersonation, readImpersonation)
}

export function impersonationJobs(app: App) {
  app.queue.handle('due-impersonations', { every: '* * * * *' }, async () => {
    await inTransaction(app.pool, (db) => endDueImpersonations({ db }))
  })
}
