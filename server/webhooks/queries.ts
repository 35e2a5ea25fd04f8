import type { Output, Parsed } from '@qatra/contract/endpoint'
import type { listWebhookEvents, WebhookEvent } from '@qatra/contract/whatsapp/connection/webhooks'
import { and, count, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, run, statement } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { maskPhones } from './masking.ts'
import { whatsappWebhookEvents as events, whatsappWebhookKeys as keys } from './tables.ts'

/** Where the provider sends its events. */
export const WEBHOOK_PATH = '/api/webhooks/whatsapp'

const columns = { ...getTableColumns(events), deliveries: sql<number>`coalesce(${keys.deliveries}, 1)` }
type Row = typeof events.$inferSelect & { deliveries: number }

function describe(row: Row): WebhookEvent {
  const { id, eventType, field, phoneNumberId, businessAccountId, status, errorMessage, deliveries, attempts } = row
  return {
    id,
    field,
    phoneNumberId,
    businessAccountId,
    status,
    errorMessage,
    deliveries,
    attempts,
    webhookId: row.webhookId,
    eventType: eventType as WebhookEvent['eventType'], // only `eventsOf` writes it
    rawPayload: maskPhones(parsed(row.rawPayload)),
    processedPayload: maskPhones(row.processedPayload ?? null),
    createdAt: row.createdAt.toISOString(),
    processedAt: row.processedAt?.toISOString() ?? null,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @throws WEBHOOK_EVENT_NOT_FOUND */
export async function requireEvent(db: Db, id: number): Promise<WebhookEvent> {
  const [row] = await db
    .select(columns)
    .from(events)
    .leftJoin(keys, eq(keys.webhookId, events.webhookId))
    .where(eq(events.id, id))
  if (!row) throw new AppError('WEBHOOK_EVENT_NOT_FOUND')
  return describe(row)
}

/** Newest first. Dates are in Bahrain's time zone. */
export async function listEvents(
  db: Db,
  { page, limit, eventType, status, search, from, to }: Parsed<typeof listWebhookEvents>['query'],
): Promise<Output<typeof listWebhookEvents>> {
  const like = search?.trim() ? `%${search.trim().replace(/[\\%_]/g, '\\$&')}%` : null
  const where = and(
    eventType ? eq(events.eventType, eventType) : undefined,
    status ? eq(events.status, status) : undefined,
    like ? sql`${events.webhookId} ilike ${like}` : undefined,
    from ? sql`${events.createdAt} >= ${from}::date at time zone 'Asia/Bahrain'` : undefined,
    to ? sql`${events.createdAt} < (${to}::date + 1) at time zone 'Asia/Bahrain'` : undefined,
  )
  const [rows, [all]] = await Promise.all([
    db
      .select(columns)
      .from(events)
      .leftJoin(keys, eq(keys.webhookId, events.webhookId))
      .where(where)
      .orderBy(desc(events.createdAt), desc(events.id))
      .limit(limit)
      .offset((page - 1) * limit),
    db.select({ total: count() }).from(events).where(where),
  ])
  return { items: rows.map(describe), page, limit, total: all?.total ?? 0 }
}

/** When the provider last called; null if it never did. */
export async function lastHeardAt(db: Db): Promise<Date | null> {
  const [row] = await db.select({ at: events.createdAt }).from(events).orderBy(desc(events.createdAt)).limit(1)
  return row?.at ?? null
}

// Newer accounts send a business-scoped id instead of the number; the contact links the two.
export const ofPerson = `
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

/** Events sent by the person or about messages to them, for the export of personal data. */
export const exportEvents = (db: Db, phone: string, maxRows: number) => run<object>(db, listSql, [phone, maxRows])
