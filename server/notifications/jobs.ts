import type { Kind } from '@qatra/contract/notifications/kinds'
import { isOfCampaign } from '../conversations/commands.ts'
import type { App } from '../http/runtime.ts'
import type { EventJob, FilterInput } from '../jobs/events.ts'
import type { JobOf } from '../jobs/queues.ts'
import { type OrderNews, recordConversationNews, recordOrderNews } from './commands.ts'

type OrderEvent = JobOf<'admin-notifications'>['event']

type Part = Pick<OrderNews, 'kind' | 'status' | 'driverId' | 'formerDriverId'>

const moved = ({ to }: EventJob<'order.status-changed' | 'order.cancelled'>): Part[] => [
  { kind: to === 'cancelled' ? 'order-cancelled' : 'order-moved', status: to },
]

/** A reassigned order gives two notifications: one for each driver. */
const handedOver = ({
  driverId,
  formerDriverId,
}: EventJob<'order.driver-assigned' | 'order.driver-removed'>): Part[] => [
  ...(formerDriverId === null ? [] : [{ kind: 'order-unassigned', driverId: null, formerDriverId } as const]),
  ...(driverId === null ? [] : [{ kind: 'order-assigned', driverId } as const]),
]

/** From this failed attempt on staff are asked to call the customer. */
const ATTEMPTS_BEFORE_CALL = 3

/** Notification kinds by event. */
const readers: { [Event in OrderEvent]: (job: EventJob<Event>) => Part[] } = {
  'order.placed': () => [{ kind: 'order-placed', status: 'new' }],
  'order.status-changed': moved,
  'order.cancelled': moved,
  'order.rescheduled': ({ mover }) => [{ kind: mover === 'customer' ? 'order-rescheduled' : 'order-day-changed' }],
  'order.attempted': ({ attempts }) => [
    { kind: 'order-attempted' },
    ...(attempts >= ATTEMPTS_BEFORE_CALL ? [{ kind: 'order-needs-call' } as const] : []),
  ],
  'order.call-requested': () => [{ kind: 'order-needs-call' }],
  'order.items-changed': ({ editor }) => [{ kind: editor === 'customer' ? 'order-edited' : 'order-items-changed' }],
  'order.address-changed': ({ editor }) => [{ kind: editor === 'customer' ? 'order-edited' : 'order-address-changed' }],
  'order.payment-changed': () => [{ kind: 'order-payment-changed' }],
  'order.driver-assigned': handedOver,
  'order.driver-removed': handedOver,
  'order.driver-left': () => [{ kind: 'order-driver-left', driverId: null }],
}

export const partsOf = <Event extends OrderEvent>(job: EventJob<Event>): Part[] => readers[job.event](job)

export function notificationJobs(app: App) {
  // Batched: one statement and one disk sync for events of the same moment.
  app.queue.handleTogether(
    'admin-notifications',
    { concurrency: 1, batch: 200, isUrgent: true, gatherMs: 250 },
    (jobs) =>
      recordOrderNews(
        app,
        jobs.flatMap(({ id, data }) =>
          partsOf(data).map((part) => {
            return { ...part, orderId: data.id, byId: data.by, source: `${id}:${part.kind}` }
          }),
        ),
      ),
  )
}

type ConversationJob = JobOf<'conversation-notifications'>

/** Notification kinds by event; only those for staff ring. */
const kindsOf = {
  'message.received': 'message-received',
  'conversation.waiting': 'conversation-waiting',
  'message.status-changed': 'conversation-changed',
  'conversation.changed': 'conversation-changed',
  'conversation.read': 'conversation-changed',
  'connection.changed': 'connection-changed',
  'account.alarm': 'account-alarm',
} as const satisfies Record<ConversationJob['event'], Kind>

const kindOf = (job: ConversationJob): Kind =>
  job.event === 'message.received' && !job.isAwaited ? 'conversation-changed' : kindsOf[job.event]
const rings = (kind: Kind) => kind === 'message-received' || kind === 'conversation-waiting'

/** Receipts of campaigns come in thousands. */
const filter = (about: FilterInput<ConversationJob['event']>) => !('sentBy' in about && isOfCampaign(about))

/** Batches events and keeps one per conversation, since clients reload it anyway. */
export function conversationNewsJobs(app: App) {
  app.queue.handleTogether(
    'conversation-notifications',
    { filter, concurrency: 1, batch: 200, isUrgent: true, gatherMs: 150 },
    async (jobs) => {
      const news = jobs.map(({ id, data }) => {
        const kind = kindOf(data)
        return { kind, contactId: 'contactId' in data ? data.contactId : null, byId: null, source: `${id}:${kind}` }
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
