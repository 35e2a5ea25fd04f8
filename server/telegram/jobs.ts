import { run, statement } from '../database/db.ts'
import type { App } from '../http/runtime.ts'
import { describeError } from '../lib/logger.ts'
import { type ApiResult, statusAfter, type Telegram } from '../providers/telegram/gateway.ts'
import { telegramOf } from './gateway.ts'
import { isBlocked, saveChatBlocked } from './linking/chats.commands.ts'
import { isAnybodyLinked } from './queries.ts'
import { registerWebhook, startPolling } from './receiving/polling.jobs.ts'
import { processUpdate } from './receiving/updates.commands.ts'
import { fallbackJobs } from './sending/fallback.jobs.ts'
import { newsJobs } from './sending/news.jobs.ts'
import { claimTelegramById, saveTelegramStatus } from './sending/sending.commands.ts'
import { failureJobs } from './topics/failure.jobs.ts'
import { mirrorJobs } from './topics/mirror.jobs.ts'
import { inBoth, inboxUrl } from './words.ts'

const UPDATE_RETRIES = 5

/**
 * Does nothing without a configured bot, or while a simulated one is inactive. Returns the function that activates it.
 */
export function telegramJobs(app: App): () => Promise<void> {
  const telegram = telegramOf(app)
  if (!telegram) return async () => {}
  const { isSimulated, webhookSecret } = app.config.telegram
  if (isSimulated && webhookSecret !== null) {
    return startWhenUsed(
      app,
      () => declareJobs(app, telegram),
      () => registerWebhook(app, telegram, webhookSecret),
    )
  }
  declareJobs(app, telegram)
  if (app.config.role !== 'web') startPolling(app, telegram)
  return async () => {}
}

function declareJobs(app: App, telegram: Telegram) {
  const { publicUrl } = app.config
  app.queue.handle('telegram-send', { concurrency: 2, isUrgent: true }, ({ data }) => sendOne(app, telegram, data.id))
  newsJobs(app)
  failureJobs(app, telegram)
  // One at a time, in order of arrival.
  const place = { groupId: telegram.groupId, inboxUrl: inboxUrl(publicUrl), fetchFile: telegram.fetchFile }
  const options = { concurrency: 1, isUrgent: true, retryLimit: UPDATE_RETRIES }
  app.queue.handle('telegram-update', options, ({ data, retryCount }) =>
    processUpdate(app.pool, data.updateId, place, retryCount >= UPDATE_RETRIES),
  )
  mirrorJobs(app, telegram)
  fallbackJobs(app)
  revokedJobs(app, telegram)
  eraseJobs(app, telegram)
}

async function sendOne(app: App, telegram: Telegram, id: number): Promise<void> {
  const claimed = await claimTelegramById(app, id)
  if (!claimed) return
  const { chat_id: chatId, thread_id: threadId, reply_to_id: replyTo, content } = claimed
  const result: ApiResult<number> = (await isBlocked(app.db, chatId))
    ? { ok: false, kind: 'blocked', text: 'blocked before', retryAfter: 0 }
    : await telegram.send({ chatId, threadId, replyTo }, content)
  if (result.ok) {
    const isStored = await saveTelegramStatus(app, id, { status: 'sent', messageId: result.result })
    // The person was erased while the message was sent.
    if (!isStored) await telegram.deleteMessages(chatId, [result.result])
    return
  }
  await saveTelegramStatus(app, id, { status: statusAfter(result), error: result.text })
  if (result.kind === 'busy') await app.queue.send('telegram-send', { id }, { startAfterSeconds: result.retryAfter })
  else if (result.kind === 'blocked') {
    await saveChatBlocked(app, chatId, true)
    await app.queue.send('telegram-fallback', { id })
  } else app.log.warn({ kind: result.kind }, 'Telegram did not take a message')
}

/** Channel that activates the simulated bot in all processes. */
const CHANNEL = 'telegram_waking'
const wakeSql = statement('telegram-waking', `select pg_notify('${CHANNEL}', '')`)

/**
 * Activates a simulated bot on first use; until then no queue is polled and the library is not loaded. One process
 * activates all others; a starting process activates it if an account is linked.
 */
function startWhenUsed(app: App, declare: () => void, listen: () => Promise<void>): () => Promise<void> {
  let isDeclared = false
  let waking: Promise<void> | null = null
  async function begin() {
    if (!isDeclared) declare()
    isDeclared = true
    await app.queue.start()
    await listen()
  }
  function wake(): Promise<void> {
    waking ??= begin().catch((error: unknown) => {
      waking = null
      throw error
    })
    return waking
  }
  const quietly = (work: () => Promise<void>) => () => {
    work().catch((error: unknown) => app.log.warn({ err: describeError(error) }, 'the simulated bot did not start'))
  }
  const wakeWhereLinked = quietly(async () => {
    if (await isAnybodyLinked(app.db)) await wake()
  })
  app.http.addHook('onReady', async () => {
    await app.listener.on(CHANNEL, quietly(wake), wakeWhereLinked)
    wakeWhereLinked()
  })
  return async () => {
    // Repeated, since a process started meanwhile may be inactive.
    await run(app.db, wakeSql)
    await wake()
  }
}

const copiesSql = statement(
  'telegram-copies',
  `update telegram_messages set content = null
   where message_id = $1 or dedupe_key like any(array['message:' || $1::text || ':%', 'waiting:' || $1::text || ':%'])
   returning chat_id, telegram_message_id`,
)

/** Deletes the copies of a message that the customer deleted. */
function revokedJobs(app: App, telegram: Telegram) {
  app.queue.handle('revoked-topics', {}, async ({ data }) => {
    const copies = await run<{ chat_id: string; telegram_message_id: string | null }>(app.db, copiesSql, [
      data.messageId,
    ])
    for (const { chat_id: chatId, telegram_message_id: id } of copies) {
      if (id === null) continue
      const deleted = await telegram.deleteMessages(chatId, [Number(id)])
      if (!deleted.ok && deleted.kind === 'busy') throw new Error('Telegram is busy')
    }
  })
}

/** Telegram's limit per call. */
const AT_ONCE = 100

/** Failed deletions are retried; at last they are failed jobs, to be done by hand. */
function eraseJobs(app: App, telegram: Telegram) {
  app.queue.handle('telegram-forget-person', { retryLimit: 8, retryDelay: 20 }, async ({ data }) => {
    for (const { chatId, ids } of data.messages) {
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const deleted = await telegram.deleteMessages(chatId, ids.slice(at, at + AT_ONCE))
        // In blocked or deleted chats the messages cannot be deleted.
        if (!deleted.ok && isForLater(deleted)) throw new Error(`Telegram deleted nothing: ${deleted.text}`)
        if (!deleted.ok)
          app.log.warn({ kind: deleted.kind }, 'Telegram could not delete messages about an erased person')
      }
    }
    for (const topic of data.topics) await eraseTopic(app, telegram, topic)
  })
}

const isForLater = (result: ApiResult<unknown>) => !result.ok && (result.kind === 'busy' || result.kind === 'unknown')

/** Deletes the topic with its messages; without the right to do so, renames and closes it. */
async function eraseTopic(app: App, telegram: Telegram, threadId: string): Promise<void> {
  const { groupId } = telegram
  if (groupId === null) return
  const deleted = await telegram.deleteTopic(groupId, threadId)
  if (deleted.ok || deleted.kind === 'no-topic') return
  if (isForLater(deleted)) throw new Error(`Telegram deleted no topic: ${deleted.text}`)
  app.log.warn({ kind: deleted.kind }, 'the bot may not delete topics')
  const steps = [
    () => telegram.renameTopic(groupId, threadId, inBoth('telegram.erased.name', ' · ')),
    () => telegram.send({ chatId: groupId, threadId }, inBoth('telegram.erased')),
    () => telegram.closeTopic(groupId, threadId),
  ]
  for (const step of steps) {
    const done = await step()
    if (!done.ok && done.kind !== 'no-topic') throw new Error(`Telegram closed no topic: ${done.text}`)
  }
}
