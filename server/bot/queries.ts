import { isLang, type Lang } from '@qatra/contract/lib/lang'
import { isBlockedForAll } from '../conversations/policy.ts'
import { type Db, run, statement } from '../database/db.ts'
import { mapLinkIn, pointInLink } from '../geocoding/map-links.ts'
import type { Delivery, Incoming, Person } from './dialogue/turn-context.ts'
import { MAX_GATHERED } from './gathering.ts'
import type { BotStatus } from './policy.ts'

export interface Account {
  id: number
  phone: string
  name: string | null
  language: Lang
  isActive: boolean
  isVerified: boolean
  hasOpenOrder?: boolean
}

/** The oldest unprocessed messages with all data of a turn except the cart. */
export interface Waiting extends Omit<BotStatus, 'isLoggingIn' | 'isOptedOut'> {
  contactId: number
  messages: readonly [WaitingMessage, ...WaitingMessage[]]
  person: Person
  account: Account | null
  language: Lang
  memory: Record<string, unknown> | null
  /** An earlier message of the same person is not stored yet. */
  isBehind: boolean
  /** The bot stopped because a robot answered it, and no person has answered since. */
  isRobot: boolean
  isBlocked: boolean
}

export interface WaitingMessage extends Incoming, Pick<BotStatus, 'isLoggingIn' | 'isOptedOut'> {}

// Locks the contact first, in the same order as incoming messages.
const lockSql = statement(
  'bot-hold',
  `with contact as materialized (
     select id from contacts where id = coalesce((select contact_id from whatsapp_messages where id = $1), $2)
     for key share)
   select t.contact_id from contact join whatsapp_conversation_threads t on t.contact_id = contact.id for update of t`,
)

/**
 * Locks the contact of a message until the transaction ends, so its messages are processed one at a time. Null if it
 * was deleted.
 */
export async function lockContact(
  db: Db,
  { messageId, contactId }: { messageId: number; contactId: number },
): Promise<number | null> {
  const [row] = await run<{ contact_id: number }>(db, lockSql, [messageId, contactId])
  return row?.contact_id ?? null
}

/** The customer of a conversation with the account, saved addresses and the state of the conversation. */
const CUSTOMER = `c.id as "contactId", c.phone, c.name as "profileName", c.language as "contactLanguage",
     case when u.id is not null then json_build_object('id', u.id, 'phone', u.phone, 'name', u.name,
       'language', u.language, 'isActive', u.is_active, 'isVerified', u.is_verified,
       'hasOpenOrder', exists (select from orders o where o.user_id = u.id and o.status not in ('delivered','cancelled'))) end as account,
     (select coalesce(json_agg(json_build_object('id', a.id, 'label', a.label, 'address', a.address,
          'addressParts', a.address_parts, 'notes', a.instructions, 'receiverName', a.receiver_name,
          'receiverPhone', a.receiver_phone, 'pinSource', a.pin_source,
          'point', case when a.lat <> 0 or a.lng <> 0 then json_build_object('lat', a.lat, 'lng', a.lng) end)
        order by a.is_default desc, a.used_at desc, a.id desc), '[]')
      from addresses a where a.user_id = u.id) as addresses, s.language,
     s.context_data as memory`
const OF_CONTACT = `join whatsapp_conversation_threads t on t.contact_id = c.id
   left join users u on u.phone = c.phone and u.erased_at is null
   left join bot_sessions s on s.contact_id = c.id`

// `isOptedOut` also after the job of an opt-in word has changed it, which leaves its reply.
// Messages of half a day ago are left out, but for the one of the job: they may be from before the bot was on. Providers report whole seconds, so messages within
// one second are ordered by arrival; `isBehind` while an earlier event is still unprocessed.
const waitingSql = statement(
  'bot-waiting',
  `select m.id, m.message_type as type, coalesce(m.content, '') as content, coalesce(m.payload, '{}') as parts,
     coalesce(m.timestamp, m.created_at) as at, m.created_at as "receivedAt", clock_timestamp() as now,
     ${CUSTOMER}, coalesce(t.handoff_at is not null and t.handoff_reason = 'robot', false) as "isRobot",
     ${isBlockedForAll('c')} as "isBlocked",
     t.paused_until as "pausedUntil", t.handoff_at as "handoffAt", t.human_replied_at as "humanRepliedAt",
     exists (select from whatsapp_webhook_events b where b.id < e.id and b.event_type = 'message'
       and b.status in ('received', 'processing') and b.created_at > now() - interval '10 seconds'
       and (b.sender_phone = c.phone or b.sender_scoped_id = c.business_scoped_id)) as "isBehind",
     exists (select from message_logins p where p.phone = m.from_number and p.asked_at is not null
       and (p.answer_message_id = m.id or p.answered_at is null and p.expires_at > now())) as "isLoggingIn",
     c.opted_out_at is not null
       or exists (select from whatsapp_messages o where o.dedupe_key = 'opt-word:' || m.id) as "isOptedOut",
     coalesce(
       (select o.sent_by_type = 'campaign' from whatsapp_messages o where o.message_id = m.context_message_id),
       m.context_message_id is null and (select o.sent_by_type from whatsapp_messages o
         where (o.contact_id = c.id or o.to_number = c.phone) and o.direction = 'outgoing' and o.channel = 'whatsapp' and o.id < m.id
           and o.created_at > m.created_at - interval '3 days'
         order by o.id desc limit 1) = 'campaign',
       false) as "isReplyToOffer"
   from whatsapp_messages m
   join contacts c on c.id = m.contact_id
   ${OF_CONTACT}
   left join whatsapp_webhook_events e on e.webhook_id = 'message:' || m.message_id
   where m.contact_id = $1 and m.direction = 'incoming' and not m.processed and m.channel = 'whatsapp'
     and (m.created_at > now() - interval '12 hours' or m.id = $2)
   order by m.timestamp, e.id, m.id limit ${MAX_GATHERED + 1}`,
)

interface CustomerRow {
  contactId: number
  account: Account | null
  phone: string | null
  profileName: string | null
  contactLanguage: string | null
  addresses: readonly Delivery[]
  language: Lang | null
  memory: Record<string, unknown> | null
}

const customerOf = (row: CustomerRow) => {
  const { contactId, phone, profileName, contactLanguage, account, addresses, language, memory } = row
  return {
    contactId,
    account,
    memory,
    person: { phone, profileName, account: account && { ...account, addresses } },
    language: language ?? account?.language ?? (isLang(contactLanguage) ? contactLanguage : 'ar'),
  }
}

const customerSql = statement('bot-customer', `select ${CUSTOMER} from contacts c ${OF_CONTACT} where c.id = $1`)

/** The customer of a conversation; null if there is no conversation. */
export async function findCustomer(db: Db, contactId: number) {
  const [row] = await run<CustomerRow>(db, customerSql, [contactId])
  return row ? customerOf(row) : null
}

interface WaitingRow extends BotStatus, Incoming, CustomerRow {
  isBehind: boolean
  isRobot: boolean
  isBlocked: boolean
}

const messageOf = ({
  id,
  type,
  content,
  parts,
  at,
  receivedAt,
  isLoggingIn,
  isOptedOut,
  isReplyToOffer = false,
}: WaitingRow): WaitingMessage => ({
  id,
  // What was heard is read as if it were written.
  ...(parts.transcript ? { type: 'text', content: parts.transcript } : { type, content }),
  parts,
  at,
  receivedAt,
  isLoggingIn,
  isOptedOut,
  isReplyToOffer,
})

const gatheringSql = statement(
  'bot-gathering',
  `select message_id from whatsapp_messages
   where id = $1 and not processed and channel = 'whatsapp' and timestamp > now() - interval '10 minutes'`,
)

/** Provider's id of a recent message that the bot has not answered yet; else null. */
export async function findGathering(db: Db, messageId: number): Promise<string | null> {
  const [row] = await run<{ message_id: string | null }>(db, gatheringSql, [messageId])
  return row?.message_id ?? null
}

// Links to a map, which may lead to a place only after a redirect.
const linksSql = statement(
  'bot-links',
  `select id, content from whatsapp_messages
   where contact_id = $1 and direction = 'incoming' and not processed and channel = 'whatsapp' and message_type = 'text'
     and created_at > now() - interval '12 hours' and content ~* 'https://|goo\\.gl|maps\\.'
     and not coalesce(payload, '{}') ?| array['lat', 'isLinkUnread']
   order by id limit 3`,
)

/** Unprocessed messages with a map link that must be followed to know its place. */
export async function findMapLinks(db: Db, contactId: number): Promise<{ id: number; url: URL }[]> {
  const rows = await run<{ id: number; content: string }>(db, linksSql, [contactId])
  return rows.flatMap(({ id, content }) => {
    const link = mapLinkIn(content)
    return link && pointInLink(link.url) === null ? [{ id, url: link.url }] : []
  })
}

/** @param messageId of the job, which is processed however old it is */
export async function findWaiting(db: Db, contactId: number, messageId: number): Promise<Waiting | null> {
  const rows = await run<WaitingRow>(db, waitingSql, [contactId, messageId])
  const [first, ...others] = rows
  if (!first) return null
  return {
    ...customerOf(first),
    messages: [messageOf(first), ...others.map(messageOf)],
    now: first.now,
    pausedUntil: first.pausedUntil,
    handoffAt: first.handoffAt,
    humanRepliedAt: first.humanRepliedAt,
    isBehind: first.isBehind,
    isRobot: first.isRobot,
    isBlocked: first.isBlocked,
  }
}
