import type { App } from '../http/runtime.ts'
import { noteStatus } from './commands.ts'

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
}
