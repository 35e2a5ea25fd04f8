import { type Db, run, statement } from '../../database/db.ts'

/** What Telegram reported about chats: the bot was blocked or removed; the group became another one. */

const moveSql = statement(
  'telegram-chat-move',
  `insert into telegram_chats (chat_id, moved_to) values ($1, $2)
   on conflict (chat_id) do update set moved_to = excluded.moved_to, changed_at = now()
   where telegram_chats.moved_to is distinct from excluded.moved_to`,
)

/** A group became a supergroup, which has another id. */
export async function saveChatMove({ db }: { db: Db }, from: string, to: string): Promise<void> {
  if (from !== to) await run(db, moveSql, [from, to])
}

const originSql = statement('telegram-chat-origin', 'select chat_id from telegram_chats where moved_to = $1 limit 1')

/** The id that the chat had before, under which the configuration names the group. */
export async function originOf(db: Db, chatId: string): Promise<string> {
  const [row] = await run<{ chat_id: string }>(db, originSql, [chatId])
  return row?.chat_id ?? chatId
}

const blockSql = statement(
  'telegram-chat-block',
  `insert into telegram_chats (chat_id, is_blocked) values ($1, $2)
   on conflict (chat_id) do update set is_blocked = excluded.is_blocked, changed_at = now()
   where telegram_chats.is_blocked <> excluded.is_blocked returning chat_id`,
)

/** True if it changed. */
export async function saveChatBlocked({ db }: { db: Db }, chatId: string, isBlocked: boolean): Promise<boolean> {
  return (await run(db, blockSql, [chatId, isBlocked])).length > 0
}

const blockedSql = statement('telegram-chat-blocked', 'select from telegram_chats where chat_id = $1 and is_blocked')

export const isBlocked = async (db: Db, chatId: string): Promise<boolean> =>
  (await run(db, blockedSql, [chatId])).length > 0
