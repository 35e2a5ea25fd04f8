import { parseLoginWord } from '../../auth/message-login.ts'
import { bindTopic } from '../../conversations/conversations.commands.ts'
import { runJobTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import { safeFileName } from '../../lib/file-name.ts'
import { endingOfMedia, sendableMedia } from '../../media/picture.ts'
import { readMedia } from '../../media/queries.ts'
import type { OutboundFile } from '../../providers/provider.ts'
import { MAX_CAPTION, statusAfter, type Telegram, type TelegramFile } from '../../providers/telegram/gateway.ts'
import { inParts } from '../sending/parts.ts'
import { claimTelegram, saveTelegramStatus } from '../sending/sending.commands.ts'
import { mirroredWords, topicName } from '../words.ts'
import type { Conversation, Mirrored } from './mirror.queries.ts'
import { findConversation, findUnmirrored, lockConversationOf, MAX_MIRRORED } from './mirror.queries.ts'

/** Delay before retrying what another process has claimed. */
const IN_TURN_SECONDS = 2

/** Context for mirroring: the group of the staff. */
export interface Mirroring {
  app: App
  telegram: Telegram
  groupId: string
}

/** Mirrors each conversation to a topic of the staff's group, if there is one. */
export function mirrorJobs(app: App, telegram: Telegram) {
  const { groupId } = telegram
  if (groupId === null) return
  // One at a time, to keep the order of messages.
  app.queue.handle('telegram-mirror', { concurrency: 1, isUrgent: true }, async ({ data }) => {
    const mayStart = data.event !== 'conversation.changed'
    const wait = await mirror({ app, telegram, groupId }, data.contactId, mayStart)
    if (wait !== null) await app.queue.send('telegram-mirror', data, { startAfterSeconds: wait })
  })
}

/**
 * Updates the topic of a conversation. Waits for claims of other processes to keep the order. Returns the seconds until
 * the next attempt; null if everything is mirrored.
 */
export async function mirror(to: Mirroring, contactId: number, mayStart: boolean): Promise<number | null> {
  const messages = await findUnmirrored(to.app.db, contactId, { mayStart, hears: to.app.config.models.voice !== null })
  let shown = 0
  for (const message of messages) {
    if (message.direction === 'incoming' && parseLoginWord(message.content ?? '') !== null) continue
    const conversation = await findConversation(to.app.db, contactId)
    if (!conversation) return null
    const wait = await mirrorOne(to, conversation, message)
    if (wait !== null) return wait
    shown += 1
  }
  return messages.length === MAX_MIRRORED && shown > 0 ? 0 : null
}

async function mirrorOne(to: Mirroring, conversation: Conversation, message: Mirrored): Promise<number | null> {
  const known = conversation.telegram_thread_id
  const topic = known === null ? await openTopic(to, conversation) : { threadId: known, wait: null }
  if (topic.threadId === null) return topic.wait
  // The job runs again when the file is stored.
  if (message.is_fetching) return IN_TURN_SECONDS
  const file = await fileOf(to.app.db, message)
  const parts = partsOf(message, file)
  for (const [at, part] of parts.entries()) {
    // The last part uses the message's own key: the message counts as mirrored only with it.
    const own = message.is_late ? `mirror-file:${message.id}` : `mirror:${message.id}`
    const dedupeKey = at === parts.length - 1 ? own : `${own}/${at + 1}`
    const { threadId } = topic
    const wait = await mirrorPart(to, conversation, { ...part, threadId, messageId: message.id, dedupeKey })
    if (wait !== null) return wait
  }
  return null
}

async function fileOf(db: App['db'], { sha256, filename, message_type: type }: Mirrored): Promise<OutboundFile | null> {
  const found = sha256 === null ? null : await readMedia(db, sha256)
  if (!found) return null
  const { bytes, mimeType } = await sendableMedia(found)
  return { bytes, mimeType, name: safeFileName(filename, type, endingOfMedia(mimeType)) }
}

/** The text in parts; a file or place comes last, a file with a text that fits as its caption. */
function partsOf(message: Mirrored, file: OutboundFile | null): Pick<Part, 'text' | 'file' | 'place'>[] {
  const words = mirroredWords(message)
  if (file && (message.is_late || words.length <= MAX_CAPTION)) {
    return [{ text: message.is_late ? file.name : words, file: { ...file, caption: message.is_late ? '' : words } }]
  }
  const texts = inParts(words).map((text) => ({ text }))
  if (file) return [...texts, { text: file.name, file: { ...file, caption: '' } }]
  const { lat, lng } = message
  return lat === null || lng === null ? texts : [...texts, { text: words, place: { lat, lng } }]
}

interface Part {
  threadId: string
  messageId: number
  text: string
  dedupeKey: string
  file?: TelegramFile
  place?: { lat: number; lng: number }
}

async function mirrorPart({ app, telegram, groupId }: Mirroring, { contact_id: contactId }: Conversation, part: Part) {
  const { threadId } = part
  const claimed = await claimTelegram(app, { ...part, chatId: groupId, contactId, hasFile: part.file !== undefined })
  if (claimed === 'taken') return IN_TURN_SECONDS
  if (claimed === 'done') return null
  const sent = await sendPart(telegram, { chatId: groupId, threadId }, { ...part, text: claimed.content })
  if (sent.ok) {
    await saveTelegramStatus(app, claimed.id, { status: 'sent', messageId: sent.result })
    return null
  }
  const { kind, text: error } = sent
  if (kind === 'no-topic' || (kind === 'closed' && (await telegram.reopenTopic(groupId, threadId)).ok)) {
    await saveTelegramStatus(app, claimed.id, { status: 'queued', error })
    if (kind === 'no-topic') await loseTopic(app, contactId, threadId)
    return 0
  }
  await saveTelegramStatus(app, claimed.id, { status: statusAfter(sent), error })
  if (kind === 'busy') return sent.retryAfter
  app.log.warn({ kind }, 'Telegram did not take a mirrored message')
  return null
}

async function sendPart(
  telegram: Telegram,
  to: { chatId: string; threadId: string },
  { text, file, place }: Pick<Part, 'text' | 'file' | 'place'>,
) {
  if (place) return telegram.sendPlace(to, place)
  if (!file) return telegram.send(to, text)
  const sent = await telegram.sendFile(to, file)
  // Telegram takes no pictures of extreme sizes; the inbox has the file.
  return sent.ok || sent.kind !== 'refused' ? sent : telegram.send(to, text)
}

/** The topic was deleted: the conversation gets another one for the messages not mirrored yet. */
const loseTopic = (app: App, contactId: number, threadId: string) =>
  runJobTransaction(app.pool, async (ctx) => {
    const now = await findConversation(ctx.db, contactId)
    if (now?.telegram_thread_id === threadId) await bindTopic(ctx, contactId, null)
  })

/** Creates the topic once under concurrency. */
async function openTopic({ app, telegram, groupId }: Mirroring, conversation: Conversation) {
  const { contact_id: contactId } = conversation
  const title = topicName(conversation)
  const claimed = await claimTelegram(app, {
    chatId: groupId,
    contactId,
    text: title,
    dedupeKey: `topic:${contactId}`,
  })
  if (claimed === 'taken' || claimed === 'done') return { threadId: null, wait: IN_TURN_SECONDS }
  // The claim is only a lock: another topic can be needed later.
  const release = (error: string | null) => saveTelegramStatus(app, claimed.id, { status: 'queued', error })
  const now = await findConversation(app.db, contactId)
  if (!now || now.telegram_thread_id !== null) {
    await release(null)
    return { threadId: now?.telegram_thread_id ?? null, wait: null }
  }
  const made = await telegram.makeTopic(groupId, title)
  if (!made.ok) {
    await release(made.text)
    if (made.kind !== 'busy') throw new Error(`Telegram made no topic: ${made.text}`)
    return { threadId: null, wait: made.retryAfter }
  }
  const isBound = await runJobTransaction(app.pool, async (ctx) => {
    const isThere = await lockConversationOf(ctx.db, contactId)
    if (isThere) await bindTopic(ctx, contactId, made.result, title)
    return isThere
  })
  await release(null)
  if (isBound) return { threadId: made.result, wait: null }
  // The person was erased while the topic was created.
  await telegram.deleteTopic(groupId, made.result)
  return { threadId: null, wait: null }
}
