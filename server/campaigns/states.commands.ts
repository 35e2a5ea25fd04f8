import type { CampaignDetail, CampaignStatus } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { type EmitContext, publish } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import { emitChange, enqueueWorkers, lockCampaign, replaceSends } from './commands.ts'
import { checked, planOf, refuseMissing } from './planning.ts'
import { type Hours, type Row, requireCampaign, savedRecipients } from './queries.ts'
import { templateCampaigns as campaigns } from './tables.ts'

async function move(ctx: EmitContext, row: Row, status: CampaignStatus, set: object, action: ActionOf<'campaign'>) {
  await ctx.db
    .update(campaigns)
    .set({ ...set, status, updatedAt: sql`now()` })
    .where(eq(campaigns.id, row.id))
  await emitChange(ctx, row.id, action, [{ field: 'status', from: row.status, to: status }])
  if (status === 'running') await enqueueWorkers(ctx, row.id)
}

const goes = { pausedAt: null, statusCode: null, statusReason: null }
const starts = { ...goes, startedAt: sql`now()` }

/**
 * Evaluates a filter as of now, and checks template, values and declaration before the first message.
 * @throws CAMPAIGN_EMPTY, CAMPAIGN_CONSENT_MISSING, CAMPAIGN_VARIABLES_MISSING, TEMPLATE_NOT_AVAILABLE
 */
async function prepare(ctx: Pick<Ctx, 'db'>, row: Row): Promise<void> {
  const { id, audience } = row
  if (audience === null && row.consentAt === null) throw new AppError('CAMPAIGN_CONSENT_MISSING')
  // Of two follow-ups of one campaign at once the second counts whom the first has taken.
  if (audience?.followUp) await lockCampaign(ctx, audience.followUp.campaignId)
  const recipients = audience === null ? await savedRecipients(ctx, { id, removedRecipients: [] }) : undefined
  const excludedPhones = audience === null ? [] : row.removedRecipients.map(({ phone }) => phone)
  const { people, category } = checked(await planOf(ctx, { ...row, audience, recipients, excludedPhones }))
  if (people.kept.length === 0) throw new AppError('CAMPAIGN_EMPTY')
  const found = { exclusions: people.exclusions, totalRecipients: people.kept.length }
  if (audience !== null) await replaceSends(ctx, id, people.kept)
  await ctx.db
    .update(campaigns)
    .set(audience === null ? { category } : { category, ...found })
    .where(eq(campaigns.id, id))
}

/**
 * Of concurrent requests one starts the campaign, the others get CAMPAIGN_STATE. Evaluates a filter again.
 * @throws CAMPAIGN_STATE, CAMPAIGN_EMPTY, CAMPAIGN_CONSENT_MISSING, CAMPAIGN_VARIABLES_MISSING, TEMPLATE_NOT_AVAILABLE
 */
export async function startCampaign(ctx: Ctx, hours: Hours, id: string): Promise<CampaignDetail> {
  const row = await lockCampaign(ctx, id)
  const isNew =
    row.startedAt === null && (row.status === 'draft' || row.status === 'scheduled' || row.status === 'paused')
  if (!isNew) throw new AppError('CAMPAIGN_STATE', { status: row.status })
  await prepare(ctx, row)
  const isLater = row.status !== 'scheduled' && row.scheduledAt !== null && row.scheduledAt > ctx.now
  if (isLater) await move(ctx, row, 'scheduled', goes, 'scheduled')
  else await move(ctx, row, 'running', starts, 'started')
  return requireCampaign(ctx, hours, id)
}

const dueSql = statement(
  'campaign-due',
  `select id from template_campaigns where status = 'scheduled' and scheduled_at <= now() order by scheduled_at`,
)
export async function findDueCampaigns({ db }: { db: Db }): Promise<string[]> {
  return (await run<{ id: string }>(db, dueSql)).map(({ id }) => id)
}

/** Starts a scheduled campaign whose time has come, or pauses it with the reason why it cannot start. */
export async function startDueCampaign(ctx: JobContext, id: string): Promise<void> {
  const bySystem = { ...ctx, authors: { changedBy: null, onBehalfOf: null }, client: { ip: null, userAgent: null } }
  const [row] = await ctx.db
    .select()
    .from(campaigns)
    .where(sql`${campaigns.id} = ${id} and ${campaigns.status} = 'scheduled' and ${campaigns.scheduledAt} <= now()`)
    .for('update', { skipLocked: true })
  if (!row) return
  try {
    await prepare(ctx, row)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const reason = { statusCode: error.code, statusReason: error.code, pausedAt: sql`now()` }
    await move(bySystem, row, 'paused', reason, 'paused')
    return publish(ctx, 'campaign.stopped', { campaignId: id })
  }
  await move(bySystem, row, 'running', starts, 'started')
}

export async function pauseCampaign(ctx: Ctx, hours: Hours, id: string): Promise<CampaignDetail> {
  const row = await lockCampaign(ctx, id)
  if (row.status !== 'running' && row.status !== 'scheduled')
    throw new AppError('CAMPAIGN_STATE', { status: row.status })
  await move(ctx, row, 'paused', { ...goes, pausedAt: sql`now()` }, 'paused')
  return requireCampaign(ctx, hours, id)
}

/** @throws CAMPAIGN_STATE, CAMPAIGN_VARIABLES_MISSING, TEMPLATE_NOT_AVAILABLE, and what starting throws */
export async function resumeCampaign(ctx: Ctx, hours: Hours, id: string): Promise<CampaignDetail> {
  const row = await lockCampaign(ctx, id)
  if (row.status !== 'paused') throw new AppError('CAMPAIGN_STATE', { status: row.status })
  if (row.startedAt === null) {
    if (row.scheduledAt === null || row.scheduledAt <= ctx.now) return startCampaign(ctx, hours, id)
    await move(ctx, row, 'scheduled', goes, 'resumed')
  } else {
    const recipients = await savedRecipients(ctx, { id, removedRecipients: [] }, 'pending')
    const { missing, category } = await planOf(ctx, { ...row, audience: null, recipients, excludedPhones: [] })
    refuseMissing(missing)
    await move(ctx, row, 'running', { ...goes, category }, 'resumed')
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
