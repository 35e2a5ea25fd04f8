import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { enqueueMissingWorkers, enqueueWorkers } from './commands.ts'

/** Longer than any call to a provider. */
export const LOST_AFTER_SECONDS = 120

const lostSql = statement(
  'campaign-lost',
  `update template_sends s set updated_at = now(),
     status = case when m.status in ('sent', 'delivered', 'read', 'failed') then m.status else 'unknown' end,
     whatsapp_message_id = m.message_id, sent_at = m.sent_at, delivered_at = m.delivered_at, read_at = m.seen_at,
     error_code = case when m.status in ('sent', 'delivered', 'read') then null else 'LOST' end,
     error_message = case when m.status in ('sent', 'delivered', 'read') then null
       else 'The worker ended before the provider answered' end
   from whatsapp_messages m
   where m.id = s.message_id and s.status = 'sending' and s.claimed_at < now() - $1::integer * interval '1 second'
   returning s.campaign_id`,
)
const withoutWorkerSql = statement(
  'campaign-without-worker',
  `update template_sends set status = 'unknown', error_code = 'LOST', updated_at = now()
   where status = 'sending' and message_id is null and claimed_at < now() - $1::integer * interval '1 second'
   returning campaign_id`,
)
const doneSql = statement(
  'campaign-done',
  `update template_campaigns c set status = 'completed', completed_at = now(), updated_at = now()
   where c.status = 'running' and ($1::uuid is null or c.id = $1)
     and not exists (select from template_sends s where s.campaign_id = c.id and s.status in ('pending', 'sending'))
   returning id`,
)
// Others wait for a later retry.
const dueSql = statement(
  'campaign-due-now',
  `select id from template_campaigns c where status = 'running' and exists (select from template_sends s
     where s.campaign_id = c.id and s.status = 'pending' and coalesce(s.retry_at <= now(), true))`,
)
const runningSql = statement('campaign-running', `select id from template_campaigns where status = 'running'`)

/** Completes campaigns without remaining sends. */
export async function complete(ctx: JobContext, campaignId: string | null = null): Promise<void> {
  for (const { id } of await run<{ id: string }>(ctx.db, doneSql, [campaignId]))
    await publish(ctx, 'campaign.changed', { campaignId: id })
}

/** Marks claims of dead workers as unknown and enqueues missing workers. */
export async function sweepCampaigns(ctx: JobContext, lostAfterSeconds = LOST_AFTER_SECONDS): Promise<void> {
  const lost = await run<{ campaign_id: string }>(ctx.db, lostSql, [lostAfterSeconds])
  lost.push(...(await run<{ campaign_id: string }>(ctx.db, withoutWorkerSql, [lostAfterSeconds])))
  for (const id of new Set(lost.map((row) => row.campaign_id)))
    await publish(ctx, 'campaign.changed', { campaignId: id })
  await complete(ctx)
  for (const { id } of await run<{ id: string }>(ctx.db, dueSql)) await enqueueMissingWorkers(ctx, id)
}

/** Jobs of a dead worker stay active for a while; these are additional. */
export async function enqueueRunningCampaigns(ctx: JobContext): Promise<void> {
  for (const { id } of await run<{ id: string }>(ctx.db, runningSql)) await enqueueWorkers(ctx, id)
}

const nextTrySql = statement(
  'campaign-next-try',
  `select greatest(1, ceil(extract(epoch from min(s.retry_at) - now())))::int as seconds
   from template_sends s join template_campaigns c on c.id = s.campaign_id
   where s.campaign_id = $1 and s.status = 'pending' and s.retry_at > now() and c.status = 'running'
   having count(*) > 0`,
)
/** Seconds until the next retry after a busy provider; null if there is none. */
export async function findNextTry({ db }: { db: Db }, campaignId: string): Promise<number | null> {
  const [row] = await run<{ seconds: number | null }>(db, nextTrySql, [campaignId])
  return row?.seconds ?? null
}
