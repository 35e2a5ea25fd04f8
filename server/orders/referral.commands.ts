import type { Referral } from '@qatra/contract/users/referral'
import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { orders } from './tables.ts'

/** Stores the ad that led to an order, once. */
export async function saveOrderReferral({ db }: Pick<Ctx, 'db'>, orderId: string, referral: Referral): Promise<void> {
  await db
    .update(orders)
    .set({ referral })
    .where(and(eq(orders.id, orderId), isNull(orders.referral)))
}
