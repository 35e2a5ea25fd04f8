import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'

const monthsSql = statement('months-create', 'select create_months()')

/** Creates the partitions of the next months, also those of order history and webhook events, as each start does. */
export function auditJobs(app: App) {
  app.queue.handle('months-ahead', { every: '5 3 * * *' }, async () => {
    await run(app.db, monthsSql)
  })
}
