import type { Output, Parsed } from '@qatra/contract/endpoint'
import {
  type Campaign,
  type CampaignStatus,
  type listCampaigns as list,
  type listSends as sends,
  type SendStatus,
  sendStatuses,
} from '@qatra/contract/whatsapp-campaigns'
import { and, asc, count, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { contacts } from '../../channel/tables.ts'
import type { Config } from '../../platform/config.ts'
import type { Ctx } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { users } from '../../users/tables.ts'
import { quietUntil } from './hours.ts'
import { templateCampaigns as campaigns, templateSends } from './tables.ts'

export type Row = typeof campaigns.$inferSelect
type Reading = Pick<Ctx, 'db' | 'now'>
export type Hours = Pick<Config['whatsapp'], 'quietHours'>

const editable: readonly CampaignStatus[] = ['draft', 'scheduled', 'paused']
export const mayChange = ({ status, startedAt }: Pick<Row, 'status' | 'startedAt'>) =>
  startedAt === null && editable.includes(status)
export const mayDelete = ({ status, startedAt }: Pick<Row, 'status' | 'startedAt'>) =>
  startedAt === null && status !== 'running'

async function countsOf({ db }: Pick<Ctx, 'db'>, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db
    .select({
      id: templateSends.campaignId,
      status: templateSends.status,
      n: count(),
      clicked: count(templateSends.clickedAt),
    })
    .from(templateSends)
    .where(inArray(templateSends.campaignId, [...ids]))
    .groupBy(templateSends.campaignId, templateSends.status)
}

const iso = (at: Date | null) => at?.toISOString() ?? null

async function describeAll(
  ctx: Reading,
  { quietHours }: Hours,
  rows: readonly { campaign: Row; byName: string | null }[],
): Promise<Campaign[]> {
  const counted = await countsOf(
    ctx,
    rows.map(({ campaign }) => campaign.id),
  )
  return rows.map(({ campaign: row, byName }) => {
    const own = counted.filter(({ id }) => id === row.id)
    const counts = Object.fromEntries(
      sendStatuses.map((status) => [status, own.find((one) => one.status === status)?.n ?? 0]),
    ) as Record<SendStatus, number> // each of the statuses is a key
    const { status } = row
    const isNew = row.startedAt === null
    return {
      ...{ id: row.id, name: row.name, templateName: row.templateName, language: row.language, status },
      statusReason: row.statusReason,
      quietUntil: status === 'running' && counts.pending > 0 ? iso(quietUntil(quietHours, ctx.now)) : null,
      globalVariables: row.globalVariables,
      audience: row.audience,
      ...{ hasLinks: row.hasLinks, linkRedirectUrl: row.linkRedirectUrl, counts },
      totalRecipients: own.reduce((sum, { n }) => sum + n, 0),
      successfulSends: counts.sent + counts.delivered + counts.read,
      failedSends: counts.failed,
      clicked: own.reduce((sum, { clicked }) => sum + clicked, 0),
      exclusions: row.exclusions ?? {},
      createdBy: row.createdBy === null ? null : { id: row.createdBy, name: byName },
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      ...{ scheduledAt: iso(row.scheduledAt), startedAt: iso(row.startedAt), pausedAt: iso(row.pausedAt) },
      ...{ completedAt: iso(row.completedAt), cancelledAt: iso(row.cancelledAt), version: row.version },
      can: {
        edit: mayChange(row),
        delete: mayDelete(row),
        start: status === 'draft' || status === 'scheduled' || (status === 'paused' && isNew),
        pause: status === 'running' || status === 'scheduled',
        resume: status === 'paused',
        cancel: status !== 'completed' && status !== 'cancelled',
      },
    }
  })
}

const from = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({ campaign: campaigns, byName: users.name })
    .from(campaigns)
    .leftJoin(users, eq(users.id, campaigns.createdBy))
    .$dynamic()

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

export async function listCampaigns(
  ctx: Reading,
  hours: Hours,
  { page, limit, status, search }: Parsed<typeof list>['query'],
): Promise<Output<typeof list>> {
  const where = and(
    status && eq(campaigns.status, status),
    search === undefined || search.trim() === ''
      ? undefined
      : sql`fold_text(${campaigns.name}) like fold_text(${like(search.trim())})`,
  )
  const rows = await from(ctx)
    .where(where)
    .orderBy(desc(campaigns.createdAt), desc(campaigns.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [all] = await ctx.db.select({ n: count() }).from(campaigns).where(where)
  return { items: await describeAll(ctx, hours, rows), page, limit, total: all?.n ?? 0 }
}

/** @throws CAMPAIGN_NOT_FOUND */
export async function requireCampaign(ctx: Reading, hours: Hours, id: string): Promise<Campaign> {
  const [campaign] = await describeAll(ctx, hours, await from(ctx).where(eq(campaigns.id, id)))
  if (!campaign) throw new AppError('CAMPAIGN_NOT_FOUND')
  return campaign
}

export async function listSends(
  ctx: Pick<Ctx, 'db'>,
  id: string,
  { page, limit, status, search }: Parsed<typeof sends>['query'],
): Promise<Output<typeof sends>> {
  const [known] = await ctx.db.select({ id: campaigns.id }).from(campaigns).where(eq(campaigns.id, id))
  if (!known) throw new AppError('CAMPAIGN_NOT_FOUND')
  const digits = search?.replace(/\D/g, '') ?? ''
  const chosen: SQL | undefined =
    status === undefined
      ? undefined
      : status === 'clicked'
        ? isNotNull(templateSends.clickedAt)
        : eq(templateSends.status, status)
  const where = and(
    eq(templateSends.campaignId, id),
    chosen,
    digits === '' ? undefined : sql`${templateSends.recipientPhone} like ${like(digits)}`,
  )
  const rows = await ctx.db
    .select({ send: templateSends, name: sql<string | null>`coalesce(${users.name}, ${contacts.name})` })
    .from(templateSends)
    .leftJoin(contacts, eq(contacts.id, templateSends.contactId))
    .leftJoin(users, eq(users.phone, templateSends.recipientPhone))
    .where(where)
    .orderBy(asc(templateSends.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [all] = await ctx.db.select({ n: count() }).from(templateSends).where(where)
  const items = rows.map(({ send, name }) => ({
    ...{ id: send.id, phone: send.recipientPhone, contactId: send.contactId, name, status: send.status },
    ...{ variables: send.variables, errorCode: send.errorCode, errorMessage: send.errorMessage },
    ...{ attempts: send.attempts, sentAt: iso(send.sentAt), deliveredAt: iso(send.deliveredAt) },
    ...{ readAt: iso(send.readAt), clickedAt: iso(send.clickedAt) },
  }))
  return { items, page, limit, total: all?.n ?? 0 }
}
