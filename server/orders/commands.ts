import { lt, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { orderKeys } from './tables.ts'

/** Keys are kept as long as a client may repeat the request. */
export async function purgeOrderKeys({ db }: Pick<Ctx, 'db'>): Promise<void> {
  await db.delete(orderKeys).where(lt(orderKeys.createdAt, sql`now() - interval '30 days'`))
}

const BATCH = 1_000

/** The trigger computes the text; in batches, so that rows are locked briefly. */
export async function fillInSearchText({ db }: Pick<Ctx, 'db'>): Promise<void> {
  for (;;) {
    const { rowCount } = await db.execute(sql`update orders set search_text = null where id in (
      select id from orders where search_text is null order by id limit ${BATCH} for update skip locked)`)
    if ((rowCount ?? 0) < BATCH) return
  }
}
