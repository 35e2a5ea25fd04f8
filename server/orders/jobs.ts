import type { App } from '../http/runtime.ts'
import { purgeOrderKeys } from './placing/commands.ts'

export function orderJobs(app: App) {
  app.queue.handle('old-order-keys', { every: '25 3 * * *' }, () => purgeOrderKeys(app))
}
