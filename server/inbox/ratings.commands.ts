import { isLang } from '@qatra/contract/lib/lang'
import { ratings } from '@qatra/contract/orders/order-status'
import { rateCase } from '../conversations/cases.commands.ts'
import { ratingId, ratingIn } from '../conversations/ratings.ts'
import { queueIfOpen } from '../conversations/sending.commands.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { translatorFor } from '../lib/translate.ts'

const askedSql = statement(
  'rating-asked',
  `select c.contact_id as "contactId", coalesce(s.language, p.language) as language
   from conversation_cases c join contacts p on p.id = c.contact_id
   left join bot_sessions s on s.contact_id = p.id
   where c.id = $1 and c.ended_at is not null and c.resolved_by is not null and c.answered_at is not null`,
)

/** Asks whether the customer is content, once for each case, unless it was opened again or the service window has closed. */
export async function askRating(ctx: JobContext, caseId: number): Promise<void> {
  const [asked] = await run<{ contactId: number; language: string | null }>(ctx.db, askedSql, [caseId])
  if (!asked) return
  const say = translatorFor(isLang(asked.language) ? asked.language : 'ar')
  const buttons = ratings.map((rating) => ({ id: ratingId(caseId, rating), title: say(`bot.rating.${rating}`) }))
  await queueIfOpen(ctx, {
    to: { contactId: asked.contactId },
    message: { type: 'buttons', text: say('bot.rating.ask'), buttons },
    dedupeKey: `rating:${caseId}`,
    by: { type: 'system' },
  })
}

const answerSql = statement(
  'rating-answer',
  `select m.contact_id as "contactId", m.payload as parts, coalesce(s.language, p.language) as language
   from whatsapp_messages m join contacts p on p.id = m.contact_id left join bot_sessions s on s.contact_id = p.id
   where m.id = $1 and m.direction = 'incoming'`,
)

/** Stores the answer and thanks for the first. */
export async function takeRating(ctx: JobContext, messageId: number): Promise<void> {
  const [answer] = await run<{ contactId: number; parts: { id?: string } | null; language: string | null }>(
    ctx.db,
    answerSql,
    [messageId],
  )
  const given = ratingIn(answer?.parts ?? {})
  if (!answer || !given || !(await rateCase(ctx, answer.contactId, given))) return
  const say = translatorFor(isLang(answer.language) ? answer.language : 'ar')
  await queueIfOpen(ctx, {
    to: { contactId: answer.contactId },
    message: { type: 'text', text: say('bot.rating.thanks') },
    dedupeKey: `rating:${given.caseId}:thanks`,
    by: { type: 'system' },
  })
}
