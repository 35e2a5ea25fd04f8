import type { Lang } from '@qatra/contract/lib/lang'
import { type Db, run, statement } from '../../database/db.ts'

export interface Mirrored {
  id: number
  direction: 'incoming' | 'outgoing'
  message_type: string
  content: string | null
  sent_by_type: string
  /** Name of the staff member who wrote it. */
  by_name: string | null
  /** Its stored file. */
  sha256: string | null
  filename: string | null
  /** Name or address of a file that the provider fetched elsewhere. */
  attached: string | null
  /** Its file is being fetched from the provider, or its words are being heard. */
  is_fetching: boolean
  /** It was mirrored before its file was stored. */
  is_late: boolean
  lat: number | null
  lng: number | null
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

// While staff are responsible: from the customer's message before that, or two minutes before, without staff messages of
// the topic itself, codes and campaigns. The bot's own talks are not mirrored. A topic starts with a customer's message.
// A message whose file came late is mirrored again with it.
const pendingSql = statement(
  'telegram-pending',
  `select m.id, m.direction, m.message_type, m.content, m.sent_by_type, u.name as by_name, f.sha256,
     m.payload ->> 'filename' as filename,
     m.message_type = any('{image,sticker,audio,video,document}') and m.payload ->> 'mediaId' <> '' and f.sha256 is null
       and f.problem is null and m.created_at > now() - interval '20 seconds'
     or $3::boolean and m.direction = 'incoming' and m.message_type = 'audio' and not m.payload ? 'transcript'
       and m.created_at > now() - interval '40 seconds' as is_fetching,
     mirrored.is_late,
     case when f.sha256 is null then coalesce(m.payload #>> '{header,filename}', m.payload #>> '{header,link}',
       m.payload ->> 'link') end as attached,
     case when m.message_type = 'location' then (m.payload ->> 'lat')::float8 end as lat,
     case when m.message_type = 'location' then (m.payload ->> 'lng')::float8 end as lng
   from whatsapp_conversation_threads t
   join whatsapp_messages m on m.contact_id = t.contact_id
   left join users u on u.id = m.sent_by_user_id
   left join message_files f on f.message_id = m.id
   cross join lateral (select exists (select from telegram_messages d
     where d.dedupe_key = 'mirror:' || m.id and d.status <> 'queued') as is_done,
     f.sha256 is not null and exists (select from telegram_messages d
       where d.dedupe_key = 'mirror:' || m.id and d.status <> 'queued' and not d.has_file)
     and not exists (select from telegram_messages d
       where d.dedupe_key = 'mirror-file:' || m.id and d.status <> 'queued') as is_late) mirrored
   where t.contact_id = $1 and t.staff_since is not null
     and (m.created_at > t.staff_since - interval '2 minutes' or m.id >= (
       select max(l.id) from whatsapp_messages l
       where l.contact_id = $1 and l.direction = 'incoming' and l.created_at <= t.staff_since))
     and (t.telegram_thread_id is not null or $2::boolean
       or exists (select from telegram_messages e where e.contact_id = $1 and e.message_id is not null))
     and (m.direction = 'incoming' or (m.payload is not null and m.sent_by_type <> 'campaign'
       and coalesce(m.dedupe_key, '') not like 'telegram:%'))
     and (mirrored.is_late or not mirrored.is_done)
   order by date_trunc('second', case m.direction when 'incoming' then coalesce(m.timestamp, m.created_at)
     else m.created_at end), m.id limit ${MAX_MIRRORED}`,
)

interface Mirroring {
  mayStart: boolean
  /** A model transcribes voice messages. */
  hears: boolean
}

/** Messages that the topic lacks, oldest first; `mayStart` a topic. */
export const findUnmirrored = (db: Db, contactId: number, { mayStart, hears }: Mirroring): Promise<Mirrored[]> =>
  run<Mirrored>(db, pendingSql, [contactId, mayStart, hears])

const receivedSql = statement(
  'telegram-received',
  `select m.id, m.contact_id, m.content, m.message_type, ${NAME}, c.phone, t.handoff_reason,
     o.id as order_id, o.vendor_id as order_vendor_id
   from whatsapp_messages m join contacts c on c.id = m.contact_id ${ACCOUNT}
   left join whatsapp_conversation_threads t on t.contact_id = m.contact_id and t.handoff_at is not null
   left join orders o on o.id = t.handoff_order_id
   where m.id = coalesce($2, (select max(id) from whatsapp_messages where contact_id = $1 and direction = 'incoming'))`,
)
export interface ReceivedWords {
  id: number
  contact_id: number
  content: string | null
  message_type: string
  name: string | null
  phone: string | null
  /** Why the customer waits for staff. */
  handoff_reason: string | null
  /** The order that the customer complains about. */
  order_id: string | null
  order_vendor_id: number | null
}
/** The message, or the contact's last one. */
export async function findReceived(db: Db, contactId: number, messageId: number | null): Promise<ReceivedWords | null> {
  const [row] = await run<ReceivedWords>(db, receivedSql, [contactId, messageId])
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
