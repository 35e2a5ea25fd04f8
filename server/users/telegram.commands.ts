import { and, eq, ne } from 'drizzle-orm'
import type { JobContext } from '../database/transaction.ts'
import { users } from './tables.ts'

const unlinked = { telegramChatId: null, telegramName: null }

/** Links a Telegram account to one user and unlinks it from any other. */
export async function bindTelegram(
  { db }: Pick<JobContext, 'db'>,
  userId: number,
  { chatId, name }: { chatId: string; name: string | null },
): Promise<void> {
  await db
    .update(users)
    .set(unlinked)
    .where(and(eq(users.telegramChatId, chatId), ne(users.id, userId)))
  await db.update(users).set({ telegramChatId: chatId, telegramName: name }).where(eq(users.id, userId))
}

export async function unbindTelegram({ db }: Pick<JobContext, 'db'>, userId: number): Promise<void> {
  await db.update(users).set(unlinked).where(eq(users.id, userId))
}
