import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { numberUnnumbered } from './receipt/commands.ts'

export function orderJobs(app: App, catalogue: ReferenceData<Catalogue>) {
  app.queue.handle('receipt-numbers', { every: '15 4 * * *', concurrency: 1, expireInSeconds: 3_600 }, () =>
    numberUnnumbered(app.pool, catalogue.current()),
  )
}
