import type { App } from '../http/runtime.ts'
import { type ApiResult, statusAfter, type Telegram } from '../providers/telegram/gateway.ts'
import { eraseJobs } from './erasure/forget.jobs.ts'
import { telegramOf } from './gateway.ts'
import { isBlocked, saveChatBlocked } from './linking/chats.commands.ts'
import { registerWebhook, startPolling } from './receiving/polling.jobs.ts'
import { processUpdate, TELEGRAM_UPDATE } from './receiving/updates.commands.ts'
import { fallbackJobs, TELEGRAM_FALLBACK } from './sending/fallback.jobs.ts'
import { newsJobs } from './sending/news.jobs.ts'
import { claimTelegramById, purgeTelegram, saveTelegramStatus, TELEGRAM_SEND } from './sending/sending.commands.ts'
import { failureJobs } from './topics/failure.jobs.ts'
import { mirrorJobs } from './topics/mirror.jobs.ts'
import { revokedJobs } from './topics/revoked.jobs.ts'
import { startWhenUsed } from './waking.jobs.ts'
import { inboxUrl } from './words.ts'

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
  app.queue.handle<{ id: number }>(TELEGRAM_SEND, { concurrency: 2, isUrgent: true }, ({ data }) =>
    sendOne(app, telegram, data.id),
  )
  newsJobs(app)
  failureJobs(app, telegram)
  // One at a time, in order of arrival.
  const place = { groupId: telegram.groupId, inboxUrl: inboxUrl(publicUrl), fetchFile: telegram.fetchFile }
  const options = { concurrency: 1, isUrgent: true, retryLimit: UPDATE_RETRIES }
  app.queue.handle<{ updateId: number }>(TELEGRAM_UPDATE, options, ({ data, retryCount }) =>
    processUpdate(app.pool, data.updateId, place, retryCount >= UPDATE_RETRIES),
  )
  app.queue.handle('old-telegram', { every: '20 3 * * *' }, () => purgeTelegram(app))
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
  if (result.kind === 'busy') await app.queue.send(TELEGRAM_SEND, { id }, { startAfterSeconds: result.retryAfter })
  else if (result.kind === 'blocked') {
    await saveChatBlocked(app, chatId, true)
    await app.queue.send(TELEGRAM_FALLBACK, { id })
  } else app.log.warn({ kind: result.kind }, 'Telegram did not take a message')
}
