import {
  type ApiKey,
  type createKey as creation,
  KEY_PREFIX,
  type listKeys as listing,
  MOST_LIVE_KEYS,
} from '@qatra/contract/api-keys'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { holds } from '@qatra/contract/users/permissions'
import { takeLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { emit } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { newToken, sha256 } from '../lib/secrets.ts'
import { vendorInReach } from '../vendors/policy.ts'

/** Of `users u`, the maker of `api_keys k`: may still act for the vendor of the key. */
export const keyIsBacked = `u.is_active and (u.role = 'super_admin' or u.vendor_id = k.vendor_id)`

const keysText = `
  select k.id, k.name, k.ending, k.vendor_id as "vendorId", k.permissions,
    case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired'
      when ${keyIsBacked} then 'live' else 'idle' end as state,
    array(select unnest(k.permissions) except select unnest(u.permissions || coalesce(r.permissions, '{}'))) as lost,
    json_build_object('id', u.id, 'name', u.name) as "createdBy", k.created_at as "createdAt",
    k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt",
    case when v.id is not null then json_build_object('id', v.id, 'name', v.name) end as "revokedBy"
  from api_keys k
  join users u on u.id = k.created_by
  left join user_roles r on r.name = coalesce(u.preset, u.role)
  left join users v on v.id = k.revoked_by`
const listSql = statement(
  'api-keys',
  `select k.*, count(*) over ()::int as total from (${keysText}) k where $1::int is null or k."vendorId" = $1
   order by k.state = 'live' desc, k.id desc limit $2 offset $3`,
)
const readSql = statement('api-key', `select k.* from (${keysText}) k where k.id = $1`)
const liveSql = statement(
  'api-keys-live',
  `select count(*)::int as live from api_keys
   where vendor_id is not distinct from $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
)
const insertSql = statement(
  'api-key-create',
  `insert into api_keys (hash, ending, name, vendor_id, permissions, created_by, expires_at)
   values ($1, $2, $3, $4, $5, $6, now() + $7::int * interval '1 day') returning id`,
)
const revokeSql = statement(
  'api-key-revoke',
  `update api_keys set revoked_at = now(), revoked_by = $3
   where id = $1 and ($2::int is null or vendor_id = $2) and revoked_at is null
   returning name, vendor_id as "vendorId"`,
)
const knownSql = statement(
  'api-key-known',
  `select from api_keys where id = $1 and ($2::int is null or vendor_id = $2)`,
)

type Times = 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'revokedAt'
type Row = Omit<ApiKey, Times> & { [Time in Times]: Time extends 'createdAt' ? Date : Date | null } & { total?: number }

const describe = ({ total: _, createdAt, expiresAt, lastUsedAt, revokedAt, ...row }: Row): ApiKey => ({
  ...row,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  revokedAt: revokedAt?.toISOString() ?? null,
})

export async function listKeys(
  { db, actor }: Ctx,
  { vendorId, page, limit }: Parsed<typeof listing>['query'],
): Promise<Output<typeof listing>> {
  const rows = await run<Row>(db, listSql, [vendorInReach(actor, vendorId || null), limit, (page - 1) * limit])
  return { items: rows.map(describe), page, limit, total: rows[0]?.total ?? 0 }
}

/**
 * Creates a key for the caller's scope. Only the answer contains it.
 * @throws FORBIDDEN for what the caller does not have, KEYS_FULL
 */
export async function createKey(
  ctx: Ctx,
  { name, permissions, expiresInDays, ...body }: Parsed<typeof creation>['body'],
): Promise<Output<typeof creation>> {
  const maker = userOf(ctx)
  const vendorId = vendorInReach(ctx.actor, body.vendorId)
  if (!holds(permissions, maker.permissions)) throw new AppError('FORBIDDEN')
  await takeLock(ctx.db, 'api-keys')
  const [counted] = await run<{ live: number }>(ctx.db, liveSql, [vendorId])
  if ((counted?.live ?? 0) >= MOST_LIVE_KEYS) throw new AppError('KEYS_FULL')
  const key = `${KEY_PREFIX}${newToken()}`
  const values = [sha256(key), key.slice(-4), name, vendorId, [...new Set(permissions)], maker.id, expiresInDays]
  const [made] = await run<{ id: number }>(ctx.db, insertSql, values)
  const [row] = await run<Row>(ctx.db, readSql, [made?.id])
  if (!row) throw new Error('The insert answers its row')
  const created = describe(row)
  await emit(ctx, {
    name: 'api-key.created',
    action: 'created',
    resource: 'api-key',
    id: created.id,
    vendorId,
    changes: [
      { field: 'name', from: null, to: name },
      { field: 'scopes', from: null, to: created.permissions },
      { field: 'expiresAt', from: null, to: created.expiresAt },
    ],
  })
  return { ...created, key }
}

/** @throws KEY_NOT_FOUND, also for a key out of reach */
export async function revokeKey(ctx: Ctx, id: number): Promise<{ success: true }> {
  const own = vendorInReach(ctx.actor)
  const [revoked] = await run<{ name: string; vendorId: number | null }>(ctx.db, revokeSql, [id, own, userOf(ctx).id])
  if (revoked) {
    const { name, vendorId } = revoked
    const changes = [{ field: 'name', from: name, to: null }]
    await emit(ctx, { name: 'api-key.revoked', action: 'revoked', resource: 'api-key', id, vendorId, changes })
  } else if ((await run(ctx.db, knownSql, [id, own])).length === 0) throw new AppError('KEY_NOT_FOUND')
  return { success: true }
}
