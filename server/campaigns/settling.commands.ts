import { fit } from '@qatra/contract/lib/fit'
import { recordOutcome } from '../conversations/commands.ts'
import { MARKETING_LIMIT, REPEAT_AFTER_SECONDS } from '../conversations/repeating.commands.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { emit, publish } from '../jobs/domain-events.ts'
import type { OutboundMessage, Outcome } from '../providers/provider.ts'
import { enqueueMissingWorkers } from './commands.ts'
import { slowDown } from './send-rate.commands.ts'
import { messageKey, type Stop } from './sending.commands.ts'

/** Attempts while the provider is busy; 5 s doubled each time. */
const MAX_ATTEMPTS = 7
/** How often a person whose message was accepted and then refused as busy is tried again. */
const MAX_RETURNS = 3

const acceptedSql = statement(
  'campaign-accepted',
  `update template_sends s set status = case when m.status in ('delivered', 'read', 'failed') then m.status else 'sent' end,
     whatsapp_message_id = m.message_id, sent_at = coalesce(m.sent_at, now()), delivered_at = m.delivered_at,
     read_at = m.seen_at, retry_at = null, updated_at = now(),
     error_code = case when m.status = 'failed' then m.errors -> -1 ->> 'code' end,
     error_message = case when m.status = 'failed' then m.errors -> -1 ->> 'text' end
   from whatsapp_messages m where s.id = $1 and m.id = s.message_id and s.status in ('sending', 'unknown')
   returning s.status`,
)
const refusedSql = statement(
  'campaign-refused',
  `update template_sends set status = $2, error_code = $3, error_message = $4, updated_at = now()
   where id = $1 and status in ('sending', 'unknown')`,
)
const shareSql = statement(
  'campaign-share',
  `select c.id, c.status, s.attempts from template_sends s join template_campaigns c on c.id = s.campaign_id
   where s.id = $1 for share of c`,
)
const holdSql = statement(
  'campaign-hold',
  `select c.id, c.status, s.attempts from template_sends s join template_campaigns c on c.id = s.campaign_id
   where s.id = $1 for update of c`,
)
const backSql = statement(
  'campaign-back',
  `update template_sends set status = $2, retry_at = now() + $3::integer * interval '1 second', error_code = $4,
     error_message = $5, attempts = attempts - $6::integer, updated_at = now()
   where id = $1 and status = 'sending'`,
)
// Completed ones too: a receipt can return people after the last send.
const stopSql = statement(
  'campaign-stop',
  `update template_campaigns c set status = 'paused', paused_at = now(), completed_at = null, status_code = $2,
     status_reason = $3, updated_at = now()
   where id = $1 and (status = 'running' or status = 'completed'
     and exists (select from template_sends where campaign_id = c.id and status = 'pending')) returning id`,
)

/**
 * Pauses a campaign that cannot go on; people who were not reached stay pending. Publishes `campaign.stopped`
 * {campaignId}, which notifies staff.
 */
export async function stopCampaign(ctx: JobContext, id: string, { code, text }: Stop): Promise<void> {
  const [row] = await run<{ id: string }>(ctx.db, stopSql, [id, code, fit(`${code}: ${text}`, 300)])
  if (!row) return
  await emit(
    { ...ctx, authors: { changedBy: null, onBehalfOf: null }, client: { ip: null, userAgent: null } },
    {
      name: 'campaign.paused',
      action: 'paused',
      resource: 'campaign',
      id,
      changes: [{ field: 'status', from: 'running', to: 'paused' }],
    },
  )
  await publish(ctx, 'campaign.changed', { campaignId: id })
  await publish(ctx, 'campaign.stopped', { campaignId: id })
}

/** Stores the provider's response to a send. Only messages certainly not accepted are retried. */
export async function settle(
  ctx: JobContext,
  sendId: number,
  outbound: OutboundMessage,
  outcome: Outcome,
): Promise<void> {
  const messageId = Number(outbound.reference)
  if (outcome.ok) {
    await recordOutcome(ctx, messageId, outcome)
    const [send] = await run<{ status: string }>(ctx.db, acceptedSql, [sendId])
    // A receipt can arrive before the response.
    if (send?.status === 'failed') await returnRefused(ctx, [messageId])
    return
  }
  const { kind, error } = outcome
  const isStopped = kind === 'stopped' || kind === 'template'
  const isSlow = kind === 'busy' && outcome.isAccountWide === true
  const isLimited = error.code === MARKETING_LIMIT
  const isHeld = isStopped || isLimited
  // Locks the campaign before its sends, in the same order as button presses.
  const [at] =
    isHeld || kind === 'busy'
      ? await run<{ id: string; status: string; attempts: number }>(ctx.db, isHeld ? holdSql : shareSql, [sendId])
      : []
  await recordOutcome(ctx, messageId, outcome)
  if (!at || isLimited || !(isStopped || isSlow || at.attempts < MAX_ATTEMPTS)) {
    await run(ctx.db, refusedSql, [sendId, kind === 'unknown' ? 'unknown' : 'failed', error.code, error.text])
    if (isLimited) await returnRefused(ctx, [messageId])
    return
  }
  const seconds = isStopped ? 0 : Math.min(3_600, outcome.retryAfter ?? 5 * 2 ** (at.attempts - 1))
  const status = at.status === 'cancelled' ? 'cancelled' : 'pending'
  // What concerns everybody does not count against this person.
  const uncounted = isStopped || isSlow ? 1 : 0
  await run(ctx.db, backSql, [sendId, status, seconds, error.code, error.text, uncounted])
  if (isSlow) await slowDown(ctx, seconds, error.code)
  if (isStopped) await stopCampaign(ctx, at.id, error)
}

// By response or receipt, and not for an earlier message of the same send.
const isLimitedOnce = `e.code = '${MARKETING_LIMIT}' and not exists (select from whatsapp_messages earlier
    where earlier.dedupe_key = any(array(select ${messageKey('n')} from generate_series(0, s.returns - 1) n))
      and earlier.errors @> '[{"code": "${MARKETING_LIMIT}"}]')`
const refusals = `
  from whatsapp_messages m cross join lateral (select m.errors -> -1 ->> 'kind' as kind, m.errors -> -1 ->> 'code' as code,
    m.errors -> -1 ->> 'text' as text) e, template_campaigns c
  where m.id = s.message_id and s.message_id = any($1::integer[]) and m.status = 'failed'
    and s.status = 'failed' and c.id = s.campaign_id and c.status <> 'cancelled'
    and (${isLimitedOnce} or m.message_id is not null
      and (e.kind in ('stopped', 'template') or e.kind = 'busy' and s.returns < ${MAX_RETURNS}))`
const returnableSql = statement(
  'campaign-returnable',
  `select id from template_campaigns where id in (
     select s.campaign_id from template_sends s cross join lateral (select 1 ${refusals}) r) order by id for update`,
)
const returnSql = statement(
  'campaign-return',
  `update template_sends s set status = 'pending', returns = s.returns + 1, attempts = 0, message_id = null,
     whatsapp_message_id = null, sent_at = null, delivered_at = null, read_at = null, error_code = e.code,
     error_message = e.text, updated_at = now(),
     retry_at = now() + case when e.code = '${MARKETING_LIMIT}' then ${REPEAT_AFTER_SECONDS} when e.kind = 'busy' then 60 end
       * interval '1 second'
   ${refusals} returning s.campaign_id, e.kind, e.code, e.text`,
)
const reopenSql = statement(
  'campaign-reopen',
  `update template_campaigns set status = 'running', completed_at = null, updated_at = now()
   where id = $1 and status = 'completed'`,
)

/**
 * Makes people pending again whose message was accepted and then refused by a receipt for a reason that concerns all
 * messages, or once because of Meta's marketing limit. A failed message never arrives, so nobody gets two.
 */
export async function returnRefused(ctx: JobContext, messageIds: readonly number[]): Promise<void> {
  // Campaigns are locked before their sends.
  if ((await run(ctx.db, returnableSql, [messageIds])).length === 0) return
  const returned = await run<{ campaign_id: string; kind: string; code: string; text: string }>(ctx.db, returnSql, [
    messageIds,
  ])
  for (const { campaign_id: id, kind, code, text } of returned) {
    const isLimited = code === MARKETING_LIMIT
    if (kind !== 'busy' && !isLimited) {
      await stopCampaign(ctx, id, { code, text })
      continue
    }
    await run(ctx.db, reopenSql, [id])
    // What is due later is found by the sweeper.
    if (!isLimited) await enqueueMissingWorkers(ctx, id, { inSeconds: 60 })
  }
}
