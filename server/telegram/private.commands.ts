import type { Lang } from '@qatra/contract/lang'
import type { Working } from '../platform/transaction.ts'
import { wordsIn } from '../platform/words.ts'
import { redeemLinkCode, unlinkChat } from './link.commands.ts'
import { findLinked } from './queries.ts'
import { queueTelegram } from './sending.commands.ts'

interface Said {
  messageId: number
  chatId: string
  fromId: string
  text: string | null
}

const code = /^(?:\/start(?:@\w+)?\s+)?([\w-]{40,64})$/

/** Somebody writes to the bot itself: to link the account, to unlink it, or to learn how. */
export async function hearPrivately(ctx: Working, { messageId, chatId, fromId, text }: Said): Promise<boolean> {
  const answer = (lang: Lang, key: string, values?: Record<string, string>) =>
    queueTelegram(ctx, { chatId, text: wordsIn(lang)(key, values), dedupeKey: `answer:${chatId}:${messageId}` })
  const given = text === null ? undefined : code.exec(text)?.[1]
  if (given !== undefined) {
    const person = await redeemLinkCode(ctx, given, fromId)
    const known = person ?? (await findLinked(ctx.db, fromId))
    if (person) await answer(person.language, 'telegram.linked', { name: person.name ?? person.phone })
    else await answer(known?.language ?? 'ar', 'telegram.codeWrong')
    return true
  }
  const person = await findLinked(ctx.db, fromId)
  if (text?.startsWith('/stop') && person) {
    await unlinkChat(ctx, fromId)
    await answer(person.language, 'telegram.unlinked')
  } else await answer(person?.language ?? 'ar', 'telegram.welcome')
  return true
}
