import type { App } from '../../http/runtime.ts'
import { deleteOldSimulated } from './commands.ts'
import { purgeSimulatedTelegram } from './telegram/commands.ts'

/** Purges the messages of all simulators, also where none is configured any more. */
export function simulatorJobs(app: App) {
  app.queue.handle('old-simulated', { every: '50 3 * * *' }, async () => {
    await deleteOldSimulated(app)
    await purgeSimulatedTelegram(app)
  })
}
