import type { App } from '../http/runtime.ts'
import { purgeCarts } from './commands.ts'

export function cartJobs(app: App) {
  app.queue.handle('old-carts', { every: '20 3 * * *' }, () => purgeCarts(app))
}
