import type { Actor } from '@qatra/contract/actor'
import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/text'
import {
  activityAt,
  activityWindows,
  type listUsers as list,
  MOST_COUNTED,
  type OfficeUser,
} from '@qatra/contract/users'
import { and, eq, getTableColumns, gte, ne, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { abilitiesOver, peopleInReach } from './policy.ts'
import type { UserRow } from './queries.ts'
import { users } from './tables.ts'

/** Only drivers have any, and theirs are found by an index. */
const openOrders = sql<number>`case when ${users.role} = 'driver' then (
  select count(*)::integer from orders o where o.assigned_driver_id = users.id
  and o.status in ('new', 'in-progress', 'shipped')) else 0 end`
const columns = { ...getTableColumns(users), openOrders }

export type PersonRow = UserRow & { openOrders: number }

export function describePerson(actor: Actor, row: PersonRow, now: Date): OfficeUser {
  return {
    id: row.id,
    phone: row.phone,
    name: row.name,
    role: row.role,
    vendorId: row.vendorId,
    permissions: row.permissions,
    isVerified: row.isVerified,
    isActive: row.isActive,
    notificationEnabled: row.notificationEnabled,
    notificationTypes: row.notificationTypes,
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
    activity: activityAt(row.lastActiveAt, now),
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    openOrders: row.openOrders,
    can: abilitiesOver(actor, row),
  }
}

/** What was typed, as it stands in `search_text`: a number however it was written, or folded words. */
export function searchedFor(typed: string): string {
  const folded = fold(typed)
  return /^[\d\s+()-]+$/.test(folded) ? folded.replace(/\D/g, '').replace(/^00/, '') : folded
}

/** `%` and `_` mean themselves. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Folded name or phone holds what was typed; undefined where nothing was. */
export function matching(typed: string | undefined): SQL | undefined {
  const sought = typed === undefined ? '' : searchedFor(typed)
  return sought === '' ? undefined : sql`${users.searchText} like ${containing(sought)}`
}

const orders = {
  name: sql`${users.name} is null, fold_text(${users.name}), ${users.id}`,
  '-createdAt': sql`${users.createdAt} desc nulls last, ${users.id} desc nulls last`,
  '-lastActiveAt': sql`${users.lastActiveAt} desc nulls last, ${users.id} desc nulls last`,
  '-lastLoginAt': sql`${users.lastLoginAt} desc nulls last, ${users.id} desc`,
}

/** Rows of a statement that brings no more than it should count: a list need not be gone through to its end. */
export async function countUpTo({ db }: Pick<Ctx, 'db'>, rows: SQL): Promise<number> {
  const counted = await db.execute<{ total: number }>(sql`select count(*)::integer as total from (${rows}) c`)
  return counted.rows[0]?.total ?? 0
}

export async function listPeople(
  { db, actor, now }: Ctx,
  { page, limit, search, role, vendorId, activity, isActive, staff, sort }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const vendor = vendorInReach(actor, vendorId || null)
  const since = activity && new Date(now.getTime() - activityWindows[activity] * 60_000)
  const where = and(
    peopleInReach(actor),
    vendor === null ? undefined : eq(users.vendorId, vendor),
    role && eq(users.role, role),
    staff ? ne(users.role, 'customer') : undefined,
    isActive === undefined ? undefined : eq(users.isActive, isActive),
    since && gte(users.lastActiveAt, since),
    matching(search),
  )
  const [rows, total] = await Promise.all([
    db
      .select(columns)
      .from(users)
      .where(where)
      .orderBy(orders[sort])
      .limit(limit)
      .offset((page - 1) * limit),
    countUpTo(
      { db },
      db
        .select({ one: sql`1`.as('one') })
        .from(users)
        .where(where)
        .limit(MOST_COUNTED)
        .getSQL(),
    ),
  ])
  const items = rows.map((row) => describePerson(actor, row, now))
  return { items, page, limit, total }
}

/** @throws USER_NOT_FOUND where there is nobody, or nobody whom the asking person may see */
export async function requirePersonRow({ db, actor }: Ctx, id: number, lock?: 'update'): Promise<PersonRow> {
  const query = db
    .select(columns)
    .from(users)
    .where(and(eq(users.id, id), peopleInReach(actor)))
  const [row] = lock ? await query.for(lock) : await query
  if (!row) throw new AppError('USER_NOT_FOUND')
  return row
}

export async function requirePerson(ctx: Ctx, id: number): Promise<OfficeUser> {
  return describePerson(ctx.actor, await requirePersonRow(ctx, id), ctx.now)
}
