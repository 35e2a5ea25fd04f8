import { run, statement } from '../database/db.ts'
import type { PersonalData } from '../database/personal-data.ts'

// Newer accounts send a business-scoped id instead of the number; the contact links the two.
const ofPerson = `
  from whatsapp_webhook_events e where e.sender_phone = $1 or e.recipient_phone = $1
    or e.sender_scoped_id = (select business_scoped_id from contacts where phone = $1)
    or e.recipient_scoped_id = (select business_scoped_id from contacts where phone = $1)`

// Materialized, so that the planner does not scan all events backwards because of the limit.
export const listSql = statement(
  'webhook-of-person',
  `with own as materialized (select e.* ${ofPerson})
   select id, webhook_id as "webhookId", event_type as "eventType", raw_payload as payload, status,
     created_at as "createdAt", processed_at as "processedAt"
   from own order by id desc limit $2`,
)
export const eraseSql = statement(
  'webhook-erase',
  `with erased as (delete ${ofPerson} returning e.webhook_id)
   delete from whatsapp_webhook_keys k using erased where k.webhook_id = erased.webhook_id`,
)
// Receipts that are being stored are visible afterwards; later ones wait and do not find the recipient. The user is
// locked already.
const lockSql = statement('webhook-lock-person', 'select from contacts where phone = $1 for no key update')

/** Events sent by the person or about messages to them. Erased before the contact, which links number and id. */
export const webhookPersonalData: PersonalData = {
  tables: {
    whatsapp_webhook_events: {
      exported: 'webhookEvents',
      erased: 'deleted by sender and recipient, before the contact',
    },
    whatsapp_webhook_keys: { exported: 'no: part of the events', erased: 'deleted with their events' },
  },
  export: async ({ db }, { phone, maxRows }) => ({ webhookEvents: await run(db, listSql, [phone, maxRows]) }),
  async erase({ db }, { phone }) {
    await run(db, lockSql, [phone])
    await run(db, eraseSql, [phone])
  },
}
