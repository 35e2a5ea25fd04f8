import { formatTime } from '@qatra/contract/calendar/calendar'
import { fit } from '@qatra/contract/lib/fit'
import type { Lang } from '@qatra/contract/lib/lang'
import { isStaff, type Role } from '@qatra/contract/users/roles'
import { checkDigits, openQuestion, refuseLogin } from '../auth/message-login.commands.ts'
import { type LoginAnswer, notMeId, parseLoginAnswer, parseLoginWord, wordHash } from '../auth/message-login.ts'
import type { ReceivedParts, ReceivedType } from '../conversations/received.ts'
import { queueIfOpen } from '../conversations/sending.commands.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import type { App } from '../http/runtime.ts'
import { translatorFor } from '../lib/translate.ts'
import { limits, type Outgoing } from '../providers/message.ts'

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

const senderSql = statement(
  'proof-sender',
  `select m.contact_id, m.message_type as type, m.content, coalesce(m.payload, '{}') as parts, m.from_number as phone, u.role, coalesce(u.language, 'ar') as language
   from whatsapp_messages m
   left join users u on u.phone = m.from_number and u.erased_at is null
   where m.id = $1 and m.direction = 'incoming' and m.message_type in ('text', 'button') and m.channel = 'whatsapp'`,
)
export interface Sender {
  contact_id: number
  type: ReceivedType
  content: string
  parts: ReceivedParts
  /**
   * Confirmed by the provider with this message. A number that the contact gave earlier is not used: its owner can have
   * changed.
   */
  phone: string | null
  role: Role | null
  language: Lang
}

/** Sender and text of a message. */
export async function findSender(db: Db, messageId: number): Promise<Sender | null> {
  const [row] = await run<Sender>(db, senderSql, [messageId])
  return row ?? null
}
