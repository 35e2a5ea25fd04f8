import type { App } from '../../http/runtime.ts'
import { type DayClosure, moveOrdersOfClosedDay } from './closed-day.commands.ts'

export function promiseJobs(app: App) {
  app.queue.handle<DayClosure>(
    'move-orders',
    { on: ['calendar.day-closed'], concurrency: 1, isUrgent: true, expireInSeconds: 300 },
    ({ data }) => moveOrdersOfClosedDay(app.pool, data),
  )
}
