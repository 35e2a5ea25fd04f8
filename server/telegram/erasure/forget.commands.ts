import { run, statement } from '../../database/db.ts'
import type { JobContext } from '../../database/transaction.ts'
import { enqueue } from '../../jobs/domain-events.ts'

// Locked, so that a topic being created is either seen here or finds no conversation.
const topicSql = statement(
  'telegram-erase-topic',
  `select t.telegram_thread_id as thread_id from whatsapp_conversation_threads t join contacts c on c.id = t.contact_id
   where c.phone = $1 for update of t`,
)
// A bot can delete its messages in private chats for 48 hours.
const sentSql = statement(
  'telegram-erase-sent',
  `select m.chat_id, m.thread_id, array_agg(m.telegram_message_id::bigint)
       filter (where m.telegram_message_id is not null and m.sent_at > now() - interval '47 hours') as ids
   from telegram_messages m join contacts c on c.id = m.contact_id where c.phone = $1 group by m.chat_id, m.thread_id`,
)
const updatesSql = statement(
  'telegram-erase-updates',
  `update telegram_updates set payload = null where payload -> 'message' ->> 'message_thread_id' = any($1::text[])`,
)

/** Erases messages about and to this person: from the database now, from Telegram by a job. */
export async function eraseTelegramOf(ctx: JobContext, phone: string): Promise<void> {
  const bound = await run<{ thread_id: string | null }>(ctx.db, topicSql, [phone])
  const sent = await run<{ chat_id: string; thread_id: string | null; ids: string[] | null }>(ctx.db, sentSql, [phone])
  const topics = [...new Set([...bound, ...sent].flatMap(({ thread_id: topic }) => topic ?? []))]
  const messages = sent.flatMap(({ chat_id: chatId, thread_id: topic, ids }) =>
    topic === null && ids ? [{ chatId, ids: ids.map(Number) }] : [],
  )
  if (topics.length > 0) await run(ctx.db, updatesSql, [topics])
  if (topics.length + messages.length === 0) return
  await enqueue(ctx, 'telegram-forget-person', { topics, messages })
}
