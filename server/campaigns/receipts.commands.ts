import type { CampaignDetail } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { mayFollow } from '../conversations/commands.ts'
import type { Ctx } from '../database/context.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { emit, publish } from '../jobs/domain-events.ts'
import { AppError } from '../lib/errors.ts'
import { type Hours, requireCampaign } from './queries.ts'
import { returnRefused } from './settling.commands.ts'

/** Source of a result entered by staff. */
const BY_HAND = 'BY-HAND'

// Forward only; the worker itself records a refusal that is retried.
const receiptSql = statement(
  'campaign-receipts',
  `update template_sends s set status = m.status, whatsapp_message_id = m.message_id,
     sent_at = coalesce(s.sent_at, m.sent_at), delivered_at = m.delivered_at, read_at = m.seen_at, updated_at = now(),
     error_code = case when m.status = 'failed' then m.errors -> -1 ->> 'code' end,
     error_message = case when m.status = 'failed' then m.errors -> -1 ->> 'text' end
   from whatsapp_messages m
   where m.id = s.message_id and m.id = any($1::integer[]) and m.status in ('sent', 'delivered', 'read', 'failed')
     and (s.error_code = '${BY_HAND}' or s.status in ('unknown', 'sent', 'delivered')
       and ${mayFollow('s.status', 'm.status')})
   returning s.campaign_id`,
)
export async function applyReceipts(ctx: JobContext, messageIds: readonly number[]): Promise<void> {
  const rows = await run<{ campaign_id: string }>(ctx.db, receiptSql, [messageIds])
  await returnRefused(ctx, messageIds)
  for (const campaignId of new Set(rows.map((row) => row.campaign_id)))
    await publish(ctx, 'campaign.changed', { campaignId })
}

const settleSql = statement(
  'campaign-settle',
  `update template_sends set status = $3, error_code = '${BY_HAND}', error_message = null, updated_at = now(),
     sent_at = case when $3 = 'sent' then claimed_at end
   where campaign_id = $1 and id = any($2::integer[]) and status = 'unknown' returning id`,
)
/** @throws CAMPAIGN_NOT_FOUND, CAMPAIGN_STATE if none is unknown any more */
export async function settleSends(
  ctx: Ctx,
  hours: Hours,
  id: string,
  { sendIds, status }: { sendIds: readonly number[]; status: 'sent' | 'failed' },
): Promise<CampaignDetail> {
  const { status: at } = await requireCampaign(ctx, hours, id)
  const settled = await run<{ id: number }>(ctx.db, settleSql, [id, sendIds, status])
  if (settled.length === 0) throw new AppError('CAMPAIGN_STATE', { status: at })
  await emit(ctx, {
    name: 'campaign.settled',
    action: 'updated',
    resource: 'campaign',
    id,
    changes: [{ field: 'unknownSends', from: settled.length, to: status }],
  })
  await publish(ctx, 'campaign.changed', { campaignId: id })
  return requireCampaign(ctx, hours, id)
}

const clickSql = statement(
  'campaign-click',
  `update template_sends set clicked_at = coalesce(clicked_at, now()), updated_at = now() where magic_link_id = $1
   returning campaign_id`,
)
/** Records that a person pressed "continue" on the link's page; link previews do not. */
export async function recordClick(ctx: JobContext, linkId: number): Promise<void> {
  for (const row of await run<{ campaign_id: string }>(ctx.db, clickSql, [linkId]))
    await publish(ctx, 'campaign.changed', { campaignId: row.campaign_id })
}

const totalsSql = statement(
  'campaign-totals',
  `update template_campaigns c set total_recipients = n.total, successful_sends = n.good, failed_sends = n.bad
   from (select count(*)::int as total, count(*) filter (where status in ('sent', 'delivered', 'read'))::int as good,
           count(*) filter (where status = 'failed')::int as bad from template_sends where campaign_id = $1) n
   where c.id = $1 and (c.total_recipients, c.successful_sends, c.failed_sends) is distinct from (n.total, n.good, n.bad)`,
)
export async function updateTotals({ db }: { db: Db }, campaignId: string): Promise<void> {
  await run(db, totalsSql, [campaignId])
}

const eraseSql = statement(
  'campaign-forget',
  `update template_sends set recipient_phone = 'erased-' || id, variables = null, contact_id = null,
     error_message = null, whatsapp_message_id = null, magic_link_token = null,
     status = case when status = 'pending' then 'cancelled' else status end where recipient_phone = $1`,
)
const eraseTakenOutSql = statement(
  'campaign-forget-taken-out',
  `update template_campaigns set taken_out = (
     select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(taken_out) one where one ->> 'phone' <> $1)
   where taken_out @> jsonb_build_array(jsonb_build_object('phone', $1::text))`,
)
/** Deletes the person's sends and keeps the counts. */
export async function eraseSendsTo({ db }: { db: Db }, phone: string): Promise<void> {
  await run(db, eraseSql, [phone])
  await run(db, eraseTakenOutSql, [phone])
}
