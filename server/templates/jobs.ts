import type { App } from '../http/runtime.ts'
import { providerSettings } from '../providers/settings.ts'
import { noteStatus, refreshTemplates } from './commands.ts'
import { SYNCING } from './queries.ts'

interface StatusJob {
  name: string
  language: string
  status: string
  reason: string | null
}

export function templateJobs(app: App) {
  app.queue.handle<StatusJob>('template-status', { on: ['template.status-changed'], concurrency: 1 }, ({ data }) =>
    noteStatus(app, data),
  )
  // Webhooks bring most changes; the schedule finds those that were missed and templates that were written at Meta.
  app.queue.handle(SYNCING, { every: '17 * * * *', concurrency: 1, retryLimit: 3, retryDelay: 60 }, async () => {
    const { simulator } = app.config
    const { provider, businessAccountId } = providerSettings(app.config).whatsapp
    if ((simulator || provider === 'cloud') && businessAccountId !== null) await refreshTemplates(app)
  })
}
