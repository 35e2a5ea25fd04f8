import type { App } from '../platform/runtime.ts'
import { forgetOldKeys } from './commands.ts'

export function orderJobs(app: App) {
  app.queue.handle('old-order-keys', { every: '25 3 * * *' }, () => forgetOldKeys(app))
}
