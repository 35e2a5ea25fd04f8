import type { App } from '../http/runtime.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { fileJobs } from './files.jobs.ts'
import { findLastRead } from './messages.queries.ts'

/** Sends read receipts after staff have read a message, and fetches customers' files. */
export function inboxJobs(app: App) {
  const options = { on: ['conversation.read'], concurrency: 2, retryLimit: 0 }
  app.queue.handle<{ contactId: number }>('mark-read', options, async ({ data }) => {
    const { messages } = gatewaysOf(app)
    const messageId = messages && (await findLastRead(app, data.contactId))
    if (messageId) await messages.markRead(messageId)
  })
  fileJobs(app)
}
