import type { Output, Parsed } from '@qatra/contract/endpoint'
import { fold } from '@qatra/contract/lib/text'
import type { Actor } from '@qatra/contract/users/actor'
import {
  type AdminUser,
  activityAt,
  activityWindows,
  type listUsers as list,
  MOST_COUNTED,
} from '@qatra/contract/users/users'
import { type AnyColumn, and, eq, gte, ne, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { isNumber, searchedDigits } from '../lib/phone.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { abilitiesOver, peopleInReach } from './policy.ts'
import type { UserRow } from './queries.ts'
import { users } from './tables.ts'

const openOrdersSql = statement(
  'driver-open-orders',
  `select o.assigned_driver_id as id, count(*)::integer as count
   from orders o join users u on u.id = o.assigned_driver_id and u.vendor_id = o.vendor_id
   where o.status in ('new', 'in-progress', 'shipped') and o.assigned_driver_id = any($1::integer[])
   group by o.assigned_driver_id`,
)

/** Adds the number of open orders of drivers; 0 for others. */
async function withOpenOrders({ db }: Pick<Ctx, 'db'>, people: readonly UserRow[]): Promise<PersonRow[]> {
  const drivers = people.flatMap(({ id, role }) => (role === 'driver' ? [id] : []))
  const counted = drivers.length === 0 ? [] : await run<{ id: number; count: number }>(db, openOrdersSql, [drivers])
  const counts = new Map(counted.map(({ id, count }) => [id, count]))
  return people.map((person) => ({ ...person, openOrders: counts.get(person.id) ?? 0 }))
}

export type PersonRow = UserRow & { openOrders: number }

export function describePerson(actor: Actor, row: PersonRow, now: Date): AdminUser {
  return {
    id: row.id,
    phone: row.phone,
    name: row.name,
    role: row.role,
    preset: row.preset,
    vendorId: row.vendorId,
    permissions: row.permissions,
    isVerified: row.isVerified,
    isActive: row.isActive,
    notificationEnabled: row.notificationEnabled,
    notificationTypes: row.notificationTypes,
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    lastActiveAt: row.lastActiveAt?.toISOString() ?? null,
    activity: activityAt(row.lastActiveAt, now),
    // Only for super admins: the creator may work for another vendor.
    createdBy: actor.user?.role === 'super_admin' ? row.createdBy : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    openOrders: row.openOrders,
    can: abilitiesOver(actor, row),
  }
}

/** The search text in the form of `search_text`: digits of a number, or folded words. */
export const searchedFor = (typed: string): string => (isNumber(typed) ? searchedDigits(typed) : fold(typed))

/** Escapes `%` and `_`. */
export const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Shorter texts match nearly every row, so they match only at the start of a word, which the index supports. */
const SHORTEST_INSIDE = 3

/** Whether a folded text of a name and a phone contains the sought text. */
export function matchingText(column: AnyColumn, sought: string): SQL {
  if (sought.length >= SHORTEST_INSIDE) return sql`${column} like ${containing(sought)}`
  const inside = containing(sought).slice(1)
  const begin = /^\d+$/.test(sought) ? `+973${inside}` : inside
  return sql`(${column} like ${begin} or ${column} like ${`% ${begin}`})`
}

/** Matches folded name or phone; undefined without a search text. */
export function matching(typed: string | undefined): SQL | undefined {
  const sought = typed === undefined ? '' : searchedFor(typed)
  return sought === '' ? undefined : matchingText(users.searchText, sought)
}

const sorts = {
  name: sql`${users.name} is null, fold_text(${users.name}), ${users.id}`,
  '-createdAt': sql`${users.createdAt} desc nulls last, ${users.id} desc nulls last`,
  '-lastActiveAt': sql`${users.lastActiveAt} desc nulls last, ${users.id} desc nulls last`,
  '-lastLoginAt': sql`${users.lastLoginAt} desc nulls last, ${users.id} desc`,
}

/** Counts the rows of a statement that has its own limit, so that a list is not counted to its end. */
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
      .select()
      .from(users)
      .where(where)
      .orderBy(sorts[sort])
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
  const items = (await withOpenOrders({ db }, rows)).map((row) => describePerson(actor, row, now))
  return { items, page, limit, total }
}

/** @throws USER_NOT_FOUND, the same for an unknown person and one out of reach */
export async function requirePersonRow({ db, actor }: Ctx, id: number, lock?: 'no key update'): Promise<PersonRow> {
  const query = db
    .select()
    .from(users)
    .where(and(eq(users.id, id), peopleInReach(actor)))
  const [person] = await withOpenOrders({ db }, lock ? await query.for(lock) : await query)
  if (!person) throw new AppError('USER_NOT_FOUND')
  return person
}

export async function requirePerson(ctx: Ctx, id: number): Promise<AdminUser> {
  return describePerson(ctx.actor, await requirePersonRow(ctx, id), ctx.now)
}
