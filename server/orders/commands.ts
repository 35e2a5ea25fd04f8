import { lt, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { orderKeys } from './tables.ts'

/** Keys are kept as long as a client may repeat the request. */
export async function purgeOrderKeys({ db }: Pick<Ctx, 'db'>): Promise<void> {
  await db.delete(orderKeys).where(lt(orderKeys.createdAt, sql`now() - interval '30 days'`))
}
