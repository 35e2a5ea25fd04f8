import { requestHandoff, SNOOZE, wake } from '../conversations/conversations.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { deleteMessageFile } from './files.commands.ts'
import { fileJobs } from './files.jobs.ts'
import { findLastRead, isUnanswered } from './messages.queries.ts'

/** Sends read receipts after staff have read a message, and fetches customers' files. */
export function inboxJobs(app: App) {
  const options = { on: ['conversation.read'], concurrency: 2, retryLimit: 0 }
  app.queue.handle<{ contactId: number }>('mark-read', options, async ({ data }) => {
    const { messages } = gatewaysOf(app)
    const messageId = messages && (await findLastRead(app, data.contactId))
    if (messageId) await messages.markRead(messageId)
  })
  const atItsTime = { isUrgent: true, concurrency: 2, every: '* * * * *' }
  app.queue.handle<{ contactId?: number }>(SNOOZE, atItsTime, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => wake(ctx, data.contactId)),
  )
  app.queue.handle<{ messageId: number }>('revoked-files', { on: ['message.revoked'] }, async ({ data }) => {
    await deleteMessageFile(app, data.messageId)
  })
  if (!app.config.hasBot) personJobs(app)
  fileJobs(app)
}

/** Without the bot every customer waits for staff. */
function personJobs(app: App) {
  const options = { on: ['message.received'], isUrgent: true }
  app.queue.handle<{ messageId: number; contactId: number; isForPerson: boolean }>(
    'conversation-without-bot',
    options,
    async ({ data: { messageId, contactId, isForPerson } }) => {
      if (!isForPerson) return
      await runJobTransaction(app.pool, async (ctx) => {
        if (await isUnanswered(ctx, contactId, messageId)) await requestHandoff(ctx, contactId, 'no-bot')
      })
    },
  )
}
