import type { Output, Parsed } from '@qatra/contract/endpoint'
import { maskPhoneOnScreen } from '@qatra/contract/lib/phone'
import type { AdminLink, LinkState, listLinks as list } from '@qatra/contract/links/admin'
import { MOST_COUNTED } from '@qatra/contract/users/users'
import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { containing, countUpTo, matching, searchedFor } from '../users/admin.queries.ts'
import { users } from '../users/tables.ts'
import { magicLinks } from './tables.ts'

const makers = alias(users, 'makers')

const state = sql<LinkState>`case when ${magicLinks.revokedAt} is not null then 'revoked' when ${magicLinks.used} then 'used'
  when ${magicLinks.expiresAt} <= now() then 'expired' else 'live' end`

/** Status of the message that carries the link. */
const sending = sql<
  AdminLink['sending']
>`coalesce((select m.status from whatsapp_messages m where m.id = ${magicLinks.messageId}), 'none')`

const columns = {
  id: magicLinks.id,
  state,
  phone: magicLinks.phone,
  redirectUrl: magicLinks.redirectUrl,
  redirectParams: magicLinks.redirectParams,
  createdAt: magicLinks.createdAt,
  expiresAt: magicLinks.expiresAt,
  usedAt: magicLinks.usedAt,
  revokedAt: magicLinks.revokedAt,
  sending,
  customer: { id: users.id, name: users.name },
  createdBy: { id: makers.id, name: makers.name },
}

const from = ({ db }: Ctx) =>
  db
    .select(columns)
    .from(magicLinks)
    .leftJoin(users, eq(users.phone, magicLinks.phone))
    .leftJoin(makers, eq(makers.id, magicLinks.createdBy))
    .$dynamic()

type Row = Awaited<ReturnType<typeof from>>[number]

const describe = (row: Row): AdminLink => ({
  ...row,
  phone: maskPhoneOnScreen(row.phone),
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  usedAt: row.usedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  can: { revoke: row.state === 'live' },
})

/** The phone need not have an account, so the link's own phone is searched too. */
function searchFilter(typed: string | undefined): SQL | undefined {
  const digits = typed === undefined ? '' : searchedFor(typed)
  const byPhone = /^\d+$/.test(digits) ? sql`${magicLinks.phone} like ${containing(digits)}` : undefined
  return or(matching(typed), byPhone)
}

export async function listAdminLinks(
  ctx: Ctx,
  { page, limit, state: wanted, createdBy, search }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const where = and(
    wanted && eq(state, wanted),
    createdBy === undefined ? undefined : eq(magicLinks.createdBy, createdBy),
    searchFilter(search),
  )
  const [rows, total] = await Promise.all([
    from(ctx)
      .where(where)
      .orderBy(desc(magicLinks.id))
      .limit(limit)
      .offset((page - 1) * limit),
    countUpTo(
      ctx,
      ctx.db
        .select({ one: sql`1`.as('one') })
        .from(magicLinks)
        .leftJoin(users, eq(users.phone, magicLinks.phone))
        .where(where)
        .limit(MOST_COUNTED)
        .getSQL(),
    ),
  ])
  return { items: rows.map(describe), page, limit, total }
}

/** @throws LINK_NOT_FOUND */
export async function requireAdminLink(ctx: Ctx, id: number): Promise<AdminLink> {
  const [row] = await from(ctx).where(eq(magicLinks.id, id))
  if (!row) throw new AppError('LINK_NOT_FOUND')
  return describe(row)
}

export interface LinkToSend {
  phone: string
  language: 'ar' | 'en'
  expiresAt: Date
}

/** The link while it is valid; Arabic if the language is unknown. */
export async function findLinkToSend({ db }: Pick<Ctx, 'db'>, id: number): Promise<LinkToSend | null> {
  const [row] = await db
    .select({
      phone: magicLinks.phone,
      language: sql<'ar' | 'en'>`coalesce(${users.language}, 'ar')`,
      expiresAt: magicLinks.expiresAt,
    })
    .from(magicLinks)
    .leftJoin(users, eq(users.phone, magicLinks.phone))
    .where(and(eq(magicLinks.id, id), eq(state, 'live')))
  return row ?? null
}
