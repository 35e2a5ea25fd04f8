import type { App } from '../http/runtime.ts'
import { fillInSearchText, purgeOrderKeys } from './commands.ts'

export function orderJobs(app: App) {
  app.queue.handle('old-order-keys', { every: '25 3 * * *' }, () => purgeOrderKeys(app))
  // Fills orders older than the column; does nothing afterwards.
  app.queue.handle('order-search-text', { every: '*/5 * * * *', expireInSeconds: 280, concurrency: 1 }, () =>
    fillInSearchText(app),
  )
}
