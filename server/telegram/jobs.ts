import { proofWordIn } from '../auth/proof-words.ts'
import type { App } from '../platform/runtime.ts'
import { working } from '../platform/transaction.ts'
import { wordsIn } from '../platform/words.ts'
import { type Telegram, type Told, telegramOf } from './gateway.ts'
import { mirrorJobs } from './mirror.jobs.ts'
import { findFailed, findReceived } from './mirror.queries.ts'
import { keepListening } from './polling.jobs.ts'
import { findOrderPlaced, listeners } from './queries.ts'
import {
  type Claimed,
  claimTelegramById,
  forgetOldTelegram,
  noteTelegram,
  queueTelegram,
  TELEGRAM_SEND,
} from './sending.commands.ts'
import { TELEGRAM_UPDATE, workOn } from './updates.commands.ts'
import { GROUP_LANGUAGE, inboxUrl, orderWords, wordsOfMessage } from './words.ts'

/** Nothing of this runs where no bot is configured. */
export function telegramJobs(app: App) {
  const telegram = telegramOf(app)
  if (!telegram) return
  const { publicUrl } = app.config
  app.queue.handle<{ id: number }>(TELEGRAM_SEND, { concurrency: 2, isUrgent: true }, ({ data }) =>
    sendOne(app, telegram, data.id),
  )
  app.queue.handle<{ id: string }>('telegram-orders', { on: ['order.placed'] }, ({ data }) => tellOrder(app, data.id))
  app.queue.handle<{ messageId: number }>('telegram-messages', { on: ['message.received'] }, ({ data }) =>
    tellMessage(app, data.messageId),
  )
  app.queue.handle<{ messageId: number }>('telegram-failures', { on: ['message.failed'] }, ({ data }) =>
    tellFailure(app, telegram, data.messageId),
  )
  // One after the other, in the order in which they came.
  app.queue.handle<{ updateId: number }>(TELEGRAM_UPDATE, { concurrency: 1, isUrgent: true }, ({ data }) =>
    workOn(app.pool, data.updateId, { groupId: telegram.groupId, inboxUrl: inboxUrl(publicUrl) }),
  )
  app.queue.handle('old-telegram', { every: '20 3 * * *' }, () => forgetOldTelegram(app))
  mirrorJobs(app, telegram)
  keepListening(app, telegram)
}

async function noteTold(app: App, id: number, told: Told<number>): Promise<void> {
  if (told.ok) return noteTelegram(app, id, { status: 'sent', messageId: told.result })
  const { kind, text: error } = told
  await noteTelegram(app, id, { status: kind === 'busy' ? 'queued' : kind === 'unknown' ? 'unknown' : 'failed', error })
  if (kind !== 'busy') app.log.warn({ kind }, 'Telegram did not take a message')
}

async function sendOne(app: App, telegram: Telegram, id: number): Promise<void> {
  const claimed = await claimTelegramById(app, id)
  if (!claimed) return
  const told = await send(telegram, claimed)
  await noteTold(app, id, told)
  if (!told.ok && told.kind === 'busy') {
    await app.queue.send(TELEGRAM_SEND, { id }, { startAfterSeconds: told.retryAfter })
  }
}

const send = (telegram: Telegram, { chat_id: chatId, thread_id: threadId, content }: Claimed) =>
  telegram.send({ chatId, threadId }, content)

async function tellOrder(app: App, orderId: string): Promise<void> {
  const order = await findOrderPlaced(app.db, orderId)
  if (!order) return
  const people = await listeners(app.db, 'order-placed', order.vendor_id)
  await working(app.pool, async (ctx) => {
    for (const { id: userId, chatId, language } of people) {
      const text = orderWords(order, language, app.config.publicUrl)
      await queueTelegram(ctx, { chatId, userId, text, dedupeKey: `order:${orderId}:${userId}` })
    }
  })
}

async function tellMessage(app: App, messageId: number): Promise<void> {
  const message = await findReceived(app.db, messageId)
  if (!message || proofWordIn(message.content ?? '') !== null) return
  const people = await listeners(app.db, 'message-received', null)
  await working(app.pool, async (ctx) => {
    for (const { id: userId, chatId, language } of people) {
      const text = wordsIn(language)('telegram.message', {
        name: message.name ?? message.phone ?? '–',
        text: wordsOfMessage(message, language),
        url: inboxUrl(app.config.publicUrl),
      })
      const contactId = message.contact_id
      await queueTelegram(ctx, { chatId, userId, contactId, text, dedupeKey: `message:${messageId}:${userId}` })
    }
  })
}

async function tellFailure(app: App, { groupId }: Telegram, messageId: number): Promise<void> {
  const failed = groupId === null ? null : await findFailed(app.db, messageId)
  if (!failed || groupId === null) return
  const { contact_id: contactId, telegram_thread_id: threadId } = failed
  const text = wordsIn(GROUP_LANGUAGE)('telegram.failed')
  await working(app.pool, (ctx) =>
    queueTelegram(ctx, { chatId: groupId, threadId, contactId, text, dedupeKey: `failed:${messageId}` }),
  )
}
