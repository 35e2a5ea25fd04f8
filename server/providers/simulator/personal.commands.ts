import { desc, eq, getTableColumns, or } from 'drizzle-orm'
import { byPhone, type PersonalData } from '../../database/personal-data.ts'
import {
  accountOf,
  simulatedTelegramFacts as facts,
  simulatedTelegramMessages as mirrored,
  simulatedFiles,
  simulatedMessages,
  simulatedTelegramTopics as topics,
} from './tables.ts'

const copies = 'no: copies for staff of messages that are exported'
const { sealedBody, sealedParts, ...openColumns } = getTableColumns(simulatedMessages)

export const simulatorPersonalData: readonly PersonalData[] = [
  { table: simulatedFiles, exported: 'simulatedMessages', erased: 'deleted with their message' },
  {
    table: simulatedMessages,
    exported: 'simulatedMessages',
    erased: 'deleted',
    owner: byPhone(simulatedMessages.phone),
    // Without the sealed contents. Newest first.
    rows: ({ db }, { phone, maxRows }) =>
      db
        .select({ ...openColumns, fileType: simulatedFiles.mimeType })
        .from(simulatedMessages)
        .leftJoin(simulatedFiles, eq(simulatedFiles.messageId, simulatedMessages.id))
        .where(eq(simulatedMessages.phone, phone))
        .orderBy(desc(simulatedMessages.createdAt))
        .limit(maxRows),
    erase: 'delete',
  },
  { table: topics, exported: copies, erased: 'deleted by the same job as in Telegram' },
  {
    table: mirrored,
    exported: copies,
    erased: 'deleted with the topic or the account',
    owner: ({ phone }) => or(eq(mirrored.chatId, accountOf(phone)), eq(mirrored.fromId, accountOf(phone))),
    erase: 'delete',
  },
  { table: facts, exported: 'no: state of the simulator', erased: 'deleted with the account' },
]
