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
const ofOrdersSql = statement(
  'order-referrals',
  `select o.id, c.referral from orders o join users u on u.id = o.user_id join contacts c on c.phone = u.phone
   where o.id = any($1::text[]) and c.referred_at between o.created_at - interval '${DAYS} days' and o.created_at
   order by o.id`,
)

/** Copies the ads of the customers' contacts to new orders. */
export async function referOrders(ctx: JobContext, orderIds: readonly string[]): Promise<void> {
  const referred = await run<{ id: string; referral: Referral }>(ctx.db, ofOrdersSql, [orderIds])
  for (const { id, referral } of referred) await saveOrderReferral(ctx, id, referral)
}
