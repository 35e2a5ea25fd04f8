import { and, desc, eq, getTableColumns, isNull, or } from 'drizzle-orm'
import type { PersonalData } from '../database/personal-data.ts'
import { eraseMessagesOf } from './commands.ts'
import { findContactByPhone } from './contacts.queries.ts'
import { contacts, earlyMessageChanges, whatsappConversationThreads, whatsappMessages } from './tables.ts'

const { searchText: _, ...contactColumns } = getTableColumns(contacts)
const { dedupeKey, claimedAt, sentByUserId, searchText, readByAdmin, readAt, ...messageColumns } =
  getTableColumns(whatsappMessages)
const { assignedTo, pausedBy, telegramThreadId, ...threadColumns } = getTableColumns(whatsappConversationThreads)

export const channelPersonalData: PersonalData = {
  tables: {
    contacts: { exported: 'contacts', erased: 'deleted' },
    whatsapp_conversation_threads: { exported: 'conversations', erased: 'deleted with the contact' },
    whatsapp_messages: { exported: 'messages', erased: 'deleted' },
    early_message_changes: { exported: 'messageChanges', erased: 'deleted with the contact' },
  },
  async export({ db }, { phone, maxRows }) {
    const contactId = (await findContactByPhone(db, phone))?.id ?? 0
    const ofContact = eq(whatsappConversationThreads.contactId, contactId)
    // Messages belong to their contact, even if the number has a new owner. Only messages without a contact match by number.
    const isOwn = or(
      eq(whatsappMessages.contactId, contactId),
      and(isNull(whatsappMessages.contactId), eq(whatsappMessages.toNumber, phone)),
    )
    return {
      contacts: await db.select(contactColumns).from(contacts).where(eq(contacts.id, contactId)),
      conversations: await db.select(threadColumns).from(whatsappConversationThreads).where(ofContact),
      messages: await db
        .select(messageColumns)
        .from(whatsappMessages)
        .where(isOwn)
        .orderBy(desc(whatsappMessages.id))
        .limit(maxRows),
      messageChanges: await db
        .select()
        .from(earlyMessageChanges)
        .where(eq(earlyMessageChanges.contactId, contactId))
        .orderBy(desc(earlyMessageChanges.id))
        .limit(maxRows),
    }
  },
  erase: (ctx, { phone }) => eraseMessagesOf(ctx, phone),
}
