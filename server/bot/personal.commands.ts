import { desc, eq } from 'drizzle-orm'
import { findContactByPhone } from '../conversations/contacts.queries.ts'
import type { PersonalData } from '../database/personal-data.ts'
import { botMisses } from './knowledge/tables.ts'
import { botMessageHistory, botSessions } from './tables.ts'

export const botPersonalData: PersonalData = {
  tables: {
    bot_sessions: { exported: 'botSessions', erased: 'deleted with the contact' },
    bot_misses: { exported: 'botMisses', erased: 'deleted with the contact' },
    bot_message_history: { exported: 'botHistory', erased: 'deleted with the contact' },
  },
  async export({ db }, { phone, maxRows }) {
    const contactId = (await findContactByPhone(db, phone))?.id ?? 0
    const ofContact = eq(botMessageHistory.contactId, contactId)
    return {
      botSessions: await db.select().from(botSessions).where(eq(botSessions.contactId, contactId)),
      botMisses: await db
        .select({ text: botMisses.text, createdAt: botMisses.createdAt })
        .from(botMisses)
        .where(eq(botMisses.contactId, contactId))
        .orderBy(desc(botMisses.id))
        .limit(maxRows),
      botHistory: await db
        .select()
        .from(botMessageHistory)
        .where(ofContact)
        .orderBy(desc(botMessageHistory.id))
        .limit(maxRows),
    }
  },
}
