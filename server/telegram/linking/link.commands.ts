import type { Output } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type { linkTelegram, TelegramStatus } from '@qatra/contract/telegram'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../../database/context.ts'
import type { JobContext } from '../../database/transaction.ts'
import { emit } from '../../jobs/domain-events.ts'
import { AppError } from '../../lib/errors.ts'
import { newToken, sha256 } from '../../lib/secrets.ts'
import { translatorFor } from '../../lib/translate.ts'
import { bindTelegram, unbindTelegram } from '../../users/commands.ts'
import { findLinked, findPerson, type Person, readStatus, type TelegramFacts } from '../queries.ts'
import { queueTelegram } from '../sending/sending.commands.ts'
import { telegramLinkCodes as codes } from '../tables.ts'
import { inBoth } from '../words.ts'

const MINUTES = 15

/** Creates a one-time code; the previous one becomes invalid. @throws TELEGRAM_OFF */
export async function makeLinkCode(
  ctx: Ctx,
  facts: TelegramFacts,
  publicUrl: string,
): Promise<Output<typeof linkTelegram>> {
  if (!facts.isOn) throw new AppError('TELEGRAM_OFF')
  const { id: userId, phone } = userOf(ctx)
  await ctx.db.delete(codes).where(and(eq(codes.userId, userId), isNull(codes.usedAt)))
  const code = newToken()
  const expiresAt = new Date(ctx.now.getTime() + MINUTES * 60_000)
  await ctx.db.insert(codes).values({ userId, codeHash: sha256(code), expiresAt })
  const url = facts.isSimulated
    ? `${publicUrl}/simulator/telegram?${new URLSearchParams({ phone, start: code })}`
    : facts.botName && `https://t.me/${facts.botName}?start=${code}`
  return { code, url, expiresAt: expiresAt.toISOString(), now: ctx.now.toISOString() }
}

export interface Account {
  /** Also the id of the private chat. */
  chatId: string
  name: string | null
}

/** Links the Telegram account to the code's user; null if the code is invalid. */
export async function redeemLinkCode(ctx: JobContext, code: string, account: Account): Promise<Person | null> {
  const [row] = await ctx.db
    .update(codes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(codes.codeHash, sha256(code)), isNull(codes.usedAt), sql`${codes.expiresAt} > now()`))
    .returning({ userId: codes.userId })
  const person = row ? await findPerson(ctx.db, row.userId) : null
  if (!person) return null
  await bindTelegram(ctx, person.id, account)
  await emitChange(ctx, person, 'telegram-linked')
  if (person.chatId !== null && person.chatId !== account.chatId) await sendNotice(ctx, person, 'telegram.moved', code)
  return person
}

/** Unlinks by a command to the bot. */
export async function unlinkChat(ctx: JobContext, chatId: string): Promise<void> {
  const person = await findLinked(ctx.db, chatId)
  if (!person) return
  await unbindTelegram(ctx, person.id)
  await emitChange(ctx, person, 'telegram-unlinked')
}

/** Sends to the chat that was linked until now. */
async function sendNotice(
  ctx: JobContext,
  { id: userId, chatId, language }: Person,
  key: string,
  once: string,
): Promise<void> {
  if (chatId === null) return
  const dedupeKey = `${key}:${userId}:${sha256(once)}`
  await queueTelegram(ctx, { chatId, userId, text: translatorFor(language)(key), dedupeKey })
}

const emitChange = (ctx: JobContext, { id, vendorId }: Person, action: 'telegram-linked' | 'telegram-unlinked') =>
  emit(
    { ...ctx, authors: { changedBy: id, onBehalfOf: null }, client: { ip: null, userAgent: 'Telegram' } },
    { name: `user.${action}`, action, resource: 'user', id, vendorId },
  )

export async function unlink(ctx: Ctx, facts: TelegramFacts): Promise<TelegramStatus> {
  const { id } = userOf(ctx)
  const person = await findPerson(ctx.db, id)
  if (person?.chatId) {
    await unbindTelegram(ctx, id)
    await emit(ctx, { name: 'user.telegram-unlinked', action: 'telegram-unlinked', resource: 'user', id })
    await sendNotice(ctx, person, 'telegram.unlinked', ctx.now.toISOString())
  }
  return readStatus(ctx, facts)
}

interface PrivateMessage {
  messageId: number
  chatId: string
  fromId: string
  fromName: string | null
  text: string | null
}

const linkCode = /^(?:\/start(?:@\w+)?\s+)?([\w-]{40,64})$/
const stopCommand = /^\/stop(?:@\w+)?$/i

/** Handles messages to the bot itself: link, unlink, help. */
export async function handlePrivateMessage(ctx: JobContext, message: PrivateMessage): Promise<boolean> {
  const { messageId, chatId, fromId, fromName, text } = message
  /** Unknown people get both languages. */
  const answer = async (lang: Lang | undefined, key: string, values?: Record<string, string>) => {
    const words = lang === undefined ? inBoth(key, '\n\n', values) : translatorFor(lang)(key, values)
    await queueTelegram(ctx, { chatId, text: words, dedupeKey: `answer:${chatId}:${messageId}` })
    return true
  }
  const given = text === null ? undefined : linkCode.exec(text)?.[1]
  if (given !== undefined) {
    const person = await redeemLinkCode(ctx, given, { chatId: fromId, name: fromName })
    if (person) return answer(person.language, 'telegram.linked', { name: person.name ?? person.phone })
    return answer((await findLinked(ctx.db, fromId))?.language, 'telegram.codeWrong')
  }
  const person = await findLinked(ctx.db, fromId)
  if (!person) return answer(undefined, 'telegram.welcome')
  if (text === null || !stopCommand.test(text)) {
    return answer(person.language, 'telegram.help', { name: person.name ?? person.phone })
  }
  await unlinkChat(ctx, fromId)
  return answer(person.language, 'telegram.unlinked')
}
