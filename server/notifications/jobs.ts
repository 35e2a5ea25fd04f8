import type { OrderStatus } from '@qatra/contract/order-status'
import type { App } from '../platform/runtime.ts'
import { forgetOldNotifications, type OrderNews, recordOrderNews } from './commands.ts'

interface OrderJob {
  event: keyof typeof readers
  id: string
  by?: number | null
  to?: OrderStatus
  driverId?: number | null
  formerDriverId?: number | null
}

type Part = Pick<OrderNews, 'kind' | 'status' | 'driverId' | 'formerDriverId'>

const moved = ({ to }: OrderJob): Part[] =>
  to === undefined ? [] : [{ kind: to === 'cancelled' ? 'order-cancelled' : 'order-moved', status: to }]

/** An order that goes from one driver to another is news of two kinds. */
const handedOver = ({ driverId = null, formerDriverId = null }: OrderJob): Part[] => [
  ...(formerDriverId === null ? [] : [{ kind: 'order-unassigned', driverId: null, formerDriverId } as const]),
  ...(driverId === null ? [] : [{ kind: 'order-assigned', driverId } as const]),
]

/** What the office is told of each event. */
const readers = {
  'order.placed': (): Part[] => [{ kind: 'order-placed', status: 'new' }],
  'order.status-changed': moved,
  'order.cancelled': moved,
  'order.attempted': (): Part[] => [{ kind: 'order-attempted' }],
  'order.driver-assigned': handedOver,
  'order.driver-removed': handedOver,
} as const

export function notificationJobs(app: App) {
  app.queue.handle<OrderJob>(
    'office-notifications',
    { on: Object.keys(readers), concurrency: 1, batch: 50, isUrgent: true },
    async ({ id, data }) => {
      for (const part of readers[data.event](data)) {
        const source = `${id}:${part.kind}`
        await recordOrderNews(app, { ...part, orderId: data.id, byId: data.by ?? null, source })
      }
    },
  )
  app.queue.handle('old-notifications', { every: '40 3 * * *' }, () => forgetOldNotifications(app))
}
