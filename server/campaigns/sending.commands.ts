import type { Config } from '../config/config.ts'
import { claimMessage } from '../conversations/commands.ts'
import { admitContact } from '../conversations/contacts.commands.ts'
import { isBlockedForAll } from '../conversations/policy.ts'
import { run, statement } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { makeCampaignLink } from '../links/commands.ts'
import type { OutboundMessage } from '../providers/provider.ts'
import { findSendable, findState } from '../templates/queries.ts'
import { type CampaignMessage, languageFor, languagesOf, messageTo, missingFor, type Values } from './filling.ts'
import { isSilentSince } from './people.queries.ts'
import { namelessIn } from './planning.ts'

interface ClaimedSend {
  id: number
  recipient_phone: string
  variables: Values | null
  magic_link_id: number | null
  message_key: string
  template_name: string
  language: string
  second_language: string | null
  global_variables: Values | null
  second_variables: Values | null
  category: string | null
  is_list: boolean
  follows: string | null
  without: string | null
  has_links: boolean
  link_redirect_url: string | null
  created_by: number | null
}

/** Key of the message of the send `s` after so many returns. */
export const messageKey = (returns: string) => `'campaign:' || s.id || ':' || ${returns}`

// Pausing and cancelling lock the campaign: claims wait for that and find it no longer running.
const claimSql = statement(
  'campaign-take',
  `with next as (
     select s.id from template_sends s join template_campaigns c on c.id = s.campaign_id
     where s.campaign_id = $1 and s.status = 'pending' and coalesce(s.retry_at <= now(), true) and c.status = 'running'
     order by s.id limit 1 for update of s skip locked for share of c
   )
   update template_sends s set status = 'sending', claimed_at = now(), claimed_by = $2, attempts = s.attempts + 1,
     updated_at = now()
   from next, template_campaigns c where s.id = next.id and c.id = s.campaign_id
   returning s.id, s.recipient_phone, s.variables, s.magic_link_id, ${messageKey('s.returns')} as message_key, c.template_name, c.language,
     c.second_language, c.global_variables, c.second_variables, c.category, c.audience is null as is_list,
     c.audience #>> '{followUp,campaignId}' as follows, c.audience #>> '{followUp,without}' as without, c.has_links, c.link_redirect_url, c.created_by`,
)
const personSql = statement(
  'campaign-person',
  `select coalesce(u.name, c.name) as name, coalesce(u.language, c.language) as language, c.opted_out_at is not null as is_out,
     ${isBlockedForAll('c')} as is_blocked,
     coalesce(u.role <> 'customer', false) as is_staff, coalesce(not u.is_active, false) as is_off,
     coalesce(u.consent_at is not null and not u.marketing_consent, false) as said_no,
     coalesce(u.marketing_consent, false) as has_agreed,
     $2::uuid is null or ${isSilentSince('$2', '$3::text')} as is_silent
   from contacts c left join users u on u.phone = c.phone and u.erased_at is null where c.id = $1 for share of c`,
)
const skipSql = statement(
  'campaign-skip',
  `update template_sends set status = 'skipped', error_code = $2, contact_id = coalesce($3, contact_id),
     updated_at = now() where id = $1`,
)
const boundSql = statement(
  'campaign-bound',
  `update template_sends set contact_id = $2, message_id = $3, magic_link_id = $4, magic_link_token = $5,
     language = $6 where id = $1`,
)
const unclaimSql = statement(
  'campaign-unclaim',
  `update template_sends set status = 'pending', attempts = attempts - 1, claimed_at = null, claimed_by = null,
     updated_at = now() where id = $1`,
)

/** Why a campaign cannot go on; `code` is the provider's or our own. */
export interface Stop {
  code: string
  text: string
}
type Person = { name: string | null; language: string | null } & Record<
  'is_out' | 'is_blocked' | 'is_staff' | 'is_off' | 'said_no' | 'has_agreed' | 'is_silent',
  boolean
>

export type ClaimResult =
  | { kind: 'none' }
  | { kind: 'skipped' }
  /** The person is pending again, and so are all others. */
  | { kind: 'stopped'; stop: Stop }
  | { kind: 'message'; sendId: number; outbound: OutboundMessage }

/**
 * Claims the next person of a campaign in a transaction that is committed before the provider is called. A crash after
 * it leaves `sending`, which is never sent again. Checks here whether the person still accepts marketing, and has not
 * answered what this campaign follows up.
 */
export async function claimNextSend(
  ctx: JobContext,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  campaignId: string,
  worker: string,
): Promise<ClaimResult> {
  const [row] = await run<ClaimedSend>(ctx.db, claimSql, [campaignId, worker])
  if (!row) return { kind: 'none' }
  const phone = row.recipient_phone
  const contactId = await admitContact(ctx, { phone, businessScopedId: null, name: null })
  const [person] = await run<Person>(ctx.db, personSql, [contactId, row.follows, row.without])
  const skip = async (reason: string): Promise<ClaimResult> => {
    await run(ctx.db, skipSql, [row.id, reason, contactId])
    return { kind: 'skipped' }
  }
  if (!person || person.is_out) return skip('opted-out')
  if (person.is_blocked) return skip('blocked')
  if (person.is_off) return skip('switched-off')
  if (row.has_links && person.is_staff) return skip('staff')
  if (!person.is_silent) return skip('answered')
  const content = await contentOf(ctx, row, person.language)
  if ('code' in content) {
    await run(ctx.db, unclaimSql, [row.id])
    return { kind: 'stopped', stop: content }
  }
  const { shown } = content.template
  const mayGetOffers = row.is_list ? !person.said_no : person.has_agreed
  if (shown.category === 'MARKETING' && !mayGetOffers) return skip('no-consent')
  const link = row.has_links
    ? await makeCampaignLink(ctx, publicUrl, {
        phone,
        campaignId,
        createdBy: row.created_by,
        redirectUrl: row.link_redirect_url,
        replaces: row.magic_link_id,
      })
    : null
  const recipient = { name: person.name, variables: row.variables }
  const nameless = namelessIn(shown.language)
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
    dedupeKey: row.message_key,
    to: phone,
    channel: 'whatsapp',
    type: 'template',
    content: stored.text,
    by: 'campaign',
  })
  if (messageId === null) return skip('taken-before')
  await run(ctx.db, boundSql, [row.id, contactId, messageId, link?.id ?? null, link?.hash ?? null, shown.language])
  const outbound = { to: { phone, businessScopedId: null }, message, reference: String(messageId) }
  return { kind: 'message', sendId: row.id, outbound }
}

/** The message in the language of a person, or why nobody can get it at present. */
async function contentOf(ctx: JobContext, row: ClaimedSend, spoken: string | null): Promise<CampaignMessage | Stop> {
  const language = languageFor(languagesOf({ language: row.language, secondLanguage: row.second_language }), spoken)
  const name = row.template_name
  const stop = (code: string, reason: string): Stop => ({ code, text: [name, language, reason].join(' ') })
  const template = await findSendable(ctx, name, language)
  if (!template) {
    const status = (await findState(ctx, name, language))?.status ?? 'DELETED'
    return stop('template-unavailable', status)
  }
  // More people agreed to notices than to offers, and offers cost more.
  if (template.shown.category === 'MARKETING' && row.category !== null && row.category !== 'MARKETING')
    return stop('template-category', 'MARKETING')
  const globalVariables = language === row.language ? row.global_variables : row.second_variables
  const content = { template, globalVariables, hasLinks: row.has_links }
  const missing = missingFor(content, row.variables)
  return missing.length === 0 ? content : stop('template-changed', missing.join(', '))
}
