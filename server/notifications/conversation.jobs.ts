import type { Kind } from '@qatra/contract/notification-kinds'
import type { App } from '../http/runtime.ts'
import { recordConversationNews } from './commands.ts'
import { isOfCampaign } from './queries.ts'

interface ConversationJob {
  event: keyof typeof kindsOf
  contactId?: number | null
  messageId?: number
}

/** Notification kinds by event. */
const kindsOf = {
  'message.received': 'message-received',
  'message.status-changed': 'conversation-changed',
  'conversation.changed': 'conversation-changed',
  'conversation.read': 'conversation-changed',
  'connection.changed': 'connection-changed',
} as const satisfies Record<string, Kind>

/**
 * Batches events and keeps one per conversation, since clients reload it anyway. Skips receipts of campaigns, which
 * come in thousands.
 */
export function conversationNewsJobs(app: App) {
  app.queue.handleTogether<ConversationJob>(
    'conversation-notifications',
    { on: Object.keys(kindsOf), concurrency: 1, batch: 200, isUrgent: true, gatherMs: 150 },
    async (jobs) => {
      const receipts = jobs.flatMap(({ data }) =>
        data.event === 'message.status-changed' && data.messageId !== undefined ? [data.messageId] : [],
      )
      const campaigns = await isOfCampaign(app.db, receipts)
      const relevant = jobs.filter(({ data }) => data.messageId === undefined || !campaigns.has(data.messageId))
      const news = relevant.map(({ id, data }) => {
        const kind = kindsOf[data.event]
        return { kind, contactId: data.contactId ?? null, byId: null, source: `${id}:${kind}` }
      })
      const contactsWithMessage = new Set(
        news.flatMap(({ kind, contactId }) => (kind === 'message-received' ? [contactId] : [])),
      )
      const changed = new Map(news.map((one) => [`${one.kind} ${one.contactId}`, one]))
      await recordConversationNews(
        app,
        news.filter(
          (one) =>
            one.kind === 'message-received' ||
            (changed.get(`${one.kind} ${one.contactId}`) === one && !contactsWithMessage.has(one.contactId)),
        ),
      )
    },
  )
}
