import type { App } from '../../http/runtime.ts'
import { purgeSimulated } from './personal.commands.ts'

/** Purges the messages of all simulators, also where none is configured any more. */
export function simulatorJobs(app: App) {
  app.queue.handle('old-simulated', { every: '50 3 * * *' }, () => purgeSimulated(app))
}
