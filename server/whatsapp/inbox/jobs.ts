import { gatewaysOf } from '../../channel/gateway.ts'
import type { App } from '../../platform/runtime.ts'
import { findLastRead } from './messages.queries.ts'

/** Once a person of the shop has read what came in, the customer sees it. */
export function inboxJobs(app: App) {
  const options = { on: ['conversation.read'], concurrency: 2, retryLimit: 0 }
  app.queue.handle<{ contactId: number }>('mark-read', options, async ({ data }) => {
    const { messages } = gatewaysOf(app)
    const messageId = messages && (await findLastRead(app, data.contactId))
    if (messageId) await messages.markRead(messageId)
  })
}
