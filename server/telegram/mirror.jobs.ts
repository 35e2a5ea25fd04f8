import { parseLoginWord } from '../auth/message-login.ts'
import { bindTopic } from '../conversations/conversations.commands.ts'
import { runJobTransaction } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { statusAfter, type Telegram } from './gateway.ts'
import type { Conversation, Mirrored } from './mirror.queries.ts'
import { findConversation, findUnmirrored, lockConversationOf, MAX_MIRRORED } from './mirror.queries.ts'
import { inParts } from './parts.ts'
import { claimTelegram, noteTelegram } from './sending.commands.ts'
import { mirroredWords, topicName } from './words.ts'

const MIRROR = 'telegram-mirror'
/** Delay before retrying what another process has claimed. */
const IN_TURN_SECONDS = 2

interface MirrorJob {
  contactId: number | null
  /** An incoming message; a topic can begin with it. */
  messageId?: number
}

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
  const on = ['message.received', 'conversation.changed']
  // One at a time, to keep the order of messages.
  app.queue.handle<MirrorJob>(MIRROR, { on, concurrency: 1, isUrgent: true }, async ({ data }) => {
    const { contactId, messageId } = data
    const wait = contactId === null ? null : await mirror({ app, telegram, groupId }, contactId, messageId ?? null)
    if (wait !== null) await app.queue.send(MIRROR, data, { startAfterSeconds: wait })
  })
}

/**
 * Updates the topic of a conversation. Waits for claims of other processes to keep the order. Returns the seconds until
 * the next attempt; null if everything is mirrored.
 */
export async function mirror(to: Mirroring, contactId: number, from: number | null): Promise<number | null> {
  const messages = await findUnmirrored(to.app.db, contactId, from)
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
  const parts = inParts(mirroredWords(message))
  for (const [at, text] of parts.entries()) {
    // The last part uses the message's own key: the message counts as mirrored only with it.
    const dedupeKey = at === parts.length - 1 ? `mirror:${message.id}` : `mirror:${message.id}/${at + 1}`
    const wait = await mirrorPart(to, conversation, {
      threadId: topic.threadId,
      messageId: message.id,
      text,
      dedupeKey,
    })
    if (wait !== null) return wait
  }
  return null
}

interface Part {
  threadId: string
  messageId: number
  text: string
  dedupeKey: string
}

async function mirrorPart({ app, telegram, groupId }: Mirroring, { contact_id: contactId }: Conversation, part: Part) {
  const { threadId } = part
  const claimed = await claimTelegram(app, { ...part, chatId: groupId, contactId })
  if (claimed === 'taken') return IN_TURN_SECONDS
  if (claimed === 'done') return null
  const sent = await telegram.send({ chatId: groupId, threadId }, claimed.content)
  if (sent.ok) {
    await noteTelegram(app, claimed.id, { status: 'sent', messageId: sent.result })
    return null
  }
  const { kind, text: error } = sent
  if (kind === 'no-topic' || (kind === 'closed' && (await telegram.reopenTopic(groupId, threadId)).ok)) {
    await noteTelegram(app, claimed.id, { status: 'queued', error })
    if (kind === 'no-topic') await loseTopic(app, contactId, threadId)
    return 0
  }
  await noteTelegram(app, claimed.id, { status: statusAfter(sent), error })
  if (kind === 'busy') return sent.retryAfter
  app.log.warn({ kind }, 'Telegram did not take a mirrored message')
  return null
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
  const release = (error: string | null) => noteTelegram(app, claimed.id, { status: 'queued', error })
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
