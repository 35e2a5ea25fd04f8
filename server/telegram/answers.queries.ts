import { type Db, run, statement } from '../platform/db.ts'

const holdSql = statement(
  'telegram-answer-hold',
  `select contact_id as "contactId", assigned_to as "assignedTo", coalesce(paused_until > now(), false) as "isPaused"
   from whatsapp_conversation_threads where telegram_thread_id = $1 for update`,
)

/** The conversation of a topic, held until the transaction ends; null where it is none's. */
export async function holdConversation(db: Db, threadId: string) {
  const [row] = await run<{ contactId: number; assignedTo: number | null; isPaused: boolean }>(db, holdSql, [threadId])
  return row ?? null
}
