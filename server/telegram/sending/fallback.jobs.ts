import { fit } from '@qatra/contract/lib/fit'
import type { Lang } from '@qatra/contract/lib/lang'
import { type Db, run, statement } from '../../database/db.ts'
import { runJobTransaction } from '../../database/transaction.ts'
import type { App } from '../../http/runtime.ts'
import { raiseAlert } from '../../lib/alerts.ts'
import { mayGetWhatsapp } from '../../lib/phone-reach.ts'
import { translatorFor } from '../../lib/translate.ts'
import { queueNews } from '../../order-messages/commands.ts'
import type { TemplateMessage } from '../../providers/message.ts'

/** A line of the message fits into the template. */
const MAX_LINE = 200

// News of a conversation at most once an hour for each person: a template is paid for, and a customer writes many lines.
const missedSql = statement(
  'telegram-missed',
  `select m.content, u.phone, u.language,
     case when m.dedupe_key like 'order:%' then 'staff-news:' || m.id
       else concat_ws(':', 'staff-news', u.id, m.contact_id, to_char(m.created_at at time zone 'UTC', 'YYYYMMDDHH24')) end
       as "dedupeKey"
   from telegram_messages m join users u on u.id = m.user_id
   where m.id = $1 and m.status = 'failed' and u.is_active and u.erased_at is null and u.notification_enabled
     and m.content is not null and m.dedupe_key ~ '^(order|message|waiting):'`,
)

/** News for a person whose chat is blocked; answers to what the person wrote to the bot go nowhere else. */
async function findMissed(db: Db, id: number) {
  const [row] = await run<{ content: string; phone: string; language: Lang; dedupeKey: string }>(db, missedSql, [id])
  return row ?? null
}

export function staffNews(language: Lang, line: string, url: string): TemplateMessage {
  const what = fit(line.replaceAll(/\s+/g, ' ').trim(), MAX_LINE)
  const text = translatorFor(language)('news.staff', { what, url })
  return { type: 'template', name: 'staff_news', language, body: [what], text }
}

/** Sends by WhatsApp what a person who blocked the bot did not get. */
export function fallbackJobs(app: App) {
  const { codeCountries, publicUrl } = app.config
  app.queue.handle('telegram-fallback', {}, async ({ data }) => {
    const missed = await findMissed(app.db, data.id)
    if (!missed || !mayGetWhatsapp(missed.phone, codeCountries)) return
    const { content, phone, language, dedupeKey } = missed
    const [line = ''] = content.split('\n')
    const message = staffNews(language, line, `${publicUrl}/admin`)
    const news = { phone, message, dedupeKey, hasFallback: false }
    await runJobTransaction(app.pool, (ctx) => queueNews(ctx, news))
  })
  app.queue.handle('telegram-group-lost', {}, async () => {
    raiseAlert(app.log, 'telegram-group-lost')
  })
}
