import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { isLang } from '@qatra/contract/lib/lang'
import { inboxSettingsIn } from '@qatra/contract/whatsapp/inbox/settings'
import { officeWords } from '../calendar/office-hours.ts'
import type { Catalogue } from '../catalogue/queries.ts'
import { findContact } from '../conversations/contacts.queries.ts'
import { requestHandoff, wake } from '../conversations/conversations.commands.ts'
import { saveTranscript } from '../conversations/incoming.commands.ts'
import { ratingIn } from '../conversations/ratings.ts'
import { queueIfOpen } from '../conversations/sending.commands.ts'
import { type JobContext, runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { enqueue } from '../jobs/domain-events.ts'
import type { FilterInput } from '../jobs/events.ts'
import type { JobOf } from '../jobs/queues.ts'
import { endingOf, type FileType, fileTypeOf, kindOf, secondsOf } from '../media/file-kind.ts'
import { reencodePicture } from '../media/picture.ts'
import { gatewaysOf } from '../providers/gateways.ts'
import { modelsOf } from '../providers/models/models.commands.ts'
import { deleteMessageFile, type NewFile, saveFileProblem, storeMessageFile } from './files.commands.ts'
import { findFileToFetch, findVoice } from './files.queries.ts'
import { findLastRead, isUnanswered } from './messages.queries.ts'
import { askRating, takeRating } from './ratings.commands.ts'
import { alarmOfLate, giveInTurn, releaseOfGone } from './turns.commands.ts'

type Office = () => Pick<Catalogue, 'settings' | 'holidays'>

/** Sends read receipts after staff have read a message, fetches customers' files, and watches who waits. */
export function inboxJobs(app: App, { current: office }: { current: Office }) {
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
  if (!app.config.hasBot) personJobs(app, office)
  waitingJobs(app, office)
  ratingJobs(app, office)
  fileJobs(app)
}

function waitingJobs(app: App, office: Office) {
  app.queue.handle('conversation-turns', { isUrgent: true, concurrency: 1 }, ({ data }) =>
    runJobTransaction(app.pool, (ctx) => giveInTurn(ctx, data.contactId, office())),
  )
  app.queue.handle('late-conversations', { concurrency: 1 }, () =>
    runJobTransaction(app.pool, async (ctx) => {
      await releaseOfGone(ctx, office())
      await alarmOfLate(ctx, office(), app.clock.now())
    }),
  )
}

function ratingJobs(app: App, office: Office) {
  const filter = ({ parts }: FilterInput<'message.received'>) => ratingIn(parts) !== null
  app.queue.handle('conversation-ratings', { filter }, async ({ data }) => {
    if ('caseId' in data && !inboxSettingsIn(office().settings).asksRating) return
    await runJobTransaction(app.pool, (ctx) =>
      'caseId' in data ? askRating(ctx, data.caseId) : takeRating(ctx, data.messageId),
    )
  })
}

/** Without the bot every customer waits for staff. */
function personJobs(app: App, office: Office) {
  app.queue.handle(
    'conversation-without-bot',
    { isUrgent: true },
    async ({ data: { messageId, contactId, isForPerson } }) => {
      if (!isForPerson) return
      await runJobTransaction(app.pool, async (ctx) => {
        if (!(await isUnanswered(ctx, contactId, messageId))) return
        await requestHandoff(ctx, contactId, 'no-bot')
        await sayClosed(ctx, contactId, { office: office(), now: app.clock.now() })
      })
    },
  )
}

/** Tells when staff answer, once a day, while the office is closed. */
async function sayClosed(
  ctx: JobContext,
  contactId: number,
  { office, now }: { office: ReturnType<Office>; now: Date },
): Promise<void> {
  const contact = await findContact(ctx.db, contactId)
  const words = officeWords(office, now, isLang(contact?.language) ? contact.language : 'ar')
  if (words === null || words.isOpen) return
  const dedupeKey = `closed:${contactId}:${bahrainDate(now)}`
  await queueIfOpen(ctx, {
    to: { contactId },
    message: { type: 'text', text: words.text },
    dedupeKey,
    by: { type: 'system' },
  })
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
  app.queue.handle('voice-messages', { concurrency: 2, isUrgent: true, retryLimit: 1 }, ({ data }) =>
    hear(app, data.messageId),
  )
}

/** Longer voice messages are left to a person. */
const MAX_HEARD_SECONDS = 120
/** A file can name a shorter time than it lasts; WhatsApp's recordings of two minutes have a quarter of this. */
const MAX_HEARD_BYTES = 2 * 1024 * 1024

/** Stores the words of a voice message; none if it is long, of unknown length, or not understood. */
async function hear(app: App, messageId: number): Promise<void> {
  const voice = await findVoice(app, messageId)
  if (!voice) return
  const { bytes, mimeType, seconds } = voice
  const isShort = seconds !== null && seconds <= MAX_HEARD_SECONDS && bytes.length <= MAX_HEARD_BYTES
  const sound = { bytes: new Uint8Array(bytes), mimeType, filename: `voice.${endingOf(mimeType)}` }
  const words = isShort ? await modelsOf(app).hear?.(sound) : null
  const heard = { transcript: words ?? '', hasBot: app.config.hasBot }
  await runJobTransaction(app.pool, (ctx) => saveTranscript(ctx, messageId, heard))
}

/** The daily limit does not apply to what staff have asked for. */
async function fetchFile(app: App, { messageId, isAsked = false }: JobOf<'message-files'>, isLast: boolean) {
  const wanted = await findFileToFetch(app, messageId)
  if (!wanted) return
  const { hasBot, models } = app.config
  const isHeard = wanted.messageType === 'audio' && !wanted.isOwn && models.voice !== null
  const saveProblem = (about: Parameters<typeof saveFileProblem>[2]) => {
    app.log.info({ messageId, problem: about.problem }, 'a file stays named')
    return runJobTransaction(app.pool, async (ctx) => {
      await saveFileProblem(ctx, messageId, about)
      if (isHeard) await saveTranscript(ctx, messageId, { transcript: '', hasBot })
    })
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
  await runJobTransaction(app.pool, async (ctx) => {
    await storeMessageFile(ctx, messageId, file)
    if (isHeard) await enqueue(ctx, 'voice-messages', { messageId })
  })
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
