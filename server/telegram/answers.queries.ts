import { type Db, run, statement } from '../database/db.ts'

const lockSql = statement(
  'telegram-answer-hold',
  `select contact_id as "contactId", assigned_to as "assignedTo", coalesce(paused_until > now(), false) as "isPaused"
   from whatsapp_conversation_threads where telegram_thread_id = $1 for update`,
)

/** Locks the conversation of a topic until the transaction ends; null if there is none. */
export async function lockConversationOfTopic(db: Db, threadId: string) {
  const [row] = await run<{ contactId: number; assignedTo: number | null; isPaused: boolean }>(db, lockSql, [threadId])
  return row ?? null
}

const wasTopicSql = statement(
  'telegram-was-topic',
  'select from telegram_messages where chat_id = $1 and thread_id = $2 and contact_id is not null limit 1',
)

/** Whether the topic belonged to a conversation that has another topic now or was merged. */
export const wasTopic = async (db: Db, chatId: string, threadId: string): Promise<boolean> =>
  (await run(db, wasTopicSql, [chatId, threadId])).length > 0
