import { type Db, run, statement } from '../database/db.ts'

const lockSql = statement(
  'telegram-answer-hold',
  `select contact_id as "contactId", assigned_to as "assignedTo", coalesce(paused_until > now(), false) as "isPaused"
   from whatsapp_conversation_threads where telegram_thread_id = $1 for update`,
)

/** The conversation of a topic, held until the transaction ends; null where it is none's. */
export async function lockConversationOfTopic(db: Db, threadId: string) {
  const [row] = await run<{ contactId: number; assignedTo: number | null; isPaused: boolean }>(db, lockSql, [threadId])
  return row ?? null
}

const wasTopicSql = statement(
  'telegram-was-topic',
  'select from telegram_messages where chat_id = $1 and thread_id = $2 and contact_id is not null limit 1',
)

/** Whether a conversation had this topic once: it has another now, or went into that of the same person. */
export const wasTopic = async (db: Db, chatId: string, threadId: string): Promise<boolean> =>
  (await run(db, wasTopicSql, [chatId, threadId])).length > 0
