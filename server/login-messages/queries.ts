import type { Lang } from '@qatra/contract/lib/lang'
import type { Role } from '@qatra/contract/users/roles'
import type { ReceivedParts, ReceivedType } from '../conversations/received.ts'
import { type Db, run, statement } from '../database/db.ts'

const senderSql = statement(
  'proof-sender',
  `select m.contact_id, m.message_type as type, m.content, coalesce(m.payload, '{}') as parts, m.from_number as phone, u.role, coalesce(u.language, 'ar') as language
   from whatsapp_messages m
   left join users u on u.phone = m.from_number and u.erased_at is null
   where m.id = $1 and m.direction = 'incoming' and m.message_type in ('text', 'button') and m.channel = 'whatsapp'`,
)
export interface Sender {
  contact_id: number
  type: ReceivedType
  content: string
  parts: ReceivedParts
  /**
   * Confirmed by the provider with this message. A number that the contact gave earlier is not used: its owner can have
   * changed.
   */
  phone: string | null
  role: Role | null
  language: Lang
}

/** Sender and text of a message. */
export async function findSender(db: Db, messageId: number): Promise<Sender | null> {
  const [row] = await run<Sender>(db, senderSql, [messageId])
  return row ?? null
}
