import { desc, eq } from 'drizzle-orm'
import { findContactByPhone } from '../conversations/contacts.queries.ts'
import { run, statement } from '../database/db.ts'
import type { PersonalData } from '../database/personal-data.ts'
import { conversationNotes } from './tables.ts'

/** Limit of file contents per export, in bytes; files beyond it are exported as metadata only. */
const MAX_EXPORTED_BYTES = 2 * 1024 * 1024

const filesSql = statement(
  'files-of-contact',
  `select message_id as "messageId", mime_type as "mimeType", size, seconds, created_at as "createdAt",
     case when sum(size) over (order by message_id desc) <= $3 then encode(bytes, 'base64') end as base64
   from (
     select f.message_id, b.mime_type, f.size, f.seconds, f.created_at, b.bytes
     from message_files f join media b using (sha256) join whatsapp_messages m on m.id = f.message_id
     where m.contact_id = $1 order by 1 desc limit $2
   ) newest order by message_id desc`,
)

export const inboxPersonalData: PersonalData = {
  tables: {
    conversation_notes: { exported: 'conversationNotes', erased: 'deleted with the contact' },
    message_files: { exported: 'messageFiles', erased: 'deleted with their message' },
    media: { exported: 'messageFiles', erased: 'files of customers deleted with the last message that has them' },
  },
  // Notes by staff about the person are exported without their author.
  async export({ db }, { phone, maxRows }) {
    const contactId = (await findContactByPhone(db, phone))?.id ?? 0
    return {
      conversationNotes: await db
        .select({ body: conversationNotes.body, createdAt: conversationNotes.createdAt })
        .from(conversationNotes)
        .where(eq(conversationNotes.contactId, contactId))
        .orderBy(desc(conversationNotes.id))
        .limit(maxRows),
      messageFiles: await run(db, filesSql, [contactId, maxRows, MAX_EXPORTED_BYTES]),
    }
  },
}
