import type { App } from '../http/runtime.ts'
import { storePastDays } from './commands.ts'

export function dashboardJobs(app: App) {
  // A change of a past order deletes the stored figures; until they are stored again, the orders are counted.
  app.queue.handle('order-days', { every: '*/5 * * * *', retryLimit: 0, expireInSeconds: 280, concurrency: 1 }, () =>
    storePastDays(app),
  )
}
