import { cut } from '@qatra/contract/lib/fit'
import { nearestFils } from '@qatra/contract/lib/money'
import type { Audience } from '@qatra/contract/whatsapp/campaigns/audience'
import { type ExclusionReason, exclusionReasons } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { isBlockedForAll } from '../conversations/policy.ts'
import { type Db, run, statement } from '../database/db.ts'
import { parsePhone } from '../lib/phone.ts'
import type { Values } from './filling.ts'

export interface Found {
  phone: string
  contactId: number | null
  name: string | null
  /** Null if it is not known. */
  language: string | null
  variables: Values | null
  lastOrderAt: Date | null
}
export type LeftOut = Omit<Found, 'contactId'> & { reason: ExclusionReason }
export interface People {
  kept: Found[]
  excluded: LeftOut[]
  exclusions: Partial<Record<ExclusionReason, number>>
}
interface Row {
  phone: string
  contact_id: number | null
  name: string | null
  language: string | null
  last_order_at: Date | null
  reason: ExclusionReason | null
}

/** Exclusion reasons: no links to staff, no marketing after an opt-out, and by a filter only with an opt-in. */
const reasonOf = (isMarketing: string, hasLinks: string, mustHaveAgreed: string) => `
  case when u.role <> 'customer' and ${hasLinks} then 'staff'
       when not u.is_active then 'switched-off'
       when c.opted_out_at is not null then 'opted-out'
       when ${isBlockedForAll('c')} then 'blocked'
       when ${isMarketing} and not u.marketing_consent and (u.consent_at is not null or ${mustHaveAgreed})
         then 'no-consent' end`

/**
 * A condition on the user `u` and the contact `c`: got the message of this campaign, and since then has not ordered, or
 * (`answer`) has neither ordered nor written.
 */
export const isSilentSince = (campaignId: string, without: string) => `
  exists (select from template_sends s where s.campaign_id = ${campaignId} and s.recipient_phone = u.phone
    and s.status in ('sent', 'delivered', 'read')
    and not exists (select from orders o where o.user_id = u.id and o.status <> 'cancelled' and o.created_at > s.sent_at)
    and (${without} = 'order' or not exists (select from whatsapp_conversation_threads k where k.contact_id = c.id
      and k.last_incoming_at > s.sent_at)))`

const listSql = statement(
  'campaign-recipients',
  `select n.phone, c.id as contact_id, coalesce(u.name, c.name) as name, coalesce(u.language, c.language) as language,
     t.last_order_at, ${reasonOf('$2', '$3', 'false')} as reason
   from unnest($1::text[]) with ordinality as n (phone, place)
   left join contacts c on c.phone = n.phone
   left join users u on u.phone = n.phone and u.erased_at is null
   left join customer_totals t on t.user_id = u.id and t.vendor_id = 0
   order by n.place`,
)
const audienceSql = statement(
  'campaign-audience',
  `select u.phone, c.id as contact_id, coalesce(u.name, c.name) as name, u.language, t.last_order_at,
     ${reasonOf('$1', '$2', 'true')} as reason
   from customer_totals t
   join users u on u.id = t.user_id
   left join contacts c on c.phone = u.phone
   where t.vendor_id = 0 and u.erased_at is null and u.role = 'customer'
     and ($3::integer[] is null or $15::integer is not null or exists (select from customer_totals v
       where v.user_id = u.id and v.vendor_id = any($3) and v.order_count > 0))
     and ($4::integer[] is null or coalesce((select o.area_id from orders o where o.user_id = u.id
       order by o.created_at desc limit 1), (select r.area_id from customer_import_rows r where r.user_id = u.id
       and r.area_id is not null order by r.import_id desc limit 1)) = any($4))
     and ($5::integer is null or t.last_order_at >= now() - $5 * interval '1 day')
     -- Who holds bottles may never have ordered here, and orders elsewhere return none.
     and ($6::integer is null or case when $15::integer is null then t.last_order_at < now() - $6 * interval '1 day'
       else not exists (select from customer_totals v where v.user_id = u.id and v.vendor_id <> 0
         and ($3::integer[] is null or v.vendor_id = any($3)) and v.last_order_at >= now() - $6 * interval '1 day') end)
     and ($7::bigint is null or t.spend >= $7)
     and ($8::bigint is null or t.spend <= $8)
     and ($9::text is null or u.language = $9)
     and (not $10::boolean or t.order_count = 0)
     and ($11::text[] is null or exists (select from whatsapp_conversation_threads k where k.contact_id = c.id and k.labels && $11))
     and ($12::integer is null or (coalesce(t.last_order_at, '-infinity') < now() - $12 * interval '1 day'
       and not exists (select from whatsapp_conversation_threads k where k.contact_id = c.id
         and k.last_incoming_at >= now() - $12 * interval '1 day')))
     and ($13::uuid is null or ${isSilentSince('$13', '$14::text')}
       -- Nobody is followed up twice.
       and not exists (select from template_sends f join template_campaigns g on g.id = f.campaign_id
         where f.recipient_phone = u.phone and f.status not in ('failed', 'skipped', 'cancelled')
         and g.started_at is not null and g.audience #>> '{followUp,campaignId}' = $13::text))
     and ($15::integer is null or exists (select from bottle_balances b where b.customer_id = u.id
       and ($3::integer[] is null or b.vendor_id = any($3)) and b.held >= $15))
   order by u.id`,
)

export interface Rules {
  isMarketing: boolean
  hasLinks: boolean
  /** Phones removed by hand. */
  removedRecipients: ReadonlySet<string>
}

/** An uploaded list without invalid and duplicate numbers; keeps the first of duplicates. */
export async function peopleOfList(
  db: Db,
  list: readonly { phone: string; variables?: Values | undefined }[],
  { isMarketing, hasLinks, removedRecipients }: Rules,
): Promise<People> {
  const excluded: People['excluded'] = []
  const unknownPerson = { name: null, language: null, variables: null, lastOrderAt: null }
  const once = new Map<string, Values | null>()
  for (const { phone: written, variables } of list) {
    const parsed = parsePhone(written)
    if (!parsed.ok) excluded.push({ ...unknownPerson, phone: cut(written, 40), reason: 'malformed' })
    else if (once.has(parsed.phone)) excluded.push({ ...unknownPerson, phone: parsed.phone, reason: 'repeated' })
    else once.set(parsed.phone, variables ?? null)
  }
  const rows = await run<Row>(db, listSql, [[...once.keys()], isMarketing, hasLinks])
  return splitByReason(rows, { excluded, removedRecipients, valuesOf: (phone) => once.get(phone) ?? null })
}

const orNull = <T>(list: readonly T[] | undefined) => (list === undefined || list.length === 0 ? null : list)
const inFils = (bhd: number | undefined) => (bhd === undefined ? null : nearestFils(bhd))

export async function peopleOfAudience(
  db: Db,
  audience: Audience,
  { isMarketing, hasLinks, removedRecipients }: Rules,
): Promise<People> {
  const { areaIds, vendorIds, orderedWithinDays, notOrderedForDays, minSpend, maxSpend, language } = audience
  const { neverOrdered = false, labels, silentForDays, followUp, minBottles } = audience
  const rows = await run<Row>(db, audienceSql, [
    isMarketing,
    hasLinks,
    orNull(vendorIds),
    orNull(areaIds),
    orderedWithinDays ?? null,
    notOrderedForDays ?? null,
    inFils(minSpend),
    inFils(maxSpend),
    language ?? null,
    neverOrdered,
    orNull(labels),
    silentForDays ?? null,
    followUp?.campaignId ?? null,
    followUp?.without ?? null,
    minBottles ?? null,
  ])
  return splitByReason(rows, { excluded: [], removedRecipients, valuesOf: () => null })
}

interface Selection {
  /** People excluded already. */
  excluded: readonly LeftOut[]
  removedRecipients: ReadonlySet<string>
  valuesOf: (phone: string) => Values | null
}

function splitByReason(rows: readonly Row[], { excluded: before, removedRecipients, valuesOf }: Selection): People {
  const excluded = [...before]
  const kept: Found[] = []
  for (const { phone, contact_id: contactId, name, language, last_order_at: lastOrderAt, reason: rule } of rows) {
    const reason = rule ?? (removedRecipients.has(phone) ? 'taken-out' : null)
    const found = { phone, name, language, variables: valuesOf(phone), lastOrderAt }
    if (reason) excluded.push({ ...found, reason })
    else kept.push({ ...found, contactId })
  }
  const exclusions: People['exclusions'] = {}
  for (const reason of exclusionReasons) {
    const count = excluded.filter((one) => one.reason === reason).length
    if (count > 0) exclusions[reason] = count
  }
  return { kept, excluded, exclusions }
}
