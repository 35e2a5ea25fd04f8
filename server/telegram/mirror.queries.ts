import type { Lang } from '@qatra/contract/lang'
import { type Db, run, statement } from '../database/db.ts'

export interface Mirrored {
  id: number
  direction: 'incoming' | 'outgoing'
  message_type: string
  content: string | null
  sent_by_type: string
  /** Name of the staff member who wrote it. */
  by_name: string | null
}

export interface Conversation {
  contact_id: number
  name: string | null
  phone: string | null
  telegram_thread_id: string | null
}

/** Profile name, else the account's name. */
const NAME = 'coalesce(c.name, account.name) as name'
const ACCOUNT = 'left join users account on account.phone = c.phone and account.erased_at is null'
const conversationSql = statement(
  'telegram-conversation',
  `select c.id as contact_id, ${NAME}, c.phone, t.telegram_thread_id
   from whatsapp_conversation_threads t join contacts c on c.id = t.contact_id ${ACCOUNT} where c.id = $1`,
)
const lockSql = statement(
  'telegram-conversation-hold',
  'select from whatsapp_conversation_threads where contact_id = $1 for update',
)

/** Locks the contact until the transaction ends, so that it cannot be erased meanwhile; false if it was erased. */
export const lockConversationOf = async (db: Db, contactId: number): Promise<boolean> =>
  (await run(db, lockSql, [contactId])).length > 0

export async function findConversation(db: Db, contactId: number): Promise<Conversation | null> {
  const [row] = await run<Conversation>(db, conversationSql, [contactId])
  return row ?? null
}

/** Batch size. */
export const MAX_MIRRORED = 50

// Begins with the first mirrored message, or with the given one and the incoming messages right before it; without
// staff messages of the topic itself, codes and campaigns.
const pendingSql = statement(
  'telegram-pending',
  `select m.id, m.direction, m.message_type, m.content, m.sent_by_type, u.name as by_name
   from whatsapp_messages m left join users u on u.id = m.sent_by_user_id
   where m.contact_id = $1
     and m.id >= least($2::integer,
       (select min(t.message_id) from telegram_messages t where t.contact_id = $1 and t.message_id is not null),
       (select min(r.id) from whatsapp_messages r where r.contact_id = $1 and r.id < $2 and r.direction = 'incoming'
          and r.created_at > now() - interval '2 minutes'))
     and (m.direction = 'incoming' or (m.payload is not null and m.sent_by_type <> 'campaign'
       and coalesce(m.dedupe_key, '') not like 'telegram:%'))
     and not exists (select from telegram_messages t where t.dedupe_key = 'mirror:' || m.id and t.status <> 'queued')
   order by m.id limit ${MAX_MIRRORED}`,
)

/** Messages that the topic lacks, oldest first. `from` starts a topic; null starts none. */
export const findUnmirrored = (db: Db, contactId: number, from: number | null): Promise<Mirrored[]> =>
  run<Mirrored>(db, pendingSql, [contactId, from])

const receivedSql = statement(
  'telegram-received',
  `select m.contact_id, m.content, m.message_type, ${NAME}, c.phone
   from whatsapp_messages m join contacts c on c.id = m.contact_id ${ACCOUNT} where m.id = $1`,
)
export interface ReceivedWords {
  contact_id: number
  content: string | null
  message_type: string
  name: string | null
  phone: string | null
}
export async function findReceived(db: Db, messageId: number): Promise<ReceivedWords | null> {
  const [row] = await run<ReceivedWords>(db, receivedSql, [messageId])
  return row ?? null
}

const failedSql = statement(
  'telegram-failed',
  `select m.contact_id, t.telegram_thread_id, split_part(m.dedupe_key, ':', 3) as written, coalesce(u.language, 'ar') as language
   from whatsapp_messages m
   join whatsapp_conversation_threads t on t.contact_id = m.contact_id
   left join users u on u.id = m.sent_by_user_id
   where m.id = $1 and m.dedupe_key like 'telegram:%' and t.telegram_thread_id is not null`,
)
interface Failed {
  contact_id: number
  telegram_thread_id: string
  /** Telegram's id of the message in the topic. */
  written: string
  /** Language of its author. */
  language: Lang
}
/** The topic with the staff message that was not delivered. */
export async function findFailed(db: Db, messageId: number): Promise<Failed | null> {
  const [row] = await run<Failed>(db, failedSql, [messageId])
  return row ?? null
}
