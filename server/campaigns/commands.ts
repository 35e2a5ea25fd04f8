import type { Parsed } from '@qatra/contract/endpoint'
import type * as api from '@qatra/contract/whatsapp-campaigns'
import { type CampaignDetail, type CampaignStatus, exclusionReasons } from '@qatra/contract/whatsapp-campaigns'
import { eq, sql } from 'drizzle-orm'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { type Change, emit, enqueue, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { findSendable } from '../templates/queries.ts'
import { type CampaignMessage, missingFor } from './filling.ts'
import type { Found, People } from './people.queries.ts'
import { checked, type Draft, planOf, refuseMissing } from './planning.ts'
import { type Hours, mayChange, mayDelete, type Row, requireCampaign, savedRecipients } from './queries.ts'
import { templateCampaigns as campaigns, templateSends } from './tables.ts'

export const WORK = 'campaign-work'
/** Jobs per campaign, so up to this many processes work on it. */
const LANES = 2

export async function callWorkers(ctx: Pick<Ctx, 'db' | 'afterCommit'>, campaignId: string): Promise<void> {
  for (let lane = 1; lane <= LANES; lane += 1) await enqueue(ctx, WORK, { campaignId })
}

const lanesSql = statement(
  'campaign-lanes',
  `select count(*)::int as lanes from pgboss.job
   where name = '${WORK}' and state < 'completed' and data ->> 'campaignId' = $1 and id::text <> $2`,
)

/** Enqueues only missing jobs, so that handed-on jobs and the scheduler do not add up. */
export async function callMissingWorkers(
  ctx: Pick<Ctx, 'db' | 'afterCommit'>,
  campaignId: string,
  { besides = '', inSeconds = 0 }: { besides?: string; inSeconds?: number } = {},
): Promise<void> {
  const [row] = await run<{ lanes: number }>(ctx.db, lanesSql, [campaignId, besides])
  for (let lane = row?.lanes ?? 0; lane < LANES; lane += 1) await enqueue(ctx, WORK, { campaignId }, inSeconds)
}

async function emitChange(ctx: Ctx, id: string, action: string, changes: readonly Change[] = []) {
  await emit(ctx, { name: `campaign.${action}`, action, resource: 'campaign', id, changes })
  await publish(ctx, 'campaign.changed', { campaignId: id })
}

/** Locks the campaign until the transaction ends; workers about to claim a send wait for it. */
async function lockCampaign({ db }: Pick<Ctx, 'db'>, id: string): Promise<Row> {
  const [row] = await db.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
  if (!row) throw new AppError('CAMPAIGN_NOT_FOUND')
  return row
}

async function putSends({ db }: Pick<Ctx, 'db'>, id: string, kept: readonly Found[]): Promise<void> {
  await db.delete(templateSends).where(eq(templateSends.campaignId, id))
  await db.execute(sql`
    insert into template_sends (campaign_id, recipient_phone, contact_id, variables)
    select ${id}::uuid, n.phone, n."contactId", n.variables
    from json_to_recordset(${JSON.stringify(kept)}::json) as n (phone text, "contactId" integer, variables jsonb)`)
}

/** From a list only its own people can be put back; a filter is evaluated again at the start. */
function takenOutOf(isList: boolean, phones: readonly string[], { excluded }: People): Row['takenOut'] {
  const found = new Map(
    excluded.filter(({ reason }) => reason === 'taken-out').map((one) => [one.phone, one.variables]),
  )
  return [...new Set(phones)]
    .filter((phone) => !isList || found.has(phone))
    .map((phone) => ({ phone, variables: found.get(phone) ?? null }))
}

export async function createCampaign(
  ctx: Ctx,
  hours: Hours,
  { name, scheduledAt, ...draft }: Parsed<typeof api.createCampaign>['body'],
): Promise<CampaignDetail> {
  const plan = checked(await planOf(ctx, draft))
  const [made] = await ctx.db
    .insert(campaigns)
    .values({
      name,
      templateName: draft.templateName,
      language: draft.language,
      createdBy: userOf(ctx).id,
      globalVariables: draft.globalVariables ?? null,
      audience: draft.audience ?? null,
      exclusions: plan.people.exclusions,
      totalRecipients: plan.people.kept.length,
      takenOut: takenOutOf(!draft.audience, draft.excludedPhones ?? [], plan.people),
      hasLinks: draft.hasLinks ?? false,
      linkRedirectUrl: draft.linkRedirectUrl ?? null,
      scheduledAt: scheduledAt ? new Date(scheduledAt) : null,
    })
    .returning({ id: campaigns.id })
  if (!made) throw new Error('The insert answers its row')
  await putSends(ctx, made.id, plan.people.kept)
  await emitChange(ctx, made.id, 'created', [
    { field: 'name', from: null, to: name },
    { field: 'totalRecipients', from: null, to: plan.people.kept.length },
  ])
  return requireCampaign(ctx, hours, made.id)
}

export async function changeCampaign(
  ctx: Ctx,
  hours: Hours,
  id: string,
  { version, ...body }: Parsed<typeof api.changeCampaign>['body'],
): Promise<CampaignDetail> {
  const before = await lockCampaign(ctx, id)
  if (!mayChange(before)) throw new AppError('CAMPAIGN_STATE', { status: before.status })
  if (version !== undefined && version !== before.version) throw new AppError('VERSION_CONFLICT')
  const { name, scheduledAt, recipients, excludedPhones = before.takenOut.map(({ phone }) => phone), ...changes } = body
  const merged = { ...before, ...changes }
  const audience = recipients === undefined ? merged.audience : null
  const kept = recipients ?? (audience === null ? await savedRecipients(ctx, before) : undefined)
  const draft: Draft = { ...merged, audience, excludedPhones, ...(kept === undefined ? {} : { recipients: kept }) }
  const { people } = checked(await planOf(ctx, draft))
  await putSends(ctx, id, people.kept)
  const isSameList = recipients === undefined && audience === null && before.audience === null
  const exclusions = isSameList ? addedUp(before.exclusions ?? {}, people.exclusions) : people.exclusions
  await ctx.db
    .update(campaigns)
    .set({
      ...(name === undefined ? {} : { name }),
      ...(scheduledAt === undefined ? {} : { scheduledAt: scheduledAt ? new Date(scheduledAt) : null }),
      templateName: merged.templateName,
      language: merged.language,
      hasLinks: merged.hasLinks,
      globalVariables: merged.globalVariables ?? null,
      linkRedirectUrl: merged.linkRedirectUrl ?? null,
      audience,
      exclusions,
      totalRecipients: people.kept.length,
      takenOut: takenOutOf(audience === null, excludedPhones, people),
      version: sql`${campaigns.version} + 1`,
      updatedAt: sql`now()`,
    })
    .where(eq(campaigns.id, id))
  const named = Object.keys(body).filter((field) => field !== 'recipients' && field !== 'excludedPhones')
  const valueIn = (row: object, field: string) => (row as Record<string, unknown>)[field] ?? null
  await emitChange(
    ctx,
    id,
    'updated',
    named.map((field) => ({ field, from: valueIn(before, field), to: valueIn(body, field) })),
  )
  return requireCampaign(ctx, hours, id)
}

/** People excluded from a list earlier are not stored; people removed by hand are. */
function addedUp(before: Readonly<Record<string, number>>, now: People['exclusions']): People['exclusions'] {
  const sums: People['exclusions'] = {}
  for (const reason of exclusionReasons) {
    const sum = (reason === 'taken-out' ? 0 : (before[reason] ?? 0)) + (now[reason] ?? 0)
    if (sum > 0) sums[reason] = sum
  }
  return sums
}

export async function deleteCampaign(ctx: Ctx, id: string): Promise<{ success: true }> {
  const row = await lockCampaign(ctx, id)
  if (!mayDelete(row)) throw new AppError('CAMPAIGN_STATE', { status: row.status })
  await ctx.db.delete(campaigns).where(eq(campaigns.id, id))
  await emitChange(ctx, id, 'deleted', [{ field: 'name', from: row.name, to: null }])
  return { success: true }
}

/** @throws TEMPLATE_NOT_AVAILABLE if the template was paused or rejected since */
async function messageOf(ctx: Ctx, row: Row): Promise<CampaignMessage> {
  const template = await findSendable(ctx, row.templateName, row.language)
  if (!template) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'unknown' })
  return { template, globalVariables: row.globalVariables, hasLinks: row.hasLinks }
}

async function move(ctx: Ctx, row: Row, status: CampaignStatus, set: object, action: string): Promise<void> {
  await ctx.db
    .update(campaigns)
    .set({ ...set, status, updatedAt: sql`now()` })
    .where(eq(campaigns.id, row.id))
  await emitChange(ctx, row.id, action, [{ field: 'status', from: row.status, to: status }])
  if (status === 'running') await callWorkers(ctx, row.id)
}

/**
 * Of concurrent requests one starts the campaign, the others get CAMPAIGN_STATE. Evaluates a filter again.
 * @throws CAMPAIGN_STATE, CAMPAIGN_EMPTY, CAMPAIGN_VARIABLES_MISSING, TEMPLATE_NOT_AVAILABLE
 */
export async function startCampaign(ctx: Ctx, hours: Hours, id: string): Promise<CampaignDetail> {
  const row = await lockCampaign(ctx, id)
  const isNew =
    row.startedAt === null && (row.status === 'draft' || row.status === 'scheduled' || row.status === 'paused')
  if (!isNew) throw new AppError('CAMPAIGN_STATE', { status: row.status })
  const content = await messageOf(ctx, row)
  if (row.audience !== null) {
    const excludedPhones = row.takenOut.map(({ phone }) => phone)
    const { people } = checked(await planOf(ctx, { ...row, audience: row.audience, excludedPhones }))
    await putSends(ctx, id, people.kept)
    await ctx.db
      .update(campaigns)
      .set({ exclusions: people.exclusions, totalRecipients: people.kept.length })
      .where(eq(campaigns.id, id))
  }
  const people = await savedRecipients(ctx, { id, takenOut: [] })
  if (people.length === 0) throw new AppError('CAMPAIGN_EMPTY')
  refuseMissing(people.map(({ phone, variables }) => ({ phone, keys: missingFor(content, variables ?? null) })))
  const isLater = row.status !== 'scheduled' && row.scheduledAt !== null && row.scheduledAt > ctx.now
  if (isLater) await move(ctx, row, 'scheduled', { pausedAt: null }, 'scheduled')
  else await move(ctx, row, 'running', { startedAt: sql`now()`, pausedAt: null, statusReason: null }, 'started')
  return requireCampaign(ctx, hours, id)
}

export async function pauseCampaign(ctx: Ctx, hours: Hours, id: string): Promise<CampaignDetail> {
  const row = await lockCampaign(ctx, id)
  if (row.status !== 'running' && row.status !== 'scheduled')
    throw new AppError('CAMPAIGN_STATE', { status: row.status })
  await move(ctx, row, 'paused', { pausedAt: sql`now()`, statusReason: null }, 'paused')
  return requireCampaign(ctx, hours, id)
}

export async function resumeCampaign(ctx: Ctx, hours: Hours, id: string): Promise<CampaignDetail> {
  const row = await lockCampaign(ctx, id)
  if (row.status !== 'paused') throw new AppError('CAMPAIGN_STATE', { status: row.status })
  if (row.startedAt === null) {
    if (row.scheduledAt === null || row.scheduledAt <= ctx.now) return startCampaign(ctx, hours, id)
    await move(ctx, row, 'scheduled', { pausedAt: null }, 'resumed')
  } else {
    await messageOf(ctx, row)
    await move(ctx, row, 'running', { pausedAt: null, statusReason: null }, 'resumed')
  }
  return requireCampaign(ctx, hours, id)
}

/** Claimed sends are with the provider already; all others are cancelled for good. */
export async function cancelCampaign(ctx: Ctx, hours: Hours, id: string): Promise<CampaignDetail> {
  const row = await lockCampaign(ctx, id)
  if (row.status === 'completed' || row.status === 'cancelled')
    throw new AppError('CAMPAIGN_STATE', { status: row.status })
  await ctx.db.execute(sql`
    update template_sends set status = 'cancelled', updated_at = now() where campaign_id = ${id} and status = 'pending'`)
  await move(ctx, row, 'cancelled', { cancelledAt: sql`now()` }, 'cancelled')
  return requireCampaign(ctx, hours, id)
}
