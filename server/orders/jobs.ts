import type { Catalogue } from '../catalogue/queries.ts'
import type { ReferenceData } from '../database/reference-data.ts'
import type { App } from '../http/runtime.ts'
import { moveOrdersOfClosedDay } from './promise/commands.ts'
import { creditUndelivered, numberUnnumbered } from './receipt/commands.ts'

export function orderJobs(app: App, catalogue: ReferenceData<Catalogue>) {
  app.queue.handle('receipt-numbers', { concurrency: 1, expireInSeconds: 3_600 }, async () => {
    await creditUndelivered(app.pool)
    await numberUnnumbered(app.pool, catalogue.current())
  })
}

export function promiseJobs(app: App) {
  app.queue.handle('move-orders', { concurrency: 1, isUrgent: true, expireInSeconds: 300 }, ({ data }) =>
    moveOrdersOfClosedDay(app.pool, data),
  )
}
