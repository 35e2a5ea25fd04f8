import type { Config } from '../config/config.ts'
import { claimMessage, noteOutcome } from '../conversations/commands.ts'
import { admitContact } from '../conversations/contacts.commands.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { publish } from '../jobs/domain-events.ts'
import { makeCampaignLink } from '../links/commands.ts'
import type { OutboundMessage, Outcome } from '../providers/provider.ts'
import { findSendable } from '../templates/queries.ts'
import { callMissingWorkers, callWorkers } from './commands.ts'
import { messageTo, type Values } from './filling.ts'
import { namelessIn } from './planning.ts'

/** Attempts while the provider is busy; 5 s doubled each time. */
const MAX_ATTEMPTS = 7
/** Longer than any call to a provider. */
export const LOST_AFTER_SECONDS = 120

interface Taken {
  id: number
  recipient_phone: string
  variables: Values | null
  magic_link_id: number | null
  template_name: string
  language: string
  global_variables: Values | null
  has_links: boolean
  link_redirect_url: string | null
  created_by: number | null
}

// Pausing and cancelling lock the campaign: claims wait for that and find it no longer running.
const takeSql = statement(
  'campaign-take',
  `with next as (
     select s.id from template_sends s join template_campaigns c on c.id = s.campaign_id
     where s.campaign_id = $1 and s.status = 'pending' and coalesce(s.retry_at <= now(), true) and c.status = 'running'
     order by s.id limit 1 for update of s skip locked for share of c
   )
   update template_sends s set status = 'sending', claimed_at = now(), claimed_by = $2, attempts = s.attempts + 1,
     updated_at = now()
   from next, template_campaigns c where s.id = next.id and c.id = s.campaign_id
   returning s.id, s.recipient_phone, s.variables, s.magic_link_id, c.template_name, c.language, c.global_variables,
     c.has_links, c.link_redirect_url, c.created_by`,
)
const personSql = statement(
  'campaign-person',
  `select coalesce(u.name, c.name) as name, c.opted_out_at is not null as is_out,
     coalesce(u.role <> 'customer', false) as is_staff, coalesce(not u.is_active, false) as is_off,
     coalesce(u.consent_at is not null and not u.marketing_consent, false) as said_no
   from contacts c left join users u on u.phone = c.phone and u.erased_at is null where c.id = $1 for share of c`,
)
const skipSql = statement(
  'campaign-skip',
  `update template_sends set status = 'skipped', error_code = $2, contact_id = coalesce($3, contact_id),
     updated_at = now() where id = $1`,
)
const boundSql = statement(
  'campaign-bound',
  `update template_sends set contact_id = $2, message_id = $3, magic_link_id = $4, magic_link_token = $5 where id = $1`,
)

export type Took =
  | { kind: 'none' }
  | { kind: 'skipped' }
  | { kind: 'message'; sendId: number; outbound: OutboundMessage }

/**
 * Claims the next person of a campaign in a transaction that is committed before the provider is called. A crash after
 * it leaves `sending`, which is never sent again. Checks here whether the person still accepts marketing.
 */
export async function takeNext(
  ctx: JobContext,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  campaignId: string,
  worker: string,
): Promise<Took> {
  const [row] = await run<Taken>(ctx.db, takeSql, [campaignId, worker])
  if (!row) return { kind: 'none' }
  const phone = row.recipient_phone
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  const template = await findSendable(ctx, row.template_name, row.language)
  const [person] = await run<{ name: string | null } & Record<'is_out' | 'is_staff' | 'is_off' | 'said_no', boolean>>(
    ctx.db,
    personSql,
    [contactId],
  )
  const skip = async (reason: string): Promise<Took> => {
    await run(ctx.db, skipSql, [row.id, reason, contactId])
    return { kind: 'skipped' }
  }
  if (!template || !person) return skip('template-not-available')
  if (person.is_out) return skip('opted-out')
  if (person.is_off) return skip('switched-off')
  if (row.has_links && person.is_staff) return skip('staff')
  if (template.shown.category === 'MARKETING' && person.said_no) return skip('no-consent')
  const link = row.has_links
    ? await makeCampaignLink(ctx, publicUrl, {
        phone,
        campaignId,
        createdBy: row.created_by,
        redirectUrl: row.link_redirect_url,
        replaces: row.magic_link_id,
      })
    : null
  const content = { template, globalVariables: row.global_variables, hasLinks: row.has_links }
  const recipient = { name: person.name, variables: row.variables }
  const nameless = namelessIn(row.language)
  const message = messageTo(content, recipient, link, nameless)
  // As stored: without a usable link.
  const stored = messageTo(
    content,
    recipient,
    link && { url: `${publicUrl}/magic-login/••••`, token: '••••' },
    nameless,
  )
  if (!message || !stored) return skip('variables-missing')
  const messageId = await claimMessage(ctx, {
    dedupeKey: `campaign:${row.id}`,
    to: phone,
    channel: 'whatsapp',
    type: 'template',
    content: stored.text,
    by: 'campaign',
  })
  if (messageId === null) return skip('taken-before')
  await run(ctx.db, boundSql, [row.id, contactId, messageId, link?.id ?? null, link?.hash ?? null])
  const outbound = { to: { phone, businessScopedId: null }, message, reference: String(messageId) }
  return { kind: 'message', sendId: row.id, outbound }
}

const acceptedSql = statement(
  'campaign-accepted',
  `update template_sends s set status = case when m.status in ('delivered', 'read', 'failed') then m.status else 'sent' end,
     whatsapp_message_id = m.message_id, sent_at = coalesce(m.sent_at, now()), delivered_at = m.delivered_at,
     read_at = m.seen_at, retry_at = null, updated_at = now(),
     error_code = case when m.status = 'failed' then m.errors -> -1 ->> 'code' end,
     error_message = case when m.status = 'failed' then m.errors -> -1 ->> 'text' end
   from whatsapp_messages m where s.id = $1 and m.id = s.message_id and s.status in ('sending', 'unknown')`,
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
     error_message = $5, updated_at = now()
   where id = $1 and status = 'sending'`,
)
const stopSql = statement(
  'campaign-stop',
  `update template_campaigns set status = 'paused', paused_at = now(), status_reason = $2, updated_at = now()
   where id = $1 and status = 'running' returning id`,
)

/** Stores the provider's response to a send. Only messages certainly not accepted are retried. */
export async function settle(
  ctx: JobContext,
  sendId: number,
  outbound: OutboundMessage,
  outcome: Outcome,
): Promise<void> {
  if (outcome.ok) {
    await noteOutcome(ctx, Number(outbound.reference), outcome)
    await run(ctx.db, acceptedSql, [sendId])
    return
  }
  const { kind, error } = outcome
  const isAgain = kind === 'busy' || kind === 'stopped'
  // Locks the campaign before its sends, in the same order as button presses.
  const [at] = isAgain
    ? await run<{ id: string; status: string; attempts: number }>(ctx.db, kind === 'stopped' ? holdSql : shareSql, [
        sendId,
      ])
    : []
  await noteOutcome(ctx, Number(outbound.reference), outcome)
  if (at && (kind === 'stopped' || at.attempts < MAX_ATTEMPTS)) {
    const seconds = kind === 'stopped' ? 0 : (outcome.retryAfter ?? 5 * 2 ** (at.attempts - 1))
    const status = at.status === 'cancelled' ? 'cancelled' : 'pending'
    await run(ctx.db, backSql, [sendId, status, Math.min(3_600, seconds), error.code, error.text])
    if (kind === 'stopped') {
      await run(ctx.db, stopSql, [at.id, `${error.code}: ${error.text}`.slice(0, 300)])
      await publish(ctx, 'campaign.changed', { campaignId: at.id })
    }
    return
  }
  await run(ctx.db, refusedSql, [sendId, kind === 'unknown' ? 'unknown' : 'failed', error.code, error.text])
}

const paceSql = statement(
  'campaign-pace',
  `insert into campaign_pace as p (id, next_at) values (1, clock_timestamp() + $1::float8 * interval '1 second')
   on conflict (id) do update set next_at =
     greatest(p.next_at, clock_timestamp()) + $1::float8 * interval '1 second'
   returning greatest(0, extract(epoch from
     p.next_at - $1::float8 * interval '1 second' - clock_timestamp()) * 1000)::float8 as wait`,
)

/** Reserves calls on the clock shared by all processes; returns the milliseconds until they may start. */
export async function reserve({ db }: { db: Db }, calls: number, perSecond: number): Promise<number> {
  const [row] = await run<{ wait: number }>(db, paceSql, [calls / perSecond])
  return row?.wait ?? 0
}

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
  'campaign-homeless',
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
const dueSql = statement(
  'campaign-due',
  `update template_campaigns set status = 'running', started_at = now(), updated_at = now()
   where status = 'scheduled' and scheduled_at <= now() returning id`,
)
const runningSql = statement('campaign-running', `select id from template_campaigns where status = 'running'`)

/** Completes campaigns without remaining sends. */
export async function complete(ctx: JobContext, campaignId: string | null = null): Promise<void> {
  for (const { id } of await run<{ id: string }>(ctx.db, doneSql, [campaignId]))
    await publish(ctx, 'campaign.changed', { campaignId: id })
}

/** Marks claims of dead workers as unknown, starts due campaigns and enqueues missing workers. */
export async function sweepCampaigns(ctx: JobContext, lostAfterSeconds = LOST_AFTER_SECONDS): Promise<void> {
  const lost = await run<{ campaign_id: string }>(ctx.db, lostSql, [lostAfterSeconds])
  lost.push(...(await run<{ campaign_id: string }>(ctx.db, withoutWorkerSql, [lostAfterSeconds])))
  for (const id of new Set(lost.map((row) => row.campaign_id)))
    await publish(ctx, 'campaign.changed', { campaignId: id })
  for (const { id } of await run<{ id: string }>(ctx.db, dueSql))
    await publish(ctx, 'campaign.changed', { campaignId: id })
  await complete(ctx)
  for (const { id } of await run<{ id: string }>(ctx.db, runningSql)) await callMissingWorkers(ctx, id)
}

/** Jobs of a dead worker stay active for a while; these are additional. */
export async function enqueueRunningCampaigns(ctx: JobContext): Promise<void> {
  for (const { id } of await run<{ id: string }>(ctx.db, runningSql)) await callWorkers(ctx, id)
}

const nextTrySql = statement(
  'campaign-next-try',
  `select greatest(1, ceil(extract(epoch from min(s.retry_at) - now())))::int as seconds
   from template_sends s join template_campaigns c on c.id = s.campaign_id
   where s.campaign_id = $1 and s.status = 'pending' and s.retry_at > now() and c.status = 'running'`,
)
/** Seconds until the next retry after a busy provider; null if there is none. */
export async function findNextTry({ db }: { db: Db }, campaignId: string): Promise<number | null> {
  const [row] = await run<{ seconds: number | null }>(db, nextTrySql, [campaignId])
  return row?.seconds ?? null
}
