import type { Output, Parsed } from '@qatra/contract/endpoint'
import {
  type Campaign,
  type CampaignDetail,
  type CampaignStatus,
  type listCampaigns as list,
  type SendStatus,
  sendStatuses,
} from '@qatra/contract/whatsapp/campaigns/campaigns'
import type { Send, listSends as sends } from '@qatra/contract/whatsapp/campaigns/sends'
import { and, asc, count, desc, eq, gt, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Config } from '../config/config.ts'
import { contacts } from '../conversations/tables.ts'
import type { Ctx } from '../database/context.ts'
import { AppError } from '../lib/errors.ts'
import { searchedDigits } from '../lib/phone.ts'
import { users } from '../users/tables.ts'
import { quietUntil } from './hours.ts'
import { findSlowness, type Slowness } from './send-rate.queries.ts'
import { templateCampaigns as campaigns, templateSends } from './tables.ts'

export type Row = typeof campaigns.$inferSelect
type Reading = Pick<Ctx, 'db' | 'now'>
export type Hours = Pick<Config['whatsapp'], 'quietHours' | 'campaignsPerSecond'>

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

/** Null where the next message is at most some seconds away. */
const untilOf = ({ holds }: Slowness, now: Date) =>
  holds < 5 ? null : new Date(now.getTime() + holds * 1_000).toISOString()

const iso = (at: Date | null) => at?.toISOString() ?? null

async function describeAll(
  ctx: Reading,
  { quietHours }: Hours,
  rows: readonly { campaign: Row; byName: string | null; consentByName: string | null }[],
): Promise<Campaign[]> {
  const counted = await countsOf(
    ctx,
    rows.map(({ campaign }) => campaign.id),
  )
  const slowness = rows.some(({ campaign }) => campaign.status === 'running') ? await findSlowness(ctx) : null
  return rows.map(({ campaign: row, byName, consentByName }) => {
    const own = counted.filter(({ id }) => id === row.id)
    const counts = Object.fromEntries(
      sendStatuses.map((status) => [status, own.find((one) => one.status === status)?.n ?? 0]),
    ) as Record<SendStatus, number> // each status is a key
    const { status } = row
    const isNew = row.startedAt === null
    return {
      id: row.id,
      name: row.name,
      templateName: row.templateName,
      language: row.language,
      secondLanguage: row.secondLanguage,
      status,
      statusCode: row.statusCode,
      statusReason: row.statusReason,
      quietUntil: status === 'running' && counts.pending > 0 ? iso(quietUntil(quietHours, ctx.now)) : null,
      slowness: status === 'running' && slowness ? { code: slowness.code, until: untilOf(slowness, ctx.now) } : null,
      globalVariables: row.globalVariables,
      secondVariables: row.secondVariables,
      audience: row.audience,
      consent:
        row.consentSource && row.consentAt
          ? { source: row.consentSource, by: consentByName, at: row.consentAt.toISOString() }
          : null,
      hasLinks: row.hasLinks,
      linkRedirectUrl: row.linkRedirectUrl,
      counts,
      totalRecipients: own.reduce((sum, { n }) => sum + n, 0),
      successfulSends: counts.sent + counts.delivered + counts.read,
      failedSends: counts.failed,
      clicked: own.reduce((sum, { clicked }) => sum + clicked, 0),
      exclusions: row.exclusions ?? {},
      createdBy: row.createdBy === null ? null : { id: row.createdBy, name: byName },
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      scheduledAt: iso(row.scheduledAt),
      startedAt: iso(row.startedAt),
      pausedAt: iso(row.pausedAt),
      completedAt: iso(row.completedAt),
      cancelledAt: iso(row.cancelledAt),
      version: row.version,
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

const declarer = alias(users, 'declarer')
const from = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({ campaign: campaigns, byName: users.name, consentByName: declarer.name })
    .from(campaigns)
    .leftJoin(users, eq(users.id, campaigns.createdBy))
    .leftJoin(declarer, eq(declarer.id, campaigns.consentBy))
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
export async function requireCampaign(ctx: Reading, hours: Hours, id: string): Promise<CampaignDetail> {
  const rows = await from(ctx).where(eq(campaigns.id, id))
  const [campaign] = await describeAll(ctx, hours, rows)
  const [row] = rows
  if (!campaign || !row) throw new AppError('CAMPAIGN_NOT_FOUND')
  return {
    ...campaign,
    excludedPhones: row.campaign.removedRecipients.map(({ phone }) => phone),
    perSecond: hours.campaignsPerSecond,
    quietHours: hours.quietHours,
  }
}

/** @throws CAMPAIGN_NOT_FOUND */
export async function requireRow({ db }: Pick<Ctx, 'db'>, id: string): Promise<Row> {
  const [row] = await db.select().from(campaigns).where(eq(campaigns.id, id))
  if (!row) throw new AppError('CAMPAIGN_NOT_FOUND')
  return row
}

/** Recipients of a campaign, including those removed by hand. */
export async function savedRecipients(
  { db }: Pick<Ctx, 'db'>,
  { id, removedRecipients }: Pick<Row, 'id' | 'removedRecipients'>,
  status?: SendStatus,
) {
  const rows = await db
    .select({ phone: templateSends.recipientPhone, variables: templateSends.variables })
    .from(templateSends)
    .where(and(eq(templateSends.campaignId, id), status && eq(templateSends.status, status)))
    .orderBy(templateSends.id)
  return [...rows, ...removedRecipients].map(({ phone, variables }) => ({ phone, variables: variables ?? undefined }))
}

type Filters = Pick<Parsed<typeof sends>['query'], 'status' | 'search'>

function matching(id: string, { status, search = '' }: Filters): SQL | undefined {
  const digits = searchedDigits(search)
  const sought = search.trim()
  const chosen =
    status === undefined
      ? undefined
      : status === 'clicked'
        ? isNotNull(templateSends.clickedAt)
        : eq(templateSends.status, status)
  const named = sql`fold_text(coalesce(${users.name}, ${contacts.name})) like fold_text(${like(sought)})`
  const numbered = digits === '' ? sql`false` : sql`${templateSends.recipientPhone} like ${like(digits)}`
  return and(eq(templateSends.campaignId, id), chosen, sought === '' ? undefined : sql`(${named} or ${numbered})`)
}

const people = ({ db }: Pick<Ctx, 'db'>) =>
  db
    .select({ send: templateSends, name: sql<string | null>`coalesce(${users.name}, ${contacts.name})` })
    .from(templateSends)
    .leftJoin(contacts, eq(contacts.id, templateSends.contactId))
    .leftJoin(users, eq(users.phone, templateSends.recipientPhone))
    .orderBy(asc(templateSends.id))
    .$dynamic()

const describeSend = ({ send, name }: Awaited<ReturnType<typeof people>>[number]): Send => ({
  id: send.id,
  phone: send.recipientPhone,
  contactId: send.contactId,
  name,
  status: send.status,
  variables: send.variables,
  errorCode: send.errorCode,
  errorMessage: send.errorMessage,
  attempts: send.attempts,
  sentAt: iso(send.sentAt),
  deliveredAt: iso(send.deliveredAt),
  readAt: iso(send.readAt),
  clickedAt: iso(send.clickedAt),
})

/** @throws CAMPAIGN_NOT_FOUND */
export async function listSends(
  ctx: Pick<Ctx, 'db'>,
  id: string,
  { page, limit, ...filters }: Parsed<typeof sends>['query'],
): Promise<Output<typeof sends>> {
  await requireRow(ctx, id)
  const where = matching(id, filters)
  const rows = await people(ctx)
    .where(where)
    .limit(limit)
    .offset((page - 1) * limit)
  const [all] = await ctx.db
    .select({ n: count() })
    .from(templateSends)
    .leftJoin(contacts, eq(contacts.id, templateSends.contactId))
    .leftJoin(users, eq(users.phone, templateSends.recipientPhone))
    .where(where)
  return { items: rows.map(describeSend), page, limit, total: all?.n ?? 0 }
}

/** The next sends, in order. */
export async function nextSends(ctx: Pick<Ctx, 'db'>, id: string, filters: Filters, after: number, limit: number) {
  const rows = await people(ctx)
    .where(and(matching(id, filters), gt(templateSends.id, after)))
    .limit(limit)
  return rows.map(describeSend)
}
