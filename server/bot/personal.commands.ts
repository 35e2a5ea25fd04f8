import { desc, eq } from 'drizzle-orm'
import { findContactByPhone } from '../conversations/contacts.queries.ts'
import type { PersonalData } from '../database/personal-data.ts'
import { botMessageHistory, botSessions } from './tables.ts'

export const botPersonalData: PersonalData = {
  tables: {
    bot_sessions: { exported: 'botSessions', erased: 'deleted with the contact' },
    bot_message_history: { exported: 'botHistory', erased: 'deleted with the contact' },
  },
  async export({ db }, { phone, maxRows }) {
    const contactId = (await findContactByPhone(db, phone))?.id ?? 0
    const ofContact = eq(botMessageHistory.contactId, contactId)
    return {
      botSessions: await db.select().from(botSessions).where(eq(botSessions.contactId, contactId)),
      botHistory: await db
        .select()
        .from(botMessageHistory)
        .where(ofContact)
        .orderBy(desc(botMessageHistory.id))
        .limit(maxRows),
    }
  },
}
