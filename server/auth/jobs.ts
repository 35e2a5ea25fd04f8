import type { App } from '../http/runtime.ts'
import { purgeSignIns } from './sessions.commands.ts'

export function authJobs(app: App) {
  app.queue.handle('old-sign-ins', { every: '40 3 * * *' }, () => purgeSignIns(app))
}
