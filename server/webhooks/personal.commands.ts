import type { PersonalData } from '../database/personal-data.ts'
import { eraseEventsOf, listEventsOf } from './person.commands.ts'

export const webhookPersonalData: PersonalData = {
  tables: {
    whatsapp_webhook_events: {
      exported: 'webhookEvents',
      erased: 'deleted by sender and recipient, before the contact',
    },
  },
  export: async (ctx, { phone, maxRows }) => ({ webhookEvents: await listEventsOf(ctx, phone, maxRows) }),
  erase: (ctx, { phone }) => eraseEventsOf(ctx, phone),
}
