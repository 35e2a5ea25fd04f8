import type { Kind } from '@qatra/contract/notifications/kinds'
import { isOfCampaign } from '../conversations/commands.ts'
import type { App } from '../http/runtime.ts'
import type { FilterInput } from '../jobs/events.ts'
import type { JobOf } from '../jobs/queues.ts'
import { recordConversationNews, recordOrderNews, recordVisitNews } from './commands.ts'
import { staffNewsOf } from './event-messages.ts'

/** Events of which staff are notified. */
export const isForStaff = (job: JobOf<'admin-notifications'>) => staffNewsOf(job).length > 0

export function notificationJobs(app: App) {
  // Batched: one statement and one disk sync for events of the same moment.
  app.queue.handleTogether(
    'admin-notifications',
    { filter: isForStaff, concurrency: 1, batch: 200, isUrgent: true, gatherMs: 250 },
    (jobs) =>
      recordOrderNews(
        app,
        jobs.flatMap(({ id, data }) =>
          staffNewsOf(data).map((part) => {
            return { ...part, orderId: data.id, byId: data.by, source: `${id}:${part.kind}` }
          }),
        ),
      ),
  )
  app.queue.handleTogether(
    'visit-notifications',
    { concurrency: 1, batch: 200, isUrgent: true, gatherMs: 250 },
    async (jobs) => {
      await recordVisitNews(
        app,
        jobs.flatMap(({ id, data }) =>
          staffNewsOf(data).map(({ kind }) => ({ ...data, kind, source: `visit:${data.id}:${id}` })),
        ),
      )
    },
  )
}

type ConversationJob = JobOf<'conversation-notifications'>

const ringing: readonly Kind[] = ['message-received', 'conversation-waiting', 'conversation-late']
const rings = (kind: Kind) => ringing.includes(kind)

/** Receipts of campaigns come in thousands. */
const filter = (about: FilterInput<ConversationJob['event']>) => !('sentBy' in about && isOfCampaign(about))

/** Batches events and keeps one per conversation, since clients reload it anyway. */
export function conversationNewsJobs(app: App) {
  app.queue.handleTogether(
    'conversation-notifications',
    { filter, concurrency: 1, batch: 200, isUrgent: true, gatherMs: 150 },
    async (jobs) => {
      const news = jobs.flatMap(({ id, data }) =>
        staffNewsOf(data).map(({ kind }) => {
          return { kind, contactId: 'contactId' in data ? data.contactId : null, byId: null, source: `${id}:${kind}` }
        }),
      )
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
