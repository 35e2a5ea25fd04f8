import { runJobTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import type { FilterInput } from '../../jobs/events.ts'
import { translatorFor } from '../../lib/translate.ts'
import type { Telegram } from '../../providers/telegram/gateway.ts'
import { queueTelegram } from '../sending/sending.commands.ts'
import { findFailed } from './mirror.queries.ts'

/** Passes `message.failed`, which has no status, and the status `unknown`. */
const filter = (about: FilterInput<'message.failed' | 'message.status-changed'>) =>
  !('status' in about) || about.status === 'unknown'

/** Replies to a staff message in a topic when it was not delivered or its result is unknown. */
export function failureJobs(app: App, { groupId }: Pick<Telegram, 'groupId'>) {
  if (groupId === null) return
  // Batched: each message has several status changes, and campaigns have thousands.
  app.queue.handleTogether(
    'telegram-failures',
    {
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
