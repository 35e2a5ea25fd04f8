import type { PersonalData } from '../../database/personal-data.ts'
import { eraseTelegramOf } from './forget.commands.ts'

const mirrored = 'no: copies for staff of messages that are exported'
const staffOnly = 'no: of staff alone, who cannot erase their account while they are staff'

export const telegramPersonalData: PersonalData = {
  tables: {
    telegram_messages: {
      exported: mirrored,
      erased: 'deleted with the contact; in Telegram by a job, as far as it allows',
    },
    telegram_updates: { exported: mirrored, erased: 'payload taken out where it is of the topic of the person' },
    telegram_link_codes: { exported: 'no: hashes of codes', erased: staffOnly },
  },
  erase: (ctx, { phone }) => eraseTelegramOf(ctx, phone),
}
