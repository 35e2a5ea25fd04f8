import type { App } from '../http/runtime.ts'
import { keepPastDays } from './commands.ts'

export function dashboardJobs(app: App) {
  // What is kept changes when an order of a past day does; until it is kept again its orders are counted.
  app.queue.handle('order-days', { every: '*/5 * * * *', retryLimit: 0, expireInSeconds: 280, concurrency: 1 }, () =>
    keepPastDays(app),
  )
}
