import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { raiseAlert } from '../lib/alerts.ts'
import { saveAccountNotice } from './account.commands.ts'

export function accountJobs(app: App) {
  app.queue.handle('account-news', {}, async ({ data }) => {
    const isAlarm = await runJobTransaction(app.pool, (ctx) => saveAccountNotice(ctx, data))
    if (isAlarm) raiseAlert(app.log, 'whatsapp-account')
  })
}
