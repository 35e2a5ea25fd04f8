import { type Db, run, statement } from '../database/db.ts'
import { retryLater } from '../lib/errors.ts'
import { messageOfReceipt, partiesOf } from './parties.ts'

type OnDb = { db: Db }

const BATCH = 500
/** Limit of batches per request. Normally the job has processed all rows before. */
const MAX_BATCHES = 10
const RETRY_SECONDS = 30

const withoutPartiesSql = statement(
  'webhook-without-parties',
  `select id, event_type, raw_payload from whatsapp_webhook_events where not has_parties
   order by id limit ${BATCH} for update`,
)
// Receipts were stored without recipient: takes it from their message.
const fillInSql = statement(
  'webhook-fill-in-parties',
  `update whatsapp_webhook_events e set has_parties = true,
     sender_phone = n."senderPhone", sender_scoped_id = n."senderScopedId",
     recipient_phone = coalesce(n."recipientPhone", m.to_number, c.phone),
     recipient_scoped_id = coalesce(n."recipientScopedId", c.business_scoped_id)
   from json_to_recordset($1::json) as n (id integer, "senderPhone" text, "senderScopedId" text, "recipientPhone" text,
       "recipientScopedId" text, "messageId" text)
     left join whatsapp_messages m on m.message_id = n."messageId" and m.direction = 'outgoing'
     left join contacts c on c.id = m.contact_id
   where e.id = n.id`,
)

interface Unread {
  id: number
  event_type: string
  raw_payload: string
}

/** Fills in one batch of rows stored by older versions. Returns whether more may be left. */
async function fillInBatch({ db }: OnDb): Promise<boolean> {
  const rows = await run<Unread>(db, withoutPartiesSql)
  if (rows.length === 0) return false
  const filled = rows.map((row) => {
    const payload = payloadOf(row)
    return { id: row.id, ...partiesOf(payload), messageId: messageOfReceipt(payload) }
  })
  await run(db, fillInSql, [JSON.stringify(filled)])
  return rows.length === BATCH
}

function payloadOf({ event_type: type, raw_payload: text }: Unread): unknown {
  if (type === 'unreadable') return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Fills in sender and recipient of all older rows, in batches, to keep row locks short. */
export async function fillInParties(ctx: OnDb): Promise<void> {
  while (await fillInBatch(ctx));
}

/** @throws UNAVAILABLE if more rows are left than a request may process */
async function requireParties(ctx: OnDb): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) if (!(await fillInBatch(ctx))) return
  throw retryLater('UNAVAILABLE', RETRY_SECONDS)
}

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
  await requireParties(ctx)
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
  await requireParties(ctx)
  await run(ctx.db, lockSql, [phone])
  await run(ctx.db, eraseSql, [phone])
}
