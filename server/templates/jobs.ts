import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { providerSettings } from '../providers/settings.ts'
import { applyTemplateChange, refreshTemplates, type TemplateChange } from './commands.ts'
import { SYNCING } from './queries.ts'

type ChangeJob = Omit<TemplateChange, 'at'> & { at: string }

export function templateJobs(app: App) {
  app.queue.handle<ChangeJob>('template-changes', { on: ['template.changed'], concurrency: 1 }, ({ data }) =>
    inTransaction(app.pool, (db) => applyTemplateChange({ db }, { ...data, at: new Date(data.at) })),
  )
  // Webhooks bring most changes; the schedule finds those that were missed and templates that were written at Meta.
  app.queue.handle(SYNCING, { every: '17 * * * *', concurrency: 1, retryLimit: 3, retryDelay: 60 }, async () => {
    const { simulator } = app.config
    const { provider, businessAccountId } = providerSettings(app.config).whatsapp
    if ((simulator || provider === 'cloud') && businessAccountId !== null) await refreshTemplates(app)
  })
}
