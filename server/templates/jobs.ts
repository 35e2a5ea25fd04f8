import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { providerSettings } from '../providers/settings.ts'
import { applyTemplateChange, refreshTemplates } from './commands.ts'

export function templateJobs(app: App) {
  app.queue.handle('template-changes', { concurrency: 1 }, ({ data }) =>
    inTransaction(app.pool, (db) => applyTemplateChange({ db }, { ...data, at: new Date(data.at) })),
  )
  // Webhooks bring most changes; the schedule finds those that were missed and templates that were written at Meta.
  app.queue.handle('sync-templates', { concurrency: 1, retryLimit: 3, retryDelay: 60 }, async () => {
    const { simulator } = app.config
    const { provider, businessAccountId } = providerSettings(app.config).whatsapp
    if ((simulator || provider === 'cloud') && businessAccountId !== null) await refreshTemplates(app)
  })
}
