import type { App } from '../../http/runtime.ts'
import { type ClosedDay, moveOrdersOfClosedDay } from './closed-day.commands.ts'

export function promiseJobs(app: App) {
  app.queue.handle<ClosedDay>(
    'move-orders',
    { on: ['calendar.day-closed'], concurrency: 1, isUrgent: true, expireInSeconds: 300 },
    ({ data }) => moveOrdersOfClosedDay(app.pool, data),
  )
}
