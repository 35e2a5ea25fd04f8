import type { Output, Parsed } from '@qatra/contract/endpoint'
import { MOST_TESTS, type testCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import type * as api from '@qatra/contract/whatsapp/campaigns/campaigns'
import { type CampaignDetail, exclusionReasons } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { eq, sql } from 'drizzle-orm'
import { admitContact } from '../conversations/contacts.commands.ts'
import { queueMessage } from '../conversations/sending.commands.ts'
import { takeNumberLock } from '../database/advisory-lock.ts'
import { type Ctx, userOf } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { type Change, type EmitContext, emit, enqueue, publish } from '../jobs/domain-events.ts'
import type { ActionOf } from '../jobs/events.ts'
import { AppError } from '../lib/errors.ts'
import { type CampaignMessage, messageTo, unfilledFor } from './filling.ts'
import type { Found, People } from './people.queries.ts'
import { checked, contentsOf, type Draft, namelessIn, planOf, refuseMissing, requireMarketing } from './planning.ts'
import { type Hours, mayChange, mayDelete, type Row, requireCampaign, requireRow, savedRecipients } from './queries.ts'
import { templateCampaigns as campaigns, templateSends } from './tables.ts'

/** Jobs per campaign, so up to this many processes work on it. */
const LANES = 2

export async function enqueueWorkers(ctx: Pick<Ctx, 'db' | 'afterCommit'>, campaignId: string): Promise<void> {
  for (let lane = 1; lane <= LANES; lane += 1) await enqueue(ctx, 'campaign-work', { campaignId })
}

const lanesSql = statement(
  'campaign-lanes',
  `select count(*)::int as lanes from pgboss.job
   where name = 'campaign-work' and state < 'completed' and data ->> 'campaignId' = $1 and id::text <> $2`,
)

/** Enqueues only missing jobs, so that jobs that continue one and the scheduler do not add up. */
export async function enqueueMissingWorkers(
  ctx: Pick<Ctx, 'db' | 'afterCommit'>,
  campaignId: string,
  { exceptJob = '', inSeconds = 0 }: { exceptJob?: string; inSeconds?: number } = {},
): Promise<void> {
  const [row] = await run<{ lanes: number }>(ctx.db, lanesSql, [campaignId, exceptJob])
  for (let lane = row?.lanes ?? 0; lane < LANES; lane += 1)
    await enqueue(ctx, 'campaign-work', { campaignId }, inSeconds)
}

type Action = ActionOf<'campaign'>
export async function emitChange(ctx: EmitContext, id: string, action: Action, changes: readonly Change[]) {
  await emit(ctx, { name: `campaign.${action}`, action, resource: 'campaign', id, changes })
  await publish(ctx, 'campaign.changed', { campaignId: id })
}

/** Locks the campaign until the transaction ends; workers about to claim a send wait for it. */
export async function lockCampaign({ db }: Pick<Ctx, 'db'>, id: string): Promise<Row> {
  const [row] = await db.select().from(campaigns).where(eq(campaigns.id, id)).for('update')
  if (!row) throw new AppError('CAMPAIGN_NOT_FOUND')
  return row
}

export async function replaceSends({ db }: Pick<Ctx, 'db'>, id: string, kept: readonly Found[]): Promise<void> {
  await db.delete(templateSends).where(eq(templateSends.campaignId, id))
  await db.execute(sql`
    insert into template_sends (campaign_id, recipient_phone, contact_id, variables)
    select ${id}::uuid, n.phone, n."contactId", n.variables
    from json_to_recordset(${JSON.stringify(kept)}::json) as n (phone text, "contactId" integer, variables jsonb)`)
}

/** The declaration belongs to the list: another list needs another one. */
const declarationOf = (ctx: Ctx, { consentSource }: { consentSource?: string | null | undefined }) =>
  consentSource
    ? { consentSource, consentBy: userOf(ctx).id, consentAt: ctx.now }
    : { consentSource: null, consentBy: null, consentAt: null }

/** From a list only its own people can be put back; a filter is evaluated again at the start. */
function removedRowsOf(isList: boolean, phones: readonly string[], { excluded }: People): Row['removedRecipients'] {
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
  requireMarketing(plan)
  const [made] = await ctx.db
    .insert(campaigns)
    .values({
      name,
      templateName: draft.templateName,
      language: draft.language,
      secondLanguage: draft.secondLanguage ?? null,
      createdBy: userOf(ctx).id,
      globalVariables: draft.globalVariables ?? null,
      secondVariables: draft.secondVariables ?? null,
      ...declarationOf(ctx, draft),
      audience: draft.audience ?? null,
      exclusions: plan.people.exclusions,
      totalRecipients: plan.people.kept.length,
      removedRecipients: removedRowsOf(!draft.audience, draft.excludedPhones ?? [], plan.people),
      hasLinks: draft.hasLinks ?? false,
      linkRedirectUrl: draft.linkRedirectUrl ?? null,
      scheduledAt: scheduledAt ? new Date(scheduledAt) : null,
    })
    .returning({ id: campaigns.id })
  if (!made) throw new Error('The insert answers its row')
  await replaceSends(ctx, made.id, plan.people.kept)
  await emitChange(ctx, made.id, 'created', [
    { field: 'name', from: null, to: name },
    { field: 'totalRecipients', from: null, to: plan.people.kept.length },
    ...(draft.consentSource ? [{ field: 'consentSource', from: null, to: draft.consentSource }] : []),
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
  const {
    name,
    scheduledAt,
    recipients,
    excludedPhones = before.removedRecipients.map(({ phone }) => phone),
    ...changes
  } = body
  const merged = { ...before, ...changes }
  const audience = recipients === undefined ? merged.audience : null
  const kept = recipients ?? (audience === null ? await savedRecipients(ctx, before) : undefined)
  const draft: Draft = { ...merged, audience, excludedPhones, ...(kept === undefined ? {} : { recipients: kept }) }
  const plan = checked(await planOf(ctx, draft))
  // A template whose category has changed since stays, and pauses the campaign where that matters.
  if (merged.templateName !== before.templateName) requireMarketing(plan)
  const { people } = plan
  await replaceSends(ctx, id, people.kept)
  const isSameList = recipients === undefined && audience === null && before.audience === null
  const exclusions = isSameList ? addedUp(before.exclusions ?? {}, people.exclusions) : people.exclusions
  await ctx.db
    .update(campaigns)
    .set({
      ...(name === undefined ? {} : { name }),
      ...(scheduledAt === undefined ? {} : { scheduledAt: scheduledAt ? new Date(scheduledAt) : null }),
      templateName: merged.templateName,
      language: merged.language,
      secondLanguage: merged.secondLanguage ?? null,
      secondVariables: merged.secondVariables ?? null,
      ...(recipients === undefined && body.consentSource === undefined ? {} : declarationOf(ctx, body)),
      hasLinks: merged.hasLinks,
      globalVariables: merged.globalVariables ?? null,
      linkRedirectUrl: merged.linkRedirectUrl ?? null,
      audience,
      exclusions,
      totalRecipients: people.kept.length,
      removedRecipients: removedRowsOf(audience === null, excludedPhones, people),
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

/** A new draft with the same people and values. @throws what creating one throws */
export async function duplicateCampaign(ctx: Ctx, hours: Hours, id: string, name: string): Promise<CampaignDetail> {
  const { removedRecipients, audience, ...row } = await requireRow(ctx, id)
  const saved = audience === null ? await savedRecipients(ctx, { id, removedRecipients }) : []
  const recipients = saved.filter(({ phone }) => phone.startsWith('+'))
  const people = audience === null ? { recipients } : { audience }
  const excludedPhones = removedRecipients.map(({ phone }) => phone)
  return createCampaign(ctx, hours, { ...row, ...people, name, excludedPhones, scheduledAt: null, consentSource: null })
}

export async function deleteCampaign(ctx: Ctx, id: string): Promise<{ success: true }> {
  const row = await lockCampaign(ctx, id)
  if (!mayDelete(row)) throw new AppError('CAMPAIGN_STATE', { status: row.status })
  await ctx.db.delete(campaigns).where(eq(campaigns.id, id))
  await emitChange(ctx, id, 'deleted', [{ field: 'name', from: row.name, to: null }])
  return { success: true }
}

/** A statement of its own after the lock, so that requests at the same moment count each other. */
const countSql = statement(
  'campaign-tests',
  `select count(*)::int as n from whatsapp_messages
   where to_number = $1 and dedupe_key like 'campaign-test:%' and created_at > now() - interval '1 hour'`,
)

/** Sends the message to the phone of the person at the keyboard, in each language. */
export async function sendTest(
  ctx: Ctx,
  publicUrl: string,
  draft: Parsed<typeof testCampaign>['body'],
): Promise<Output<typeof testCampaign>> {
  const { id, phone, name } = ctx.actor.impersonator ?? userOf(ctx)
  const contents = await contentsOf(ctx, draft)
  const person = { name, variables: null }
  const unfilled = (content: CampaignMessage) =>
    unfilledFor(content, person, namelessIn(content.template.shown.language))
  refuseMissing(contents.map((content) => ({ phone, keys: unfilled(content) })))
  await takeNumberLock(ctx.db, 'campaign-tests', id)
  const [row] = await run<{ n: number }>(ctx.db, countSql, [phone])
  const sent = row?.n ?? 0
  if (sent + contents.length > MOST_TESTS) throw new AppError('TOO_MANY_REQUESTS', { retryAfter: 3_600 })
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  // Not a working link: a test can be forwarded.
  const link = draft.hasLinks ? { url: `${publicUrl}/magic-login/test`, token: 'test' } : null
  for (const content of contents) {
    const { language } = content.template.shown
    const message = messageTo(content, person, link, namelessIn(language))
    if (!message) throw new AppError('TEMPLATE_NOT_AVAILABLE', { reason: 'link' })
    const dedupeKey = `campaign-test:${id}:${crypto.randomUUID()}`
    await queueMessage(ctx, { to: { contactId }, message, dedupeKey, by: { type: 'system' } })
  }
  return { phone, messages: contents.length }
}
