import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import type { Actor } from '@qatra/contract/users/actor'
import {
  type AdminInvitation,
  INVITATION_MESSAGES,
  type Invitation,
  type listAdminInvitations,
} from '@qatra/contract/users/invitations'
import { holds } from '@qatra/contract/users/permissions'
import { isStaff, type Role } from '@qatra/contract/users/roles'
import { and, count, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { users } from '../users/tables.ts'
import { vendorInReach } from '../vendors/policy.ts'
import { staffInvitations as invitations } from './tables.ts'

const columns = { ...getTableColumns(invitations), byName: users.name }
type Row = typeof invitations.$inferSelect & { byName: string | null }

/** Limits invitations to the vendors the actor can access. */
const inReach = (actor: Actor, requestedVendorId?: number | null): SQL | undefined => {
  const vendor = vendorInReach(actor, requestedVendorId || null)
  return vendor === null ? undefined : eq(invitations.vendorId, vendor)
}

function describe(
  { actor, now }: Pick<Ctx, 'actor' | 'now'>,
  { messages, invitedBy, byName, ...row }: Row,
): AdminInvitation {
  const isOpen = row.state === 'open'
  const mayWrite = isOpen && actor.user !== null && holds(['users.write'], actor.user.permissions)
  return {
    ...row,
    state: isOpen && row.expiresAt <= now ? 'expired' : row.state,
    invitedBy: { id: invitedBy, name: byName },
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    can: { resend: mayWrite && messages < INVITATION_MESSAGES, withdraw: mayWrite },
  }
}

export async function listAdmin(
  ctx: Ctx,
  { page, limit, vendorId }: Parsed<typeof listAdminInvitations>['query'],
): Promise<Output<typeof listAdminInvitations>> {
  const where = inReach(ctx.actor, vendorId)
  const [rows, [counted]] = await Promise.all([
    ctx.db
      .select(columns)
      .from(invitations)
      .leftJoin(users, eq(users.id, invitations.invitedBy))
      .where(where)
      .orderBy(desc(invitations.createdAt), desc(invitations.id))
      .limit(limit)
      .offset((page - 1) * limit),
    ctx.db.select({ total: count() }).from(invitations).where(where),
  ])
  return { items: rows.map((row) => describe(ctx, row)), page, limit, total: counted?.total ?? 0 }
}

/** @throws INVITATION_NOT_FOUND, also for an invitation of another vendor */
export async function requireAdmin(ctx: Ctx, id: number): Promise<AdminInvitation> {
  const [row] = await ctx.db
    .select(columns)
    .from(invitations)
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(eq(invitations.id, id), inReach(ctx.actor)))
  if (!row) throw new AppError('INVITATION_NOT_FOUND')
  return describe(ctx, row)
}

interface OpenRow extends Omit<Invitation, 'obstacle' | 'expiresAt'> {
  vendorId: number
  name: string
  expiresAt: Date
}

/** Open invitations of a phone whose inviter is still an active admin of the vendor. */
const openText = `select i.id, i.vendor_id as "vendorId", v.name as "vendorName", v.name_ar as "vendorNameAr", i.role, i.preset, i.name,
     b.name as "invitedBy", i.expires_at as "expiresAt"
   from staff_invitations i
   join vendors v on v.id = i.vendor_id
   join users b on b.id = i.invited_by and b.is_active and b.role = 'vendor_admin' and b.vendor_id = i.vendor_id
   where i.phone = $1 and i.state = 'open' and i.expires_at > now() and ($2::integer is null or i.id = $2)
   order by i.id`
const openSql = statement('invitations-open', `${openText} for update of i`)
const openReadSql = statement('invitations-open-read', openText)

/** Locks the invitation; null if it is for another phone or no longer open. */
export async function findOpen({ db }: Pick<Ctx, 'db'>, phone: string, id: number): Promise<OpenRow | null> {
  const [row] = await run<OpenRow>(db, openSql, [phone, id])
  return row ?? null
}

export function obstacleFor(role: Role): Invitation['obstacle'] {
  if (role === 'super_admin') return 'SUPER_ADMIN_STAYS'
  return isStaff(role) ? 'WORKS_ELSEWHERE' : null
}

export async function listOwn(ctx: Ctx): Promise<Invitation[]> {
  const { phone, role } = userOf(ctx)
  const rows = await run<OpenRow>(ctx.db, openReadSql, [phone, null])
  return rows.map(({ vendorId: _, name: __, expiresAt, ...row }) => ({
    ...row,
    expiresAt: expiresAt.toISOString(),
    obstacle: obstacleFor(role),
  }))
}

export interface InvitationToSend {
  phone: string
  language: Lang
  vendor_name: string
  vendor_name_ar: string | null
  messages: number
}

const toSendSql = statement(
  'invitation-to-send',
  `select i.phone, coalesce(u.language, 'ar') as language, v.name as vendor_name, v.name_ar as vendor_name_ar, i.messages
   from staff_invitations i
   join vendors v on v.id = i.vendor_id
   left join users u on u.phone = i.phone
   where i.id = $1 and i.state = 'open' and i.expires_at > now()
     and (select count(*) from whatsapp_messages m
          where m.to_number = i.phone and m.dedupe_key like 'invitation:%' and m.created_at > now() - interval '1 day') < 3`,
)

/** Null if it was closed since, or the phone got three invitation messages of any vendors within 24 hours. */
export async function findToSend(db: Db, id: number): Promise<InvitationToSend | null> {
  const [row] = await run<InvitationToSend>(db, toSendSql, [id])
  return row ?? null
}

const madeSql = statement(
  'invitations-made',
  `select count(*)::integer as made from staff_invitations where vendor_id = $1 and created_at > now() - interval '1 day'`,
)

/** Number of invitations the vendor created within 24 hours, in any state. */
export async function countMade({ db }: Pick<Ctx, 'db'>, vendorId: number): Promise<number> {
  const [row] = await run<{ made: number }>(db, madeSql, [vendorId])
  return row?.made ?? 0
}

export const isOwnRow = (id: number, actor: Actor) => and(eq(invitations.id, id), inReach(actor))
export const hasExpired = sql`${invitations.expiresAt} <= now()`

const knownSql = statement(
  'staff-known-phones',
  `select phone, 'invited' as state from staff_invitations
   where phone = any($1::text[]) and vendor_id = $2 and state = 'open' and expires_at > now()
   union all
   select u.phone, 'taken' from users u
   where u.phone = any($1::text[]) and u.erased_at is null and ($3 or u.vendor_id = $2 and u.role <> 'customer')`,
)

/** Phones of accounts, as far as the actor can see them, and of open invitations of the vendor. */
export async function listKnownPhones(
  { db, actor }: Pick<Ctx, 'db' | 'actor'>,
  phones: readonly string[],
  vendorId: number | null,
): Promise<ReadonlyMap<string, 'invited' | 'taken'>> {
  const isSuper = actor.user?.role === 'super_admin'
  const rows = await run<{ phone: string; state: 'invited' | 'taken' }>(db, knownSql, [phones, vendorId, isSuper])
  return new Map(rows.map(({ phone, state }) => [phone, state]))
}
