import { and, eq, ne } from 'drizzle-orm'
import type { Working } from '../platform/transaction.ts'
import { users } from './tables.ts'

/** A Telegram account is one person's: whoever had it before has it no more. */
export async function bindTelegram({ db }: Pick<Working, 'db'>, userId: number, chatId: string): Promise<void> {
  await db
    .update(users)
    .set({ telegramChatId: null })
    .where(and(eq(users.telegramChatId, chatId), ne(users.id, userId)))
  await db.update(users).set({ telegramChatId: chatId }).where(eq(users.id, userId))
}

export async function unbindTelegram({ db }: Pick<Working, 'db'>, userId: number): Promise<void> {
  await db.update(users).set({ telegramChatId: null }).where(eq(users.id, userId))
}
