import type { Kind } from '@qatra/contract/notifications/kinds'
import { isOfCampaign } from '../conversations/commands.ts'
import type { App } from '../http/runtime.ts'
import type { EventFilter } from '../jobs/domain-events.ts'
import { recordConversationNews } from './commands.ts'

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
