import { proofWordIn } from '../auth/message-login.ts'
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
/** When to look again at what somebody else is at. */
const IN_TURN_SECONDS = 2

interface MirrorJob {
  contactId: number | null
  /** Of what came in: a topic may begin with it. */
  messageId?: number
}

/** What it takes to mirror: the staff's group there. */
export interface Mirroring {
  app: App
  telegram: Telegram
  groupId: string
}

/** One topic for each conversation in the staff's group; nothing where there is none. */
export function mirrorJobs(app: App, telegram: Telegram) {
  const { groupId } = telegram
  if (groupId === null) return
  const on = ['message.received', 'conversation.changed']
  // One at a time, so that a topic shows what was said in its order.
  app.queue.handle<MirrorJob>(MIRROR, { on, concurrency: 1, isUrgent: true }, async ({ data }) => {
    const { contactId, messageId } = data
    const wait = contactId === null ? null : await mirror({ app, telegram, groupId }, contactId, messageId ?? null)
    if (wait !== null) await app.queue.send(MIRROR, data, { startAfterSeconds: wait })
  })
}

/**
 * Brings the topic of a conversation up to date. Whatever another process is at is waited for: what was said later never
 * stands above it. Answers after how many seconds to come again; null where everything is there.
 */
export async function mirror(to: Mirroring, contactId: number, from: number | null): Promise<number | null> {
  const messages = await findUnmirrored(to.app.db, contactId, from)
  let shown = 0
  for (const message of messages) {
    if (message.direction === 'incoming' && proofWordIn(message.content ?? '') !== null) continue
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
    // The last one's key is the message's own: until it is told, the message is not shown.
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

/** Somebody deleted it: the conversation gets another, and what was not shown yet goes there. */
const loseTopic = (app: App, contactId: number, threadId: string) =>
  runJobTransaction(app.pool, async (ctx) => {
    const now = await findConversation(ctx.db, contactId)
    if (now?.telegram_thread_id === threadId) await bindTopic(ctx, contactId, null)
  })

/** Made once, whoever comes at the same time. */
async function openTopic({ app, telegram, groupId }: Mirroring, conversation: Conversation) {
  const { contact_id: contactId } = conversation
  const title = topicName(conversation)
  const claimed = await claimTelegram(app, {
    ...{ chatId: groupId, contactId, text: title },
    dedupeKey: `topic:${contactId}`,
  })
  if (claimed === 'taken' || claimed === 'done') return { threadId: null, wait: IN_TURN_SECONDS }
  // The claim only keeps others away for the moment: another topic may be needed later.
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
  // Whoever it was about was erased meanwhile.
  await telegram.deleteTopic(groupId, made.result)
  return { threadId: null, wait: null }
}
