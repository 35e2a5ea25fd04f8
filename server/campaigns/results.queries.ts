import type { Output } from '@qatra/contract/endpoint'
import type { Lang } from '@qatra/contract/lib/lang'
import { type Fils, toBhd } from '@qatra/contract/lib/money'
import { type getCampaignResults, RESULT_DAYS } from '@qatra/contract/whatsapp/campaigns/campaign-results'
import type { SendStatus } from '@qatra/contract/whatsapp/campaigns/campaigns'
import type { Ctx } from '../database/context.ts'
import { run, statement } from '../database/db.ts'
import { momentCell, type Table, tableOf } from '../lib/table-file.ts'
import { translatorFor } from '../lib/translate.ts'
import { readMessagePrices } from '../site/queries.ts'
import { findState } from '../templates/queries.ts'
import { type CostGroup, costOf, estimateOf } from './cost.ts'
import { nextSends, requireRow, savedRecipients } from './queries.ts'

/** Whether the last campaign before `at` to the person of the send `s` was this one. */
const isLast = (
  at: string,
) => `not exists (select from template_sends later where later.recipient_phone = s.recipient_phone
    and later.sent_at <= ${at} and (later.sent_at, later.id) > (s.sent_at, s.id) and later.status in ('sent', 'delivered', 'read'))`
const within = (at: string) => `${at} > s.sent_at and ${at} <= s.sent_at + interval '${RESULT_DAYS} days'`

// One campaign has a person once, so an order is found once.
const resultsSql = statement(
  'campaign-results',
  `with reached as (
     select id, recipient_phone, contact_id, sent_at from template_sends
     where campaign_id = $1 and sent_at is not null and status in ('sent', 'delivered', 'read')
   )
   select
     (select max(sent_at) + interval '${RESULT_DAYS} days' from reached) as ends_at,
     (select count(*)::int from reached s where exists (select from whatsapp_messages m
        where m.contact_id = s.contact_id and m.direction = 'incoming' and ${within('m.created_at')}
          and ${isLast('m.created_at')})) as replies,
     o.orders, o.revenue
   from (select count(*)::int as orders, coalesce(sum(o.total), 0)::bigint as revenue
     from reached s join users u on u.phone = s.recipient_phone join orders o on o.user_id = u.id
     where o.status <> 'cancelled' and not o.is_test and ${within('o.created_at')} and ${isLast('o.created_at')}) o`,
)

// Meta bills a message when it is delivered; the calling code is all that the price depends on.
const billedSql = statement(
  'campaign-billed',
  `select left(s.recipient_phone, 4) as phone, m.pricing ->> 'category' as category, count(*)::int as count
   from template_sends s join whatsapp_messages m on m.id = s.message_id
   where s.campaign_id = $1 and m.pricing -> 'isBillable' = 'true' and m.status in ('delivered', 'read')
   group by 1, 2`,
)

/** @throws CAMPAIGN_NOT_FOUND */
export async function findResults(ctx: Pick<Ctx, 'db'>, id: string): Promise<Output<typeof getCampaignResults>> {
  const campaign = await requireRow(ctx, id)
  const [row] = await run<{ ends_at: Date | null; replies: number; orders: number; revenue: Fils }>(
    ctx.db,
    resultsSql,
    [id],
  )
  if (!row) throw new Error('The statement answers its counts')
  const people = await savedRecipients(ctx, { id, removedRecipients: [] })
  const category = campaign.category ?? (await findState(ctx, campaign.templateName, campaign.language))?.category ?? ''
  const phones = people.map(({ phone }) => phone)
  const prices = await readMessagePrices(ctx)
  const billed = await run<CostGroup>(ctx.db, billedSql, [id])
  return {
    replies: row.replies,
    orders: row.orders,
    revenue: toBhd(row.revenue),
    endsAt: row.ends_at?.toISOString() ?? null,
    cost: estimateOf(phones, category, prices),
    spent: billed.length === 0 ? null : costOf(billed, prices),
  }
}

const BATCH = 500
/** Streams the result per person of a campaign. */
export function exportSends(
  ctx: Pick<Ctx, 'db'>,
  id: string,
  filters: { status?: SendStatus | 'clicked' | undefined; search?: string | undefined },
  lang: Lang,
): Table {
  const t = translatorFor(lang)
  async function* rows() {
    let after = 0
    for (;;) {
      const batch = await nextSends(ctx, id, filters, after, BATCH)
      yield* batch
      const last = batch.at(-1)
      if (!last || batch.length < BATCH) return
      after = last.id
    }
  }
  return tableOf({
    lang,
    rows: rows(),
    columns: {
      // Without the plus, which spreadsheets read as a formula.
      phone: ({ phone }) => phone.replace(/^\+/, ''),
      name: ({ name }) => name,
      status: ({ status }) => t(`campaignFile.status.${status}`),
      sent: ({ sentAt }) => momentCell(sentAt),
      delivered: ({ deliveredAt }) => momentCell(deliveredAt),
      read: ({ readAt }) => momentCell(readAt),
      clicked: ({ clickedAt }) => momentCell(clickedAt),
      reason: ({ errorCode, errorMessage }) => [errorCode, errorMessage].filter(Boolean).join(': ') || null,
    },
    titleOf: (column) => t(`campaignFile.${column}`),
  })
}
