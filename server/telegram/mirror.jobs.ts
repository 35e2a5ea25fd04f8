import { proofWordIn } from '../auth/proof-words.ts'
import { bindTopic } from '../channel/conversations.commands.ts'
import type { App } from '../platform/runtime.ts'
import { working } from '../platform/transaction.ts'
import type { Telegram } from './gateway.ts'
import { type Conversation, findConversation, findUnmirrored, type Mirrored } from './mirror.queries.ts'
import { type Claimed, claimTelegram, noteTelegram } from './sending.commands.ts'
import { mirroredWords } from './words.ts'

const MIRROR = 'telegram-mirror'
const LONGEST_NAME = 128

interface MirrorJob {
  contactId: number | null
  /** Of what came in: a topic may begin with it. */
  messageId?: number
}

/** One topic for each conversation in the staff's group; nothing where there is none. */
export function mirrorJobs(app: App, telegram: Telegram) {
  const { groupId } = telegram
  if (groupId === null) return
  const on = ['message.received', 'conversation.changed']
  // One at a time, so that a topic shows what was said in its order.
  app.queue.handle<MirrorJob>(MIRROR, { on, concurrency: 1, isUrgent: true }, async ({ data }) => {
    const wait = data.contactId === null ? null : await mirror(app, telegram, groupId, data.contactId, data.messageId)
    if (wait !== null) await app.queue.send(MIRROR, data, { startAfterSeconds: wait })
  })
}

/** Answers after how many seconds to come again; null where everything is there. */
async function mirror(
  app: App,
  telegram: Telegram,
  groupId: string,
  contactId: number,
  from: number | undefined,
): Promise<number | null> {
  const messages = await findUnmirrored(app.db, contactId, from ?? null)
  for (const message of messages) {
    if (message.direction === 'incoming' && proofWordIn(message.content ?? '') !== null) continue
    const conversation = await findConversation(app.db, contactId)
    if (!conversation) return null
    const wait = await mirrorOne(app, telegram, groupId, conversation, message)
    if (wait !== null) return wait
  }
  return null
}

async function mirrorOne(
  app: App,
  telegram: Telegram,
  groupId: string,
  conversation: Conversation,
  message: Mirrored,
): Promise<number | null> {
  const { contact_id: contactId } = conversation
  const known = conversation.telegram_thread_id
  const topic = known === null ? await openTopic(app, telegram, groupId, conversation) : { threadId: known, wait: null }
  if (topic.threadId === null) return topic.wait
  const told = { chatId: groupId, threadId: topic.threadId, contactId, messageId: message.id }
  const claimed = await claimTelegram(app, {
    ...told,
    text: mirroredWords(message),
    dedupeKey: `mirror:${message.id}`,
  })
  if (!claimed) return null
  const sent = await telegram.send({ chatId: groupId, threadId: topic.threadId }, claimed.content)
  if (sent.ok) {
    await noteTelegram(app, claimed.id, { status: 'sent', messageId: sent.result })
    return null
  }
  if (sent.kind === 'busy') {
    await noteTelegram(app, claimed.id, { status: 'queued', error: sent.text })
    return sent.retryAfter
  }
  if (sent.kind === 'no-topic') return replaceTopic(app, conversation, topic.threadId, claimed, sent.text)
  await noteTelegram(app, claimed.id, { status: sent.kind === 'unknown' ? 'unknown' : 'failed', error: sent.text })
  app.log.warn({ kind: sent.kind }, 'Telegram did not take a mirrored message')
  return null
}

/** Somebody closed it for good: the conversation gets another, and this message goes there. */
async function replaceTopic(
  app: App,
  { contact_id: contactId }: Conversation,
  threadId: string,
  claimed: Claimed,
  error: string,
): Promise<number> {
  await noteTelegram(app, claimed.id, { status: 'queued', error })
  await working(app.pool, async (ctx) => {
    const now = await findConversation(ctx.db, contactId)
    if (now?.telegram_thread_id === threadId) await bindTopic(ctx, contactId, null)
  })
  return 0
}

/** Made once, whoever comes at the same time; the claim's key counts the topics that there were. */
async function openTopic(app: App, telegram: Telegram, groupId: string, conversation: Conversation) {
  const { contact_id: contactId, name, phone } = conversation
  const title = [name, phone].filter(Boolean).join(' · ').slice(0, LONGEST_NAME) || `#${contactId}`
  const claimed = await claimTelegram(app, {
    ...{ chatId: groupId, contactId, text: title },
    dedupeKey: `topic:${contactId}`,
  })
  if (!claimed) return { threadId: null, wait: 2 }
  // The claim only keeps others away for the moment: another topic may be needed later.
  const release = (error: string | null) => noteTelegram(app, claimed.id, { status: 'queued', error })
  const threadId = (await findConversation(app.db, contactId))?.telegram_thread_id ?? null
  if (threadId !== null) {
    await release(null)
    return { threadId, wait: null }
  }
  const made = await telegram.makeTopic(groupId, title)
  if (made.ok) await working(app.pool, (ctx) => bindTopic(ctx, contactId, made.result, title))
  await release(made.ok ? null : made.text)
  if (made.ok) return { threadId: made.result, wait: null }
  if (made.kind !== 'busy') throw new Error(`Telegram made no topic: ${made.text}`)
  return { threadId: null, wait: made.retryAfter }
}
