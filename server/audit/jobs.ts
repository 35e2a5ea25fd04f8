import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'

const monthsSql = statement('months-create', 'select create_months()')

/** Makes the partitions of the next months; each start of the shop does so too. */
export function auditJobs(app: App) {
  app.queue.handle('months-ahead', { every: '5 3 * * *' }, async () => {
    await run(app.db, monthsSql)
  })
}
