import type { AddressParts } from '@qatra/contract/auth'
import { isLang, type Lang } from '@qatra/contract/lang'
import type { ReceivedParts, ReceivedType } from '../conversations/received.ts'
import { type Db, run, statement } from '../database/db.ts'
import type { BotStatus } from './policy.ts'
import type { Incoming, Person } from './turn-context.ts'

interface WaitingRow {
  id: number
  message_type: ReceivedType
  content: string | null
  payload: ReceivedParts | null
  timestamp: Date
  created_at: Date
  now: Date
  contact_id: number
  phone: string | null
  contact_name: string | null
  contact_language: string | null
  paused_until: Date | null
  handoff_at: Date | null
  user_id: number | null
  user_name: string | null
  user_language: Lang | null
  is_active: boolean | null
  is_verified: boolean | null
  address: string | null
  address_parts: AddressParts | null
  lat: number | null
  lng: number | null
  instructions: string | null
  language: Lang | null
  context_data: Record<string, unknown> | null
  is_behind: boolean
  is_proving: boolean
}

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
// one second are ordered by arrival; `is_behind` while an earlier event is still unprocessed.
const waitingSql = statement(
  'bot-waiting',
  `select m.id, m.message_type, m.content, m.payload, coalesce(m.timestamp, m.created_at) as timestamp, m.created_at,
     clock_timestamp() as now, c.id as contact_id, c.phone, c.name as contact_name, c.language as contact_language,
     t.paused_until, t.handoff_at, u.id as user_id, u.name as user_name, u.language as user_language, u.is_active,
     u.is_verified, u.address, u.address_parts, u.lat, u.lng, u.instructions, s.language, s.context_data,
     exists (select from whatsapp_webhook_events b where b.id < e.id and b.event_type = 'message'
       and b.status in ('received', 'processing') and b.created_at > now() - interval '10 seconds'
       and (b.sender_phone = c.phone or b.sender_scoped_id = c.business_scoped_id)) as is_behind,
     exists (select from login_proofs p where p.phone = m.from_number and p.asked_at is not null
       and (p.answer_message_id = m.id or p.answered_at is null and p.expires_at > now())) as is_proving
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

export async function findWaiting(db: Db, contactId: number): Promise<Waiting | null> {
  const [row] = await run<WaitingRow>(db, waitingSql, [contactId])
  if (!row) return null
  const { phone, user_id: userId } = row
  const account: Account | null =
    phone === null || userId === null
      ? null
      : {
          id: userId,
          phone,
          name: row.user_name,
          language: row.user_language ?? 'ar',
          isActive: row.is_active === true,
          isVerified: row.is_verified === true,
        }
  return {
    contactId: row.contact_id,
    incoming: {
      id: row.id,
      type: row.message_type,
      content: row.content ?? '',
      parts: row.payload ?? {},
      at: row.timestamp,
      receivedAt: row.created_at,
    },
    person: { phone, profileName: row.contact_name, account: account && { ...account, delivery: deliveryIn(row) } },
    account,
    language: row.language ?? row.user_language ?? (isLang(row.contact_language) ? row.contact_language : 'ar'),
    memory: row.context_data,
    isBehind: row.is_behind,
    isProving: row.is_proving,
    now: row.now,
    pausedUntil: row.paused_until,
    handoffAt: row.handoff_at,
  }
}

type Remembered = Pick<WaitingRow, 'address' | 'address_parts' | 'lat' | 'lng' | 'instructions'>

/** 0,0 means "not chosen". */
function deliveryIn({ address, address_parts: addressParts, lat, lng, instructions }: Remembered) {
  const point = lat !== null && lng !== null && (lat !== 0 || lng !== 0) ? { lat, lng } : null
  return { point, address, addressParts, notes: instructions }
}
