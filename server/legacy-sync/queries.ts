import type { Output, Parsed } from '@qatra/contract/endpoint'
import {
  type getLegacySummary,
  type LegacyOrder,
  type listLegacyOrders as list,
  type SyncStatus,
  syncStatuses,
} from '@qatra/contract/legacy'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { parseOrderId } from '@qatra/contract/orders/order-id'
import { MOST_COUNTED } from '@qatra/contract/users/users'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { readSyncErrors } from '../orders/queries.ts'

type OnDb = Pick<Ctx, 'db'>

/** Unresolved rows: pending, being sent, or failed with unknown arrival. */
const unresolved = (row: string) =>
  `(${row}.status in ('pending', 'sending') or (${row}.status = 'failed' and ${row}.body is not null))`

const unresolvedSql = statement(
  'legacy-unresolved',
  `select from legacy_outbox b where b.order_id = $1 and b.status in ('pending', 'sending') limit 1`,
)
export const hasUnresolved = async ({ db }: OnDb, orderId: string): Promise<boolean> =>
  (await run(db, unresolvedSql, [orderId])).length > 0

const dueSql = statement(
  'legacy-due-orders',
  `select order_id from legacy_outbox
   where (status = 'pending' and next_attempt_at <= now() + interval '1 millisecond') or (status = 'sending' and claimed_at < now() - interval '60 seconds')
   group by order_id order by min(next_attempt_at), order_id limit $1`,
)
/** Orders with due changes, longest waiting first. */
export async function listDueOrders({ db }: OnDb, limit: number): Promise<string[]> {
  const rows = await run<{ order_id: string }>(db, dueSql, [limit])
  return rows.map(({ order_id }) => order_id)
}

const countsSql = statement(
  'legacy-counts',
  `select ${syncStatuses
    .map(
      (status) =>
        `(select count(*)::integer from (select from orders where sync_status = '${status}' limit ${MOST_COUNTED}) c) as ${status}`,
    )
    .join(', ')},
     (select count(*)::integer from legacy_outbox where status in ('pending', 'sending')) as waiting,
     (select max(done_at) from legacy_outbox) as "lastSyncAt"`,
)

export async function readSummary(
  { db, now }: Ctx,
  { url }: Config['legacy'],
): Promise<Output<typeof getLegacySummary>> {
  const [row] = await run<Record<SyncStatus, number> & { waiting: number; lastSyncAt: Date | null }>(db, countsSql)
  if (!row) throw new Error('A row of counts is always there')
  const { pending, synced, failed, waiting, lastSyncAt } = row
  return {
    isOn: url !== null,
    host: url === null ? null : new URL(url).host,
    counts: { pending, synced, failed },
    most: MOST_COUNTED,
    waiting,
    lastSyncAt: lastSyncAt?.toISOString() ?? null,
    now: now.toISOString(),
  }
}

type Stamps = 'createdAt' | 'lastSyncAt' | 'nextAttemptAt'
interface Row extends Omit<LegacyOrder, 'total' | 'syncErrors' | Stamps> {
  total: Fils
  createdAt: Date
  lastSyncAt: Date | null
  nextAttemptAt: Date | null
  syncErrors: string | null
}

const columns = `o.id, o.vendor_name as "vendorName", o.vendor_name_ar as "vendorNameAr", o.status, o.total,
  o.created_at as "createdAt", o.sync_status as "syncStatus", o.legacy_bag_id as "legacyBagId",
  o.legacy_transaction_id as "legacyTransactionId", o.last_sync_at as "lastSyncAt", o.sync_errors as "syncErrors",
  coalesce(b.attempts, 0) as attempts, case when o.sync_status = 'pending' then b.next_attempt_at end as "nextAttemptAt",
  coalesce(b.status = 'sending', false) as "isSending"`
const joined = `left join lateral (
  select b.attempts, b.next_attempt_at, b.status from legacy_outbox b
  where b.order_id = o.id and ${unresolved('b')} order by b.order_version limit 1) b on true`

const describe = (row: Row): LegacyOrder => ({
  ...row,
  total: toBhd(row.total),
  createdAt: row.createdAt.toISOString(),
  lastSyncAt: row.lastSyncAt?.toISOString() ?? null,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  syncErrors: readSyncErrors(row.syncErrors),
})

const matching = `from orders o where ($1::text is null or o.sync_status = $1)
  and ($2::text is null or o.id = $2 or o.legacy_bag_id = $3 or o.legacy_transaction_id = $3)`
const listSql = statement(
  'legacy-list',
  `select ${columns} from (select o.* ${matching} order by o.created_at desc nulls last, o.id limit $4 offset $5) o
   ${joined} order by o.created_at desc nulls last, o.id`,
)
const countSql = statement(
  'legacy-list-count',
  `select count(*)::integer as total from (select ${matching} limit ${MOST_COUNTED}) c`,
)

export async function listSynced(
  { db }: Ctx,
  { page, limit, state, search = '' }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const sought = search.trim()
  const values = [state ?? null, sought === '' ? null : (parseOrderId(sought) ?? sought), sought]
  const [rows, counted] = await Promise.all([
    run<Row>(db, listSql, [...values, limit, (page - 1) * limit]),
    run<{ total: number }>(db, countSql, values),
  ])
  return { items: rows.map(describe), page, limit, total: counted[0]?.total ?? 0 }
}

const oneSql = statement('legacy-one', `select ${columns} from orders o ${joined} where o.id = $1`)

/** @throws ORDER_NOT_FOUND */
export async function requireSynced({ db }: Ctx, typedId: string): Promise<LegacyOrder> {
  const id = parseOrderId(typedId)
  const [row] = id === null ? [] : await run<Row>(db, oneSql, [id])
  if (!row) throw new AppError('ORDER_NOT_FOUND')
  return describe(row)
}
