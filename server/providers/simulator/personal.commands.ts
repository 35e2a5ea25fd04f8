import { and, desc, eq, getTableColumns, like, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import type { PersonalData } from '../../database/personal-data.ts'
import {
  accountOf,
  simulatedTelegramFacts as facts,
  simulatedFiles,
  simulatedMessages,
  simulatedTelegramMessages,
  simulatedTelegramTopics as topics,
} from './tables.ts'

const mirrored = 'no: copies for staff of messages that are exported'
const { sealedBody, sealedParts, ...openColumns } = getTableColumns(simulatedMessages)

export const simulatorPersonalData: PersonalData = {
  tables: {
    simulated_files: { exported: 'simulatedMessages', erased: 'deleted with their message' },
    simulated_messages: { exported: 'simulatedMessages', erased: 'deleted' },
    simulated_telegram_topics: { exported: mirrored, erased: 'deleted by the same job as in Telegram' },
    simulated_telegram_messages: { exported: mirrored, erased: 'deleted with the topic or the account' },
    simulated_telegram_facts: { exported: 'no: state of the simulator', erased: 'deleted with the account' },
  },
  // Without the sealed contents. Newest first.
  export: async ({ db }, { phone, maxRows }) => ({
    simulatedMessages: await db
      .select({ ...openColumns, fileType: simulatedFiles.mimeType })
      .from(simulatedMessages)
      .leftJoin(simulatedFiles, eq(simulatedFiles.messageId, simulatedMessages.id))
      .where(eq(simulatedMessages.phone, phone))
      .orderBy(desc(simulatedMessages.createdAt))
      .limit(maxRows),
  }),
  async erase({ db }, { phone }) {
    await db.delete(simulatedMessages).where(eq(simulatedMessages.phone, phone))
    const id = accountOf(phone)
    await db
      .delete(simulatedTelegramMessages)
      .where(or(eq(simulatedTelegramMessages.chatId, id), eq(simulatedTelegramMessages.fromId, id)))
  },
}
