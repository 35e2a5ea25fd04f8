import type { Lang } from '@qatra/contract/lib/lang'
import type { JobContext } from '../../database/transaction.ts'
import { translatorFor } from '../../lib/translate.ts'
import { findLinked } from '../queries.ts'
import { queueTelegram } from '../sending/sending.commands.ts'
import { inBoth } from '../words.ts'
import { redeemLinkCode, unlinkChat } from './link.commands.ts'

interface PrivateMessage {
  messageId: number
  chatId: string
  fromId: string
  fromName: string | null
  text: string | null
}

const code = /^(?:\/start(?:@\w+)?\s+)?([\w-]{40,64})$/
const stop = /^\/stop(?:@\w+)?$/i

/** Handles messages to the bot itself: link, unlink, help. */
export async function handlePrivateMessage(ctx: JobContext, message: PrivateMessage): Promise<boolean> {
  const { messageId, chatId, fromId, fromName, text } = message
  /** Unknown people get both languages. */
  const answer = async (lang: Lang | undefined, key: string, values?: Record<string, string>) => {
    const words = lang === undefined ? inBoth(key, '\n\n', values) : translatorFor(lang)(key, values)
    await queueTelegram(ctx, { chatId, text: words, dedupeKey: `answer:${chatId}:${messageId}` })
    return true
  }
  const given = text === null ? undefined : code.exec(text)?.[1]
  if (given !== undefined) {
    const person = await redeemLinkCode(ctx, given, { chatId: fromId, name: fromName })
    if (person) return answer(person.language, 'telegram.linked', { name: person.name ?? person.phone })
    return answer((await findLinked(ctx.db, fromId))?.language, 'telegram.codeWrong')
  }
  const person = await findLinked(ctx.db, fromId)
  if (!person) return answer(undefined, 'telegram.welcome')
  if (text === null || !stop.test(text)) {
    return answer(person.language, 'telegram.help', { name: person.name ?? person.phone })
  }
  await unlinkChat(ctx, fromId)
  return answer(person.language, 'telegram.unlinked')
}
