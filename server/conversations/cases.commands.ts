import type { Rating } from '@qatra/contract/orders/order-status'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'

/** What a customer needs a person for: begun with the wait, ended by “done” or by the bot. At most one is open. */

// The bot has answered since staff replied last: that case ended with the reply.
const overSql = statement(
  'case-over',
  `update conversation_cases c set ended_at = greatest(t.human_replied_at, c.answered_at)
   from whatsapp_conversation_threads t
   where c.contact_id = $1 and c.ended_at is null and c.answered_at is not null
     and t.contact_id = c.contact_id and coalesce(t.paused_until <= now(), true)`,
)
const beginSql = statement(
  'case-begin',
  `insert into conversation_cases (contact_id) values ($1) on conflict (contact_id) where ended_at is null do nothing`,
)

/** Before the wait begins. */
export async function beginCase({ db }: Pick<JobContext, 'db'>, contactId: number): Promise<void> {
  await run(db, overSql, [contactId])
  await run(db, beginSql, [contactId])
}

const answerSql = statement(
  'case-answer',
  `update conversation_cases set answered_at = now(), answered_by = $2
   where contact_id = $1 and ended_at is null and answered_at is null`,
)
/** The first reply by staff; null: from the shop's own phone. */
export const answerCase = ({ db }: Pick<JobContext, 'db'>, contactId: number, userId: number | null) =>
  run(db, answerSql, [contactId, userId])

const endSql = statement(
  'case-end',
  `update conversation_cases set ended_at = now(), resolved_by = $2 where contact_id = $1 and ended_at is null
   returning id`,
)
/** Null: the bot goes on. Returns the case that was open. */
export async function endCase({ db }: Pick<JobContext, 'db'>, contactId: number, userId: number | null) {
  const [ended] = await run<{ id: number }>(db, endSql, [contactId, userId])
  return ended ?? null
}

const reopenSql = statement(
  'case-reopen',
  `update conversation_cases set ended_at = null, resolved_by = null
   where id = (select max(id) from conversation_cases where contact_id = $1) and resolved_by is not null`,
)
export const reopenCase = ({ db }: Pick<JobContext, 'db'>, contactId: number) => run(db, reopenSql, [contactId])

const rateSql = statement(
  'case-rate',
  `update conversation_cases set rating = $3, rated_at = now() where id = $1 and contact_id = $2 returning id`,
)
/** The last answer counts. False for a case of somebody else. */
export const rateCase = async (
  { db }: Pick<JobContext, 'db'>,
  contactId: number,
  { caseId, rating }: { caseId: number; rating: Rating },
): Promise<boolean> => (await run(db, rateSql, [caseId, contactId, rating])).length > 0
