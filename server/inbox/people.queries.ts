import type { Output } from '@qatra/contract/endpoint'
import { holds, includedPermissions, type RoleChoice } from '@qatra/contract/users/permissions'
import { mayReply } from '@qatra/contract/whatsapp/access'
import type { listAnswerers } from '@qatra/contract/whatsapp/inbox/work'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { findVendorIds, isInReach, requireReachedContact } from '../conversations/policy.ts'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { users } from '../users/tables.ts'
import { answererTurns } from './tables.ts'

/** Own permissions of the person and those of the role or preset. */
const allPermissions = (person: RoleChoice & { permissions: readonly string[] }) => [
  ...includedPermissions(person),
  ...person.permissions,
]

/** Staff who may answer, as the policy of conversations reads them, with their turns. */
export async function listAnswerersOf({ db }: Pick<Ctx, 'db'>) {
  const rows = await db
    .select({
      id: users.id,
      name: sql<string | null>`coalesce(${users.name}, ${users.phone})`,
      role: users.role,
      preset: users.preset,
      vendorId: users.vendorId,
      permissions: users.permissions,
      openCount: sql<number>`(select count(*)::int from whatsapp_conversation_threads t
        where t.assigned_to = users.id and t.done_at is null)`,
      awaySince: answererTurns.awaySince,
      lastGivenAt: answererTurns.lastGivenAt,
      // Who answers in Telegram alone opens no page.
      seenAt: sql<Date | null>`greatest(${users.lastActiveAt}, (select max(t.human_replied_at)
        from whatsapp_conversation_threads t where t.paused_by = users.id))`.mapWith(users.lastActiveAt),
    })
    .from(users)
    .leftJoin(answererTurns, eq(answererTurns.userId, users.id))
    .where(and(sql`${users.role} <> 'customer'`, eq(users.isActive, true), isNull(users.erasedAt)))
    .orderBy(sql`${users.name} is null`, users.name, users.id)
  return rows
    .map((row) => ({ ...row, permissions: allPermissions(row) }))
    .filter(({ permissions }) => holds(mayReply.permissions, permissions))
}

/** Those who reach the conversation; without one, colleagues of the same vendor and the market's staff. */
export async function listPeople(ctx: Ctx, idOrPhone: string | undefined): Promise<Output<typeof listAnswerers>> {
  const { user } = ctx.actor
  const all = await listAnswerersOf(ctx)
  const vendorIds =
    idOrPhone === undefined ? null : await findVendorIds(ctx.db, (await requireReachedContact(ctx, idOrPhone)).id)
  return all
    .filter((one) => vendorIds === null || isInReach(one, vendorIds))
    .filter((one) => user?.role === 'super_admin' || one.role === 'super_admin' || one.vendorId === user?.vendorId)
    .slice(0, 200)
    .map(({ id, name, openCount }) => ({ id, name, openCount }))
}

/** @throws USER_NOT_FOUND for whoever may not answer the conversation, or is no colleague */
export async function requireAnswerer(ctx: Ctx, id: number, contactId: number): Promise<void> {
  const people = await listPeople(ctx, String(contactId))
  if (!people.some((one) => one.id === id)) throw new AppError('USER_NOT_FOUND')
}
