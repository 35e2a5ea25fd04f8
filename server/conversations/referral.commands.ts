import type { Referral } from '@qatra/contract/users/referral'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { saveOrderReferral } from '../orders/referral.commands.ts'

const storeSql = statement(
  'contact-referral',
  `update contacts set referral = $2, referred_at = $3, updated_at = now()
   where id = $1 and coalesce(referred_at <= $3, true)`,
)

/** Stores the ad that a contact came from; the latest wins in any order of arrival. */
export const storeReferral = ({ db }: Pick<JobContext, 'db'>, contactId: number, referral: Referral, at: Date) =>
  run(db, storeSql, [contactId, JSON.stringify(referral), at])

/** An ad counts for orders placed within so many days. */
const DAYS = 7
const ofOrderSql = statement(
  'order-referral',
  `select c.referral from orders o join users u on u.id = o.user_id join contacts c on c.phone = u.phone
   where o.id = $1 and c.referred_at between o.created_at - interval '${DAYS} days' and o.created_at`,
)

/** Copies the ad of the customer's contact to a new order. */
export async function referOrder(ctx: JobContext, orderId: string): Promise<void> {
  const [row] = await run<{ referral: Referral }>(ctx.db, ofOrderSql, [orderId])
  if (row) await saveOrderReferral(ctx, orderId, row.referral)
}
