import { randomBytes, randomUUID } from 'node:crypto'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import {
  type createHook as creation,
  type Hook,
  type HookDelivery,
  type listHookDeliveries as listing,
  MOST_COUNTED,
  MOST_HOOKS,
} from '@qatra/contract/outgoing-webhooks'
import type { Config } from '../config/config.ts'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit, enqueue } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { seal } from '../lib/secrets.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { HOOK_SECRET_PREFIX, hookKey } from './jobs.ts'

const hooksText = `
  select e.id, e.url, e.vendor_id as "vendorId", e.events, e.created_at as "createdAt", e.failing_since as "failingSince",
    e.last_error as "lastError",
    case when e.is_enabled then case when e.failures > 0 then 'failing' else 'live' end
      when e.stopped_at is not null then 'stopped' else 'off' end as state,
    (select count(*)::int from (select from webhook_deliveries d
      where d.endpoint_id = e.id and d.status in ('pending', 'sending') limit ${MOST_COUNTED}) w) as waiting
  from webhook_endpoints e where ($1::int is null or e.vendor_id = $1)`
const hooksSql = statement('webhooks', `${hooksText} order by e.id desc`)
const hookSql = statement('webhook', `${hooksText} and e.id = $2`)
const countSql = statement(
  'webhooks-count',
  'select count(*)::int as count from webhook_endpoints where vendor_id is not distinct from $1',
)
const insertSql = statement(
  'webhook-create',
  'insert into webhook_endpoints (url, vendor_id, events, secret, created_by) values ($1, $2, $3, $4, $5) returning id',
)
const switchSql = statement(
  'webhook-switch',
  `update webhook_endpoints set is_enabled = $2, stopped_at = null, failing_since = null, failures = 0, resume_at = now()
   where id = $1`,
)
const deleteSql = statement('webhook-delete', 'delete from webhook_endpoints where id = $1')
const pingSql = statement(
  'webhook-ping',
  `insert into webhook_deliveries (endpoint_id, subject, type, data) values ($1, $2, 'ping', '{}')`,
)
const deliveriesSql = statement(
  'webhook-deliveries',
  `select d.id, d.type, d.subject, d.status as state, d.attempts, d.last_status as "lastStatus", d.last_error as "lastError",
     d.created_at as "createdAt", d.next_attempt_at as "nextAttemptAt", d.delivered_at as "deliveredAt"
   from webhook_deliveries d where d.endpoint_id = $1 order by d.id desc limit $2 offset $3`,
)
const deliveriesCountSql = statement(
  'webhook-deliveries-count',
  `select count(*)::int as total from (select from webhook_deliveries where endpoint_id = $1 limit ${MOST_COUNTED}) d`,
)
const resendSql = statement(
  'webhook-resend',
  `update webhook_deliveries d set status = 'pending', attempts = 0, next_attempt_at = now()
   from webhook_endpoints e
   where d.id = $1 and e.id = d.endpoint_id and ($2::int is null or e.vendor_id = $2)
     and d.status in ('delivered', 'failed')
   returning e.id, e.vendor_id as "vendorId"`,
)
const deliveryOfSql = statement(
  'webhook-delivery-of',
  `select from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
   where d.id = $1 and ($2::int is null or e.vendor_id = $2)`,
)

type Row = Omit<Hook, 'createdAt' | 'failingSince'> & { createdAt: Date; failingSince: Date | null }
const describe = ({ createdAt, failingSince, ...row }: Row): Hook => ({
  ...row,
  createdAt: createdAt.toISOString(),
  failingSince: failingSince?.toISOString() ?? null,
})

export async function listHooks({ db, actor }: Ctx, vendorId: number | undefined): Promise<Hook[]> {
  return (await run<Row>(db, hooksSql, [vendorInReach(actor, vendorId || null)])).map(describe)
}

/** @throws HOOK_NOT_FOUND, also for one out of reach */
async function requireHook({ db, actor }: Ctx, id: number): Promise<Hook> {
  const [row] = await run<Row>(db, hookSql, [vendorInReach(actor), id])
  if (!row) throw new AppError('HOOK_NOT_FOUND')
  return describe(row)
}

/** Adds an endpoint for the caller's scope. Only the answer contains the secret. @throws FORBIDDEN, HOOKS_FULL */
export async function createHook(
  ctx: Ctx,
  { secret: installation }: Pick<Config, 'secret'>,
  { url, events, ...body }: Parsed<typeof creation>['body'],
): Promise<Output<typeof creation>> {
  const vendorId = vendorInReach(ctx.actor, body.vendorId)
  await takeLock(ctx.db, 'api-keys')
  const [counted] = await run<{ count: number }>(ctx.db, countSql, [vendorId])
  if ((counted?.count ?? 0) >= MOST_HOOKS) throw new AppError('HOOKS_FULL')
  const secret = `${HOOK_SECRET_PREFIX}${randomBytes(32).toString('base64')}`
  const values = [url, vendorId, [...new Set(events)], seal(hookKey(installation), secret, url), userOf(ctx).id]
  const [made] = await run<{ id: number }>(ctx.db, insertSql, values)
  const hook = await requireHook(ctx, made?.id ?? 0)
  const changes = [
    { field: 'url', from: null, to: url },
    { field: 'events', from: null, to: hook.events },
  ]
  await emit(ctx, { name: 'webhook.created', action: 'created', resource: 'webhook', id: hook.id, vendorId, changes })
  return { ...hook, secret }
}

/** @throws HOOK_NOT_FOUND */
export async function switchHook(ctx: Ctx, id: number, isEnabled: boolean): Promise<Hook> {
  const { vendorId, state } = await requireHook(ctx, id)
  await run(ctx.db, switchSql, [id, isEnabled])
  if (isEnabled) await enqueue(ctx, 'outgoing-webhooks', { endpointId: id })
  const changes = [{ field: 'isActive', from: state === 'live' || state === 'failing', to: isEnabled }]
  await emit(ctx, { name: 'webhook.updated', action: 'updated', resource: 'webhook', id, vendorId, changes })
  return requireHook(ctx, id)
}

/** @throws HOOK_NOT_FOUND */
export async function deleteHook(ctx: Ctx, id: number): Promise<{ success: true }> {
  const { vendorId, url } = await requireHook(ctx, id)
  await run(ctx.db, deleteSql, [id])
  const changes = [{ field: 'url', from: url, to: null }]
  await emit(ctx, { name: 'webhook.deleted', action: 'deleted', resource: 'webhook', id, vendorId, changes })
  return { success: true }
}

/** @throws HOOK_NOT_FOUND */
export async function pingHook(ctx: Ctx, id: number): Promise<{ success: true }> {
  const { vendorId } = await requireHook(ctx, id)
  await run(ctx.db, pingSql, [id, `ping-${randomUUID()}`])
  await enqueue(ctx, 'outgoing-webhooks', { endpointId: id })
  await emit(ctx, { name: 'webhook.tested', action: 'tested', resource: 'webhook', id, vendorId })
  return { success: true }
}

type Times = 'createdAt' | 'nextAttemptAt' | 'deliveredAt'
type DeliveryRow = Omit<HookDelivery, Times> & { createdAt: Date; nextAttemptAt: Date; deliveredAt: Date | null }

/** @throws HOOK_NOT_FOUND */
export async function listHookDeliveries(
  ctx: Ctx,
  id: number,
  { page, limit }: Parsed<typeof listing>['query'],
): Promise<Output<typeof listing>> {
  await requireHook(ctx, id)
  const rows = await run<DeliveryRow>(ctx.db, deliveriesSql, [id, limit, (page - 1) * limit])
  const [counted] = await run<{ total: number }>(ctx.db, deliveriesCountSql, [id])
  const items = rows.map(({ createdAt, nextAttemptAt, deliveredAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
  }))
  return { items, page, limit, total: counted?.total ?? 0 }
}

/** Does nothing for a message that waits already. @throws HOOK_NOT_FOUND */
export async function resendDelivery(ctx: Ctx, id: number): Promise<{ success: true }> {
  const own = vendorInReach(ctx.actor)
  const [sent] = await run<{ id: number; vendorId: number | null }>(ctx.db, resendSql, [id, own])
  if (sent) {
    await enqueue(ctx, 'outgoing-webhooks', { endpointId: sent.id })
    const changes = [{ field: 'message', from: null, to: `msg_${id}` }]
    await emit(ctx, { name: 'webhook.resent', action: 'resent', resource: 'webhook', ...sent, changes })
  } else if ((await run(ctx.db, deliveryOfSql, [id, own])).length === 0) throw new AppError('HOOK_NOT_FOUND')
  return { success: true }
}
