import { openStatuses } from '@qatra/contract/orders/order-status'
import { and, asc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { JobContext } from '../../database/transaction.ts'
import type { OrderRow } from '../queries.ts'
import { orders } from '../tables.ts'

/**
 * The open orders of this order's customer whose new day was not announced yet; from now on it counts as announced. Two
 * jobs of one customer run one after the other, and the second finds nothing.
 */
export async function claimUnannounced({ db }: JobContext, orderId: string): Promise<OrderRow[]> {
  const customer = db.select({ id: orders.userId }).from(orders).where(eq(orders.id, orderId))
  const moved = await db
    .select()
    .from(orders)
    .where(
      and(
        inArray(orders.userId, customer),
        isNotNull(orders.announcedDate),
        ne(orders.announcedDate, orders.promisedDate),
        inArray(orders.status, openStatuses),
      ),
    )
    // By ascending id, like all code that locks several orders.
    .orderBy(asc(orders.id))
    .for('update')
  const ids = moved.map(({ id }) => id)
  if (ids.length > 0) await db.update(orders).set({ announcedDate: null }).where(inArray(orders.id, ids))
  return moved
}
