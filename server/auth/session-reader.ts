import type { Actor, ActorUser } from '@qatra/contract/users/actor'
import { IMPERSONATION_MS } from '@qatra/contract/users/impersonation'
import { run, statement } from '../database/db.ts'
import type { App, SessionReader } from '../http/runtime.ts'
import { lastActiveSql } from '../users/commands.ts'
import { keyIsBacked } from './keys.commands.ts'

interface SessionRow extends ActorUser {
  now: Date
  impersonator?: Actor['impersonator']
  key?: Actor['key']
}

/**
 * A valid session by hash, with its user. An impersonation ends after half an hour, when the target is deactivated, or
 * when either role no longer allows it.
 */
const sessionOf = (hash: string) => `
   select now(), u.id, u.phone, u.name, u.role, u.vendor_id as "vendorId",
          u.permissions || coalesce(r.permissions, '{}') as permissions, u.language, u.is_verified as "isVerified",
          case when i.id is not null then json_build_object('id', i.id, 'name', i.name, 'phone', i.phone) end as impersonator
   from sessions s
   join users u on u.is_active and u.id = case
     when s.impersonator_id is null then s.user_id
     when s.created_at > now() - interval '${IMPERSONATION_MS} milliseconds'
       and exists (select from users t where t.id = s.user_id and t.is_active and t.role <> 'super_admin')
       and exists (select from users a where a.id = s.impersonator_id and a.is_active and a.role = 'super_admin')
     then s.user_id
     else s.impersonator_id end
   left join user_roles r on r.name = coalesce(u.preset, u.role)
   left join users i on i.id = s.impersonator_id and i.id <> u.id
   where s.id = ${hash} and s.expires_at > now()`

const sessionSql = statement('session', sessionOf('$1'))
const sessionsSql = statement(
  'sessions',
  `select k.id as "sessionId", who.* from unnest($1::text[]) as k (id) cross join lateral (${sessionOf('k.id')}) as who`,
)
const KEY_ID_START = 'key:'.length
const isKey = (id: string) => id.startsWith('key:')

type Found = SessionRow & { sessionId: string }

/**
 * A valid API key by its id, with its maker in the scope of the key: what both of them have now. A key of a vendor that a
 * super admin made acts as an admin of that vendor.
 */
const keyOf = (id: string) => `
   select now(), u.id, u.phone, u.name, k.vendor_id as "vendorId",
          case when k.vendor_id is not null and u.role = 'super_admin' then 'vendor_admin' else u.role end as role,
          array(select unnest(k.permissions) intersect select unnest(u.permissions || coalesce(r.permissions, '{}')))
            as permissions, u.language, u.is_verified as "isVerified",
          json_build_object('id', k.id, 'name', k.name) as key
   from api_keys k
   join users u on u.id = k.created_by and ${keyIsBacked}
   left join user_roles r on r.name = coalesce(u.preset, u.role)
   where k.hash = substr(${id}, ${KEY_ID_START + 1}) and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`

const keySql = statement('key', keyOf('$1'))
const keysSql = statement(
  'keys',
  `select asked.id as "sessionId", who.* from unnest($1::text[]) as asked (id)
   cross join lateral (${keyOf('asked.id')}) as who`,
)
const touchKeysSql = statement('key-seen', `update api_keys set last_used_at = now() where hash = any($1::text[])`)

const touchSessionsSql = statement(
  'session-seen',
  // Extends a customer's session by thirty days; staff sessions keep their expiry.
  `with due as (
     select id from sessions where id = any($1::text[]) and last_seen_at < now() - interval '1 minute'
     order by id for update skip locked),
   s as (
     update sessions s set last_seen_at = now(),
       expires_at = case when u.role = 'customer' and s.impersonator_id is null
                    then greatest(s.expires_at, now() + interval '30 days') else s.expires_at end
     from due, users u
     where s.id = due.id and u.id = s.user_id
     returning s.user_id, s.impersonator_id)
   ${lastActiveSql}`,
)

const HEARTBEAT_MS = 60_000
/** A session that was valid within this time has the limits of its account besides those of its network. */
const RECENT_MS = 10 * 60_000
/** Requests within this time are recorded by one statement. */
const GATHER_MS = 200

const describe = ({ now: _, impersonator = null, key = null, ...user }: SessionRow) => ({ user, impersonator, key })

/** Reads rights on every request, so that a revoked one applies to the next request. */
export function readSessions({ db: outside, log }: Pick<App, 'db' | 'log'>): SessionReader {
  const visits = new Map<string, { userId: number; at: number }>()
  let gathered: string[] = []
  const saveVisits = () => {
    const keys = gathered.filter(isKey).map((id) => id.slice(KEY_ID_START))
    const sessions = gathered.filter((id) => !isKey(id))
    gathered = []
    const complain = (error: unknown) => log.warn({ err: error }, 'activity not noted')
    if (sessions.length > 0) run(outside, touchSessionsSql, [sessions]).catch(complain)
    if (keys.length > 0) run(outside, touchKeysSql, [keys]).catch(complain)
  }
  function recordVisit(sessionId: string, userId: number) {
    const at = performance.now()
    if (at - (visits.get(sessionId)?.at ?? -HEARTBEAT_MS) < HEARTBEAT_MS) return
    if (visits.size > 50_000) visits.clear()
    visits.set(sessionId, { userId, at })
    gathered.push(sessionId)
    if (gathered.length === 1) setTimeout(saveVisits, GATHER_MS).unref()
  }
  return {
    async find(db, sessionId) {
      const [row] = await run<SessionRow>(db, isKey(sessionId) ? keySql : sessionSql, [sessionId])
      if (!row) {
        visits.delete(sessionId)
        return null
      }
      recordVisit(sessionId, row.id)
      return { ...describe(row), now: row.now }
    },
    recentUser(sessionId) {
      const visit = visits.get(sessionId)
      return visit && performance.now() - visit.at < RECENT_MS ? visit.userId : null
    },
    async readMany(sessionIds) {
      const keys = sessionIds.filter(isKey)
      const rows = [
        ...(await run<Found>(outside, sessionsSql, [sessionIds])),
        ...(keys.length > 0 ? await run<Found>(outside, keysSql, [keys]) : []),
      ]
      return new Map(rows.map(({ sessionId, ...row }) => [sessionId, describe(row)]))
    },
  }
}
