import { type LegacyOrder, MOST_SYNCED_AT_ONCE } from '@qatra/contract/legacy'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit, enqueue } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { markUnsynced } from '../orders/commands.ts'
import { requireSynced } from './queries.ts'

// Resends the current version under its own key, which the older system may or may not know.
const resendSql = statement(
  'legacy-again',
  `insert into legacy_outbox (order_id, order_version, event)
   select id, version, 'order.told-again' from orders where id = any($1)
   on conflict (order_id, order_version) do update
   set status = 'pending', attempts = 0, next_attempt_at = now(), updated_at = now()
   where legacy_outbox.status <> 'sending'`,
)
const olderSql = statement(
  'legacy-older',
  `update legacy_outbox set status = 'pending', attempts = 0, next_attempt_at = now(), updated_at = now()
   where order_id = any($1) and (status = 'pending' or (status = 'failed' and body is not null))`,
)
// Locked, so that of two parallel requests the second finds no order that the first has resent.
const unsyncedSql = statement(
  'legacy-unsynced',
  `select id from orders where sync_status = any($1) order by created_at limit ${MOST_SYNCED_AT_ONCE} for update`,
)

const requireOn = ({ url }: Config['legacy']) => {
  if (url === null) throw new AppError('LEGACY_OFF')
}

async function resend(ctx: Ctx, ids: readonly string[]) {
  await run(ctx.db, resendSql, [ids])
  await run(ctx.db, olderSql, [ids])
  await markUnsynced(ctx, ids)
}

/** @throws ORDER_NOT_FOUND, LEGACY_OFF */
export async function retryOne(ctx: Ctx, settings: Config['legacy'], typedId: string): Promise<LegacyOrder> {
  const { id, syncStatus } = await requireSynced(ctx, typedId)
  requireOn(settings)
  await resend(ctx, [id])
  await enqueue(ctx, 'legacy-sync', { id })
  const changes = [{ field: 'syncStatus', from: syncStatus, to: 'pending' }]
  await emit(ctx, { name: 'legacy.retried', action: 'sync-retried', resource: 'legacy', id, changes })
  return requireSynced(ctx, id)
}

/** @throws LEGACY_OFF */
export async function retryMany(
  ctx: Ctx,
  settings: Config['legacy'],
  scope: 'failed' | 'all',
): Promise<{ changed: number }> {
  requireOn(settings)
  const statuses = scope === 'failed' ? ['failed'] : ['failed', 'pending']
  const rows = await run<{ id: string }>(ctx.db, unsyncedSql, [statuses])
  if (rows.length === 0) return { changed: 0 }
  await resend(
    ctx,
    rows.map(({ id }) => id),
  )
  await enqueue(ctx, 'legacy-sweep', {})
  const changes = [{ field: 'count', from: null, to: rows.length }]
  await emit(ctx, { name: 'legacy.retried', action: 'sync-retried', resource: 'legacy', id: scope, changes })
  return { changed: rows.length }
}
