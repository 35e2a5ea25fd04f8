import { PICTURES } from '../conversations/incoming.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { reencodePicture } from '../media/picture.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { fileJobs } from './files.jobs.ts'
import { findLastRead } from './messages.queries.ts'
import { storeMessagePicture } from './pictures.commands.ts'
import { findPictureToFetch } from './pictures.queries.ts'

/** WhatsApp's own limit for pictures. */
const MAX_BYTES = 5 * 1024 * 1024

/** Sends read receipts after staff have read a message, and fetches pictures. */
export function inboxJobs(app: App) {
  const options = { on: ['conversation.read'], concurrency: 2, retryLimit: 0 }
  app.queue.handle<{ contactId: number }>('mark-read', options, async ({ data }) => {
    const { messages } = gatewaysOf(app)
    const messageId = messages && (await findLastRead(app, data.contactId))
    if (messageId) await messages.markRead(messageId)
  })
  // One at a time, to bound the memory for decoding.
  const fetching = { concurrency: 1, retryLimit: 6, retryDelay: 5, expireInSeconds: 60 }
  app.queue.handle<{ messageId: number }>(PICTURES, fetching, ({ data }) => fetchPicture(app, data.messageId))
  fileJobs(app)
}

/** Fetches a picture sent by a customer; leaves the message without one if that fails. */
async function fetchPicture(app: App, messageId: number): Promise<void> {
  const { messages } = gatewaysOf(app)
  const mediaId = messages?.fetchMedia ? await findPictureToFetch(app, messageId) : null
  if (mediaId === null) return
  const media = await messages?.fetchMedia?.(mediaId, MAX_BYTES)
  if (!media) return
  if (!media.ok) {
    if (media.kind === 'busy') throw new Error('The picture could not be fetched yet')
    app.log.info({ messageId }, 'a picture stays named: the provider does not give it')
    return
  }
  const picture = await reencodePicture(media.bytes)
  if (typeof picture === 'string') app.log.info({ messageId, problem: picture }, 'a picture stays named')
  else await runJobTransaction(app.pool, (ctx) => storeMessagePicture(ctx, messageId, picture))
}
