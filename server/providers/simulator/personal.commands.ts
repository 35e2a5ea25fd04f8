import type { PersonalData } from '../../database/personal-data.ts'
import { deleteSimulatedOf } from './commands.ts'
import { exportSimulated } from './queries.ts'
import { eraseAccountOf } from './telegram/commands.ts'

const mirrored = 'no: copies for staff of messages that are exported'

export const simulatorPersonalData: PersonalData = {
  tables: {
    simulated_files: { exported: 'simulatedMessages', erased: 'deleted with their message' },
    simulated_messages: { exported: 'simulatedMessages', erased: 'deleted' },
    simulated_telegram_topics: { exported: mirrored, erased: 'deleted by the same job as in Telegram' },
    simulated_telegram_messages: { exported: mirrored, erased: 'deleted with the topic or the account' },
    simulated_telegram_facts: { exported: 'no: state of the simulator', erased: 'deleted with the account' },
  },
  export: async ({ db }, { phone, maxRows }) => ({ simulatedMessages: await exportSimulated(db, phone, maxRows) }),
  async erase(ctx, { phone }) {
    await deleteSimulatedOf(ctx, phone)
    await eraseAccountOf(ctx, phone)
  },
}
