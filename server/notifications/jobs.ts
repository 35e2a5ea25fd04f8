import type { Kind } from '@qatra/contract/notifications/kinds'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { isOfCampaign } from '../conversations/commands.ts'
import type { App } from '../http/runtime.ts'
import type { EventFilter } from '../jobs/domain-events.ts'
import { type OrderNews, recordConversationNews, recordOrderNews } from './commands.ts'

export interface OrderJob {
  event: keyof typeof readers
  id: string
  by?: number | null
  to?: OrderStatus
  /** Who moved the delivery day. */
  mover?: string
  /** Who changed items or address. */
  editor?: string
  /** Failed attempts on all days. */
  attempts?: number
  driverId?: number | null
  formerDriverId?: number | null
}

type Part = Pick<OrderNews, 'kind' | 'status' | 'driverId' | 'formerDriverId'>

const moved = ({ to }: OrderJob): Part[] =>
  to === undefined ? [] : [{ kind: to === 'cancelled' ? 'order-cancelled' : 'order-moved', status: to }]

/** A reassigned order gives two notifications: one for each driver. */
const handedOver = ({ driverId = null, formerDriverId = null }: OrderJob): Part[] => [
  ...(formerDriverId === null ? [] : [{ kind: 'order-unassigned', driverId: null, formerDriverId } as const]),
  ...(driverId === null ? [] : [{ kind: 'order-assigned', driverId } as const]),
]

/** From this failed attempt on staff are asked to call the customer. */
const ATTEMPTS_BEFORE_CALL = 3

/** Notification kinds by event. */
const readers = {
  'order.placed': (): Part[] => [{ kind: 'order-placed', status: 'new' }],
  'order.status-changed': moved,
  'order.cancelled': moved,
  'order.rescheduled': ({ mover }: OrderJob): Part[] => [
    { kind: mover === 'customer' ? 'order-rescheduled' : 'order-day-changed' },
  ],
  'order.attempted': ({ attempts = 0 }: OrderJob): Part[] => [
    { kind: 'order-attempted' },
    ...(attempts >= ATTEMPTS_BEFORE_CALL ? [{ kind: 'order-needs-call' } as const] : []),
  ],
  'order.call-requested': (): Part[] => [{ kind: 'order-needs-call' }],
  'order.items-changed': ({ editor }: OrderJob): Part[] => [
    { kind: editor === 'customer' ? 'order-edited' : 'order-items-changed' },
  ],
  'order.address-changed': ({ editor }: OrderJob): Part[] => [
    { kind: editor === 'customer' ? 'order-edited' : 'order-address-changed' },
  ],
  'order.payment-changed': (): Part[] => [{ kind: 'order-payment-changed' }],
  'order.driver-assigned': handedOver,
  'order.driver-removed': handedOver,
  'order.driver-left': (): Part[] => [{ kind: 'order-driver-left', driverId: null }],
} as const

export const orderEvents = Object.keys(readers)
export const partsOf = (job: OrderJob): Part[] => readers[job.event](job)

export function notificationJobs(app: App) {
  // Batched: one statement and one disk sync for events of the same moment.
  app.queue.handleTogether<OrderJob>(
    'admin-notifications',
    { on: orderEvents, concurrency: 1, batch: 200, isUrgent: true, gatherMs: 250 },
    (jobs) =>
      recordOrderNews(
        app,
        jobs.flatMap(({ id, data }) =>
          partsOf(data).map((part) => {
            return { ...part, orderId: data.id, byId: data.by ?? null, source: `${id}:${part.kind}` }
          }),
        ),
      ),
  )
}

interface ConversationJob {
  event: keyof typeof kindsOf
  contactId?: number | null
  /** Of a received message: the customer waits for staff. */
  isAwaited?: boolean
}

/** Notification kinds by event; only those for staff ring. */
const kindsOf = {
  'message.received': 'message-received',
  'conversation.waiting': 'conversation-waiting',
  'message.status-changed': 'conversation-changed',
  'conversation.changed': 'conversation-changed',
  'conversation.read': 'conversation-changed',
  'connection.changed': 'connection-changed',
  'account.alarm': 'account-alarm',
} as const satisfies Record<string, Kind>

const kindOf = ({ event, isAwaited }: ConversationJob): Kind =>
  event === 'message.received' && !isAwaited ? 'conversation-changed' : kindsOf[event]
const rings = (kind: Kind) => kind === 'message-received' || kind === 'conversation-waiting'

/** Receipts of campaigns come in thousands. */
const filter: EventFilter = (about) => !isOfCampaign(about)

/** Batches events and keeps one per conversation, since clients reload it anyway. */
export function conversationNewsJobs(app: App) {
  app.queue.handleTogether<ConversationJob>(
    'conversation-notifications',
    { on: Object.keys(kindsOf), filter, concurrency: 1, batch: 200, isUrgent: true, gatherMs: 150 },
    async (jobs) => {
      const news = jobs.map(({ id, data }) => {
        const kind = kindOf(data)
        return { kind, contactId: data.contactId ?? null, byId: null, source: `${id}:${kind}` }
      })
      const contactsWithRing = new Set(news.flatMap(({ kind, contactId }) => (rings(kind) ? [contactId] : [])))
      const changed = new Map(news.map((one) => [`${one.kind} ${one.contactId}`, one]))
      await recordConversationNews(
        app,
        news.filter(
          (one) =>
            rings(one.kind) ||
            (changed.get(`${one.kind} ${one.contactId}`) === one && !contactsWithRing.has(one.contactId)),
        ),
      )
    },
  )
}
