import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import type { FilterInput } from '../jobs/events.ts'
import type { TemplateMessage } from '../providers/message.ts'
import { queueMessage } from './sending.commands.ts'

/** Meta's limit of marketing messages to one person, from all businesses. */
export const MARKETING_LIMIT = '131049'
export const REPEAT_AFTER_SECONDS = 24 * 60 * 60

/** Failures that Meta recommends to try again later, once. */
export const isMarketingLimit = ({ code }: FilterInput<'message.failed'>) => code === MARKETING_LIMIT

// Staff may have sent it again; news of orders would be old by then, and campaigns repeat their own.
const repeatableSql = statement(
  'message-repeatable',
  `select m.contact_id, m.payload from whatsapp_messages m join contacts c on c.id = m.contact_id
   where m.id = $1 and m.status = 'failed' and m.errors -> -1 ->> 'code' = '${MARKETING_LIMIT}'
     and m.direction = 'outgoing' and m.payload ->> 'type' = 'template' and m.sent_by_type <> 'campaign'
     and coalesce(m.dedupe_key, '') !~ '^(again|retry|order|confirmation|driver):' and c.opted_out_at is null
     and not exists (select from whatsapp_messages r where r.dedupe_key = 'retry:' || m.id)
   for update of m`,
)

/** Queues a message again that failed a day ago because of the marketing limit; at most once. */
export async function repeatMessage(ctx: JobContext, messageId: number): Promise<void> {
  const [row] = await run<{ contact_id: number; payload: TemplateMessage }>(ctx.db, repeatableSql, [messageId])
  if (!row) return
  await queueMessage(ctx, {
    to: { contactId: row.contact_id },
    message: row.payload,
    dedupeKey: `again:${messageId}`,
    by: { type: 'system' },
  })
}
