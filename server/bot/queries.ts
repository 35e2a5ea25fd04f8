import { isLang, type Lang } from '@qatra/contract/lang'
import { type Db, run, statement } from '../database/db.ts'
import type { BotStatus } from './policy.ts'
import type { Delivery, Incoming, Person } from './turn-context.ts'

export interface Account {
  id: number
  phone: string
  name: string | null
  language: Lang
  isActive: boolean
  isVerified: boolean
}

/** The oldest unprocessed message with all data of a turn except the cart. */
export interface Waiting extends BotStatus {
  contactId: number
  incoming: Incoming
  person: Person
  account: Account | null
  language: Lang
  memory: Record<string, unknown> | null
  /** An earlier message of the same person is not stored yet. */
  isBehind: boolean
}

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

// Messages older than half a day, after an outage, are not answered. Providers report whole seconds, so messages within
// one second are ordered by arrival; `isBehind` while an earlier event is still unprocessed.
const waitingSql = statement(
  'bot-waiting',
  `select m.id, m.message_type as type, coalesce(m.content, '') as content, coalesce(m.payload, '{}') as parts,
     coalesce(m.timestamp, m.created_at) as at, m.created_at as "receivedAt", clock_timestamp() as now,
     c.id as "contactId", c.phone, c.name as "profileName", c.language as "contactLanguage",
     t.paused_until as "pausedUntil", t.handoff_at as "handoffAt",
     case when u.id is not null then json_build_object('id', u.id, 'phone', u.phone, 'name', u.name,
       'language', u.language, 'isActive', u.is_active, 'isVerified', u.is_verified) end as account,
     (select coalesce(json_agg(json_build_object('id', a.id, 'label', a.label, 'address', a.address,
          'addressParts', a.address_parts, 'notes', a.instructions, 'receiverName', a.receiver_name,
          'receiverPhone', a.receiver_phone,
          'point', case when a.lat <> 0 or a.lng <> 0 then json_build_object('lat', a.lat, 'lng', a.lng) end)
        order by a.is_default desc, a.used_at desc, a.id desc), '[]')
      from addresses a where a.user_id = u.id) as addresses, s.language,
     s.context_data as memory,
     exists (select from whatsapp_webhook_events b where b.id < e.id and b.event_type = 'message'
       and b.status in ('received', 'processing') and b.created_at > now() - interval '10 seconds'
       and (b.sender_phone = c.phone or b.sender_scoped_id = c.business_scoped_id)) as "isBehind",
     exists (select from login_proofs p where p.phone = m.from_number and p.asked_at is not null
       and (p.answer_message_id = m.id or p.answered_at is null and p.expires_at > now())) as "isProving"
   from whatsapp_messages m
   join contacts c on c.id = m.contact_id
   join whatsapp_conversation_threads t on t.contact_id = c.id
   left join users u on u.phone = c.phone and u.erased_at is null
   left join bot_sessions s on s.contact_id = c.id
   left join whatsapp_webhook_events e on e.webhook_id = 'message:' || m.message_id
   where m.contact_id = $1 and m.direction = 'incoming' and not m.processed and m.channel = 'whatsapp'
     and m.created_at > now() - interval '12 hours'
   order by m.timestamp, e.id, m.id limit 1`,
)

interface WaitingRow extends Omit<Waiting, 'incoming' | 'person' | 'language'>, Incoming {
  phone: string | null
  profileName: string | null
  contactLanguage: string | null
  addresses: readonly Delivery[]
  language: Lang | null
}

export async function findWaiting(db: Db, contactId: number): Promise<Waiting | null> {
  const [row] = await run<WaitingRow>(db, waitingSql, [contactId])
  if (!row) return null
  const { id, type, content, parts, at, receivedAt, phone, profileName, contactLanguage, account, ...rest } = row
  const { addresses, language, ...waiting } = rest
  return {
    ...waiting,
    account,
    incoming: { id, type, content, parts, at, receivedAt },
    person: {
      phone,
      profileName,
      account: account && { ...account, addresses },
    },
    language: language ?? account?.language ?? (isLang(contactLanguage) ? contactLanguage : 'ar'),
  }
}
