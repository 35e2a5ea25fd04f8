import type { App } from '../../../server/http/runtime.ts'
import { AppError } from '../../../server/lib/errors.ts'
import { WEBHOOK_FACT } from './bot-api.ts'
import { telegramStore } from './commands.ts'
import { contextOf } from './queries.ts'

export interface Author {
  id: string
  name: string
}

interface TelegramEvent {
  id: number
  createdAt: Date
  from: Author
  groupId: string
  threadId: number | null
  /** `{text}`, or the change of the topic. */
  content: object
}

/** Webhook call for a message or a closed or reopened topic. */
export function updateOf({ id, createdAt, from, groupId, threadId, content }: TelegramEvent): object {
  const person = { id: Number(from.id), is_bot: false, first_name: from.name }
  const chat =
    threadId === null
      ? { id: Number(from.id), type: 'private', first_name: from.name }
      : { id: Number(groupId), type: 'supergroup', is_forum: true, title: 'Qatra' }
  return {
    update_id: id,
    message: {
      message_id: id,
      from: person,
      chat,
      date: Math.floor(createdAt.getTime() / 1_000),
      ...(threadId === null ? {} : { message_thread_id: threadId, is_topic_message: true }),
      ...content,
    },
  }
}

/**
 * Posts to the shop's webhook over HTTP with its secret, as Telegram does.
 * @throws UNAVAILABLE if no webhook is set or it refused the update
 */
export async function callTelegramWebhook(app: App, update: object): Promise<void> {
  const webhook = await telegramStore(contextOf(app)).findFact(WEBHOOK_FACT)
  if (webhook === null) throw new AppError('UNAVAILABLE')
  const { url, secret } = JSON.parse(webhook) as { url: string; secret: string } // written by setWebhook
  const response = await app.http.inject({
    method: 'POST',
    url: new URL(url).pathname,
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
    payload: JSON.stringify(update),
  })
  if (response.statusCode !== 200) throw new AppError('UNAVAILABLE')
}
