import { setOptOut } from '../conversations/contacts.commands.ts'
import { findContact } from '../conversations/contacts.queries.ts'
import { optWordIn } from '../conversations/opt-out-words.ts'
import { queueIfOpen } from '../conversations/sending.commands.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { translatorFor } from '../lib/translate.ts'

const messageSql = statement(
  'opt-out-message',
  `select m.id, m.content, m.contact_id, m.created_at from whatsapp_messages m
   where m.id = $1 and m.direction = 'incoming' and m.message_type in ('text', 'button')`,
)
const lockSql = statement('opt-out-hold', 'select id from contacts where id = $1 for update')

const agreedSql = statement(
  'opt-out-agreed',
  `select c.id, u.consent_at from users u join contacts c on c.phone = u.phone
   where u.id = $1 and u.marketing_consent and c.opted_out_at is not null`,
)

/** An agreement in the profile ends an earlier opt-out. */
export async function endOptOut(ctx: JobContext, userId: number): Promise<void> {
  const [contact] = await run<{ id: number; consent_at: Date }>(ctx.db, agreedSql, [userId])
  if (contact) await setOptOut(ctx, contact.id, { isOut: false, source: 'profile', at: contact.consent_at })
}

/** Stores an opt-out or opt-in, and confirms it. An opt-in that changes nothing is a greeting or a question. */
export async function handleOptOut(ctx: JobContext, messageId: number): Promise<void> {
  const [message] = await run<{ id: number; content: string | null; contact_id: number | null; created_at: Date }>(
    ctx.db,
    messageSql,
    [messageId],
  )
  const word = optWordIn(message?.content ?? '')
  if (!message || word === null || message.contact_id === null) return
  await run(ctx.db, lockSql, [message.contact_id])
  const before = await findContact(ctx.db, message.contact_id)
  if (!before) return
  const isOut = word === 'stop'
  // The time is kept if nothing changes too: an earlier message may be processed after this one.
  await setOptOut(ctx, before.id, { isOut, source: 'message', at: message.created_at })
  if (!isOut && before.opted_out_at === null) return
  const after = await findContact(ctx.db, before.id)
  // A later message has been processed already.
  if ((after?.opted_out_at !== null) !== isOut) return
  const isArabic = /\p{Script=Arabic}/u.test(message.content ?? '') || (before.language === 'ar' && word === 'start')
  // A late word is stored although its confirmation can no longer be sent.
  await queueIfOpen(ctx, {
    to: { contactId: before.id },
    message: {
      type: 'text',
      text: translatorFor(isArabic ? 'ar' : 'en')(isOut ? 'news.offers.stopped' : 'news.offers.started'),
    },
    dedupeKey: `opt-word:${message.id}`,
    by: { type: 'system' },
  })
}
