import { inTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { noteChange, type TemplateChange } from './commands.ts'

type ChangeJob = Omit<TemplateChange, 'at'> & { at: string }

export function templateJobs(app: App) {
  app.queue.handle<ChangeJob>('template-changes', { on: ['template.changed'], concurrency: 1 }, ({ data }) =>
    inTransaction(app.pool, (db) => noteChange({ db }, { ...data, at: new Date(data.at) })),
  )
}
