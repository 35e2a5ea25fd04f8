import { formatTime } from '@qatra/contract/calendar/calendar'
import { fit } from '@qatra/contract/lib/fit'
import type { Lang } from '@qatra/contract/lib/lang'
import { isStaff } from '@qatra/contract/users/roles'
import { checkDigits, openQuestion, refuseLogin } from '../auth/message-login.commands.ts'
import { type LoginAnswer, notMeId, parseLoginAnswer, parseLoginWord, wordHash } from '../auth/message-login.ts'
import { queueIfOpen } from '../conversations/sending.commands.ts'
import type { JobContext } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { translatorFor } from '../lib/translate.ts'
import { limits, type Outgoing } from '../providers/message.ts'
import { findSender, type Sender } from './queries.ts'

/**
 * Handles an incoming message: a login word triggers a question, and the right answer verifies the phone for the page.
 */
export async function answerLoginMessage(
  ctx: JobContext,
  { config }: Pick<App, 'config'>,
  messageId: number,
): Promise<void> {
  const message = await findSender(ctx.db, messageId)
  if (!message) return
  const reply = await replyTo(ctx, config.secret, messageId, message)
  if (!reply) return
  await queueIfOpen(ctx, {
    to: { contactId: message.contact_id },
    message: typeof reply === 'string' ? { type: 'text', text: reply } : reply,
    dedupeKey: `message-login:${messageId}`,
    by: { type: 'system' },
  })
}

type Reply = Outgoing | string | null

async function replyTo(ctx: JobContext, secret: Buffer, messageId: number, message: Sender): Promise<Reply> {
  const { phone, role, language } = message
  // Staff accounts are worth more to an attacker who makes them send a login word, so staff are referred to a person.
  const sender = phone !== null && (role === null || !isStaff(role)) ? phone : null
  const word = message.type === 'text' ? parseLoginWord(message.content) : null
  if (word !== null) {
    const question = sender === null ? null : await ask(ctx, sender, wordHash(secret, sender, word))
    return question ?? translatorFor(language)('message.login.unknown')
  }
  const answer = parseLoginAnswer(message)
  if (answer === null || sender === null) return null
  return answer.isMe
    ? check(ctx, secret, { phone: sender, messageId, digits: answer.digits })
    : refuse(ctx, { phone: sender, messageId, language }, answer)
}

async function ask(ctx: JobContext, phone: string, hash: string): Promise<Outgoing | null> {
  const question = await openQuestion(ctx, phone, hash)
  if (!question) return null
  const { id, device, language, created_at: startedAt } = question
  const t = translatorFor(language)
  return {
    type: 'buttons',
    text: t('message.login.ask', {
      device: device ?? t('message.login.someBrowser'),
      time: formatTime(startedAt, language),
    }),
    buttons: [{ id: notMeId(id), title: fit(t('message.login.notMe'), limits.buttonTitle) }],
  }
}

async function check(
  ctx: JobContext,
  secret: Buffer,
  { phone, messageId, digits }: { phone: string; messageId: number; digits: string },
): Promise<string | null> {
  const checked = await checkDigits(ctx, secret, { phone, messageId, digits })
  if (!checked) return null
  return translatorFor(checked.language)(checked.isProven ? 'message.login.done' : 'message.login.wrong')
}

async function refuse(
  ctx: JobContext,
  { phone, messageId, language }: { phone: string; messageId: number; language: Lang },
  { loginId }: Extract<LoginAnswer, { isMe: false }>,
): Promise<string | null> {
  const refused = await refuseLogin(ctx, { phone, messageId, loginId })
  if (refused)
    return translatorFor(refused.language)(refused.is_ended ? 'message.login.ended' : 'message.login.refused')
  return loginId === null ? null : translatorFor(language)('message.login.unknown')
}
