import { requestHandoff, wake } from '../conversations/conversations.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import type { JobOf } from '../jobs/queues.ts'
import { type FileType, fileTypeOf, kindOf, secondsOf } from '../media/file-kind.ts'
import { reencodePicture } from '../media/picture.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { deleteMessageFile, type NewFile, saveFileProblem, storeMessageFile } from './files.commands.ts'
import { findFileToFetch } from './files.queries.ts'
import { findLastRead, isUnanswered } from './messages.queries.ts'

/** Sends read receipts after staff have read a message, and fetches customers' files. */
export function inboxJobs(app: App) {
  app.queue.handle('mark-read', { concurrency: 2, retryLimit: 0 }, async ({ data }) => {
    const { messages } = gatewaysOf(app)
    const messageId = messages && (await findLastRead(app, data.contactId))
    if (messageId) await messages.markRead(messageId)
  })
  app.queue.handle('conversation-snooze', { isUrgent: true, concurrency: 2 }, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => wake(ctx, data.contactId)),
  )
  app.queue.handle('revoked-files', {}, async ({ data }) => {
    await deleteMessageFile(app, data.messageId)
  })
  if (!app.config.hasBot) personJobs(app)
  fileJobs(app)
}

/** Without the bot every customer waits for staff. */
function personJobs(app: App) {
  app.queue.handle(
    'conversation-without-bot',
    { isUrgent: true },
    async ({ data: { messageId, contactId, isForPerson } }) => {
      if (!isForPerson) return
      await runJobTransaction(app.pool, async (ctx) => {
        if (await isUnanswered(ctx, contactId, messageId)) await requestHandoff(ctx, contactId, 'no-bot')
      })
    },
  )
}

/** WhatsApp's limit for sound and video; larger documents are not fetched. */
const MAX_BYTES = 16 * 1024 * 1024
/** WhatsApp's limit for pictures. */
const MAX_PICTURE_BYTES = 5 * 1024 * 1024
/** Limit per contact, to protect the disk; staff can fetch further files by hand. */
const MAX_BYTES_PER_DAY = 128 * 1024 * 1024
const RETRIES = 6

/** Fetches customers' pictures, voice messages, videos and documents. A failure is stored with its reason. */
export function fileJobs(app: App) {
  // Few at a time, since each file is held in memory; two, so that a picture need not wait for a large video.
  const options = { concurrency: 2, retryLimit: RETRIES, retryDelay: 5, expireInSeconds: 90 }
  app.queue.handle('message-files', options, async ({ data, retryCount }) => {
    const isLast = retryCount >= RETRIES
    await fetchFile(app, data, isLast)
  })
}

/** The daily limit does not apply to what staff have asked for. */
async function fetchFile(app: App, { messageId, isAsked = false }: JobOf<'message-files'>, isLast: boolean) {
  const wanted = await findFileToFetch(app, messageId)
  if (!wanted) return
  const saveProblem = (about: Parameters<typeof saveFileProblem>[2]) => {
    app.log.info({ messageId, problem: about.problem }, 'a file stays named')
    return runJobTransaction(app.pool, (ctx) => saveFileProblem(ctx, messageId, about))
  }
  if (!isAsked && wanted.bytesOfDay >= MAX_BYTES_PER_DAY) return saveProblem({ problem: 'much' })
  const media = await gatewaysOf(app).fetchMedia?.(
    wanted.mediaId,
    isPicture(wanted.messageType) ? MAX_PICTURE_BYTES : MAX_BYTES,
  )
  if (!media) return saveProblem({ problem: 'gone' })
  if (!media.ok) {
    if (media.kind === 'large') return saveProblem({ problem: 'large', size: media.size })
    if (media.kind === 'gone') return saveProblem({ problem: 'gone' })
    if (isLast) await saveProblem({ problem: 'away' })
    throw new Error('The file could not be fetched yet')
  }
  const bytes = Buffer.from(media.bytes.buffer, media.bytes.byteOffset, media.bytes.byteLength)
  const file = await inspect(bytes, wanted.messageType)
  if (typeof file === 'string') return saveProblem({ problem: file, size: bytes.length })
  await runJobTransaction(app.pool, (ctx) => storeMessageFile(ctx, messageId, file))
}

/** The file to store: pictures re-encoded, others unchanged. Otherwise the reason why it is not accepted. */
async function inspect(bytes: Buffer, messageType: string): Promise<NewFile | 'kind' | 'broken'> {
  const mimeType = fileTypeOf(bytes)
  if (mimeType !== null && fits(mimeType, messageType)) return { bytes, mimeType, seconds: secondsOf(bytes, mimeType) }
  // Many people send pictures as documents to keep their quality.
  if (!isPicture(messageType) && messageType !== 'document') return 'kind'
  const picture = await reencodePicture(bytes)
  if (typeof picture !== 'string') return picture
  return picture === 'kind' ? 'kind' : 'broken'
}

const isPicture = (messageType: string) => messageType === 'image' || messageType === 'sticker'

/** Voice messages must be audio and videos video; documents may have any accepted type. */
const fits = (type: FileType, messageType: string) => messageType === 'document' || kindOf(type) === messageType
