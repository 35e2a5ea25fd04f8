import { run, statement } from '../../database/db.ts'
import type { App } from '../../http/runtime.ts'
import type { Telegram } from '../../providers/telegram/gateway.ts'

const copiesSql = statement(
  'telegram-copies',
  `update telegram_messages set content = null
   where message_id = $1 or dedupe_key like any(array['message:' || $1::text || ':%', 'waiting:' || $1::text || ':%'])
   returning chat_id, telegram_message_id`,
)

/** Deletes the copies of a message that the customer deleted. */
export function revokedJobs(app: App, telegram: Telegram) {
  app.queue.handle<{ messageId: number }>('revoked-topics', { on: ['message.revoked'] }, async ({ data }) => {
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
