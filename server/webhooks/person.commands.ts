import { type Db, run, statement } from '../database/db.ts'

type OnDb = { db: Db }

// Newer accounts send a business-scoped id instead of the number; the contact links the two.
const ofPerson = `
  from whatsapp_webhook_events e where e.sender_phone = $1 or e.recipient_phone = $1
    or e.sender_scoped_id = (select business_scoped_id from contacts where phone = $1)
    or e.recipient_scoped_id = (select business_scoped_id from contacts where phone = $1)`

// Materialized, so that the planner does not scan all events backwards because of the limit.
export const listSql = statement(
  'webhook-of-person',
  `with own as materialized (select e.* ${ofPerson}) select * from own order by id desc limit $2`,
)
export const eraseSql = statement('webhook-erase', `delete ${ofPerson}`)

/** Events sent by the person or about messages to them, newest first. */
export async function listEventsOf(ctx: OnDb, phone: string, limit: number) {
  const rows = await run<EventRow>(ctx.db, listSql, [phone, limit])
  return rows.map((row) => ({
    id: row.id,
    webhookId: row.webhook_id,
    eventType: row.event_type,
    payload: row.raw_payload,
    status: row.status,
    createdAt: row.created_at,
    processedAt: row.processed_at,
  }))
}

interface EventRow {
  id: number
  webhook_id: string
  event_type: string
  raw_payload: string
  status: string
  created_at: Date
  processed_at: Date | null
}

// Receipts that are being stored are visible afterwards; later ones wait and do not find the recipient. The user is
// locked already.
const lockSql = statement('webhook-lock-person', 'select from contacts where phone = $1 for no key update')

/** Deletes the same events. Must run before the contact is deleted, which links number and id. */
export async function eraseEventsOf(ctx: OnDb, phone: string): Promise<void> {
  await run(ctx.db, lockSql, [phone])
  await run(ctx.db, eraseSql, [phone])
}
