import { runJobTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import type { EventFilter } from '../../jobs/domain-events.ts'
import { translatorFor } from '../../lib/translate.ts'
import type { Telegram } from '../../providers/telegram/gateway.ts'
import { queueTelegram } from '../sending/sending.commands.ts'
import { findFailed } from './mirror.queries.ts'

interface StatusJob {
  event: 'message.failed' | 'message.status-changed'
  messageId: number
  status?: string
}

/** Passes `message.failed`, which has no status, and the status `unknown`. */
const filter: EventFilter = (about) => {
  const { status } = about as Partial<StatusJob>
  return status === undefined || status === 'unknown'
}

/** Replies to a staff message in a topic when it was not delivered or its result is unknown. */
export function failureJobs(app: App, { groupId }: Pick<Telegram, 'groupId'>) {
  if (groupId === null) return
  // Batched: each message has several status changes, and campaigns have thousands.
  app.queue.handleTogether<StatusJob>(
    'telegram-failures',
    {
      on: ['message.failed', 'message.status-changed'],
      filter,
      concurrency: 1,
      batch: 200,
      isUrgent: true,
      gatherMs: 150,
    },
    async (jobs) => {
      for (const { data } of jobs) {
        if (data.event === 'message.failed') await sendNotice(app, groupId, data.messageId, 'failed')
        else if (data.status === 'unknown') await sendNotice(app, groupId, data.messageId, 'unsure')
      }
    },
  )
}

async function sendNotice(app: App, groupId: string, messageId: number, what: 'failed' | 'unsure'): Promise<void> {
  const failed = await findFailed(app.db, messageId)
  if (!failed) return
  const { contact_id: contactId, telegram_thread_id: threadId, language, written } = failed
  const text = translatorFor(language)(`telegram.${what}`)
  const notice = { chatId: groupId, threadId, contactId, text, replyTo: written }
  await runJobTransaction(app.pool, (ctx) => queueTelegram(ctx, { ...notice, dedupeKey: `${what}:${messageId}` }))
}
