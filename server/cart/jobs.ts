import type { App } from '../http/runtime.ts'
import { forgetOldCarts } from './commands.ts'

export function cartJobs(app: App) {
  app.queue.handle('old-carts', { every: '20 3 * * *' }, () => forgetOldCarts(app))
}
