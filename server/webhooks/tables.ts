import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, partitionedId } from '../database/columns.ts'

/**
 * One row per event of a provider's call, stored before the call is answered. The rows are the queue. Kept 90 days.
 * Partitioned by month, so the idempotency key is unique in a table of its own.
 */
export const whatsappWebhookEvents = pgTable(
  'whatsapp_webhook_events',
  {
    id: partitionedId(),
    /** Idempotency key: `message:<id>`, `status:<id>:<status>`, or the hash of the event's bytes. */
    webhookId: text().notNull(),
    eventType: text().notNull(),
    /** Field of the change, named by the provider. */
    field: text(),
    phoneNumberId: text(),
    businessAccountId: text(),
    /**
     * Sender of a message or change, recipient of a receipt's message. For a changed number or id, the old one is the
     * sender and the new one the recipient. Export and erasure use only these columns.
     */
    senderPhone: text(),
    senderScopedId: text(),
    recipientPhone: text(),
    recipientScopedId: text(),
    /** The event's part of the call as JSON text, which also holds what jsonb rejects. */
    rawPayload: text().notNull(),
    /** Parsed result. */
    processedPayload: jsonb(),
    status: text()
      .$type<'received' | 'processing' | 'processed' | 'ignored' | 'failed'>()
      .notNull()
      .default('received'),
    errorMessage: text(),
    /** Of processing. */
    attempts: integer().notNull().default(0),
    processedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.createdAt] }),
    index().on(t.webhookId),
    index('webhook_events_newest').on(t.createdAt.desc(), t.id.desc()),
    index('webhook_events_by_status').on(t.status, t.createdAt.desc()),
    index('webhook_events_by_type').on(t.eventType, t.createdAt.desc()),
    index('webhook_events_of_sender').on(t.senderPhone).where(sql`${t.senderPhone} is not null`),
    index('webhook_events_of_sender_id').on(t.senderScopedId).where(sql`${t.senderScopedId} is not null`),
    index('webhook_events_of_recipient').on(t.recipientPhone).where(sql`${t.recipientPhone} is not null`),
    index('webhook_events_of_recipient_id').on(t.recipientScopedId).where(sql`${t.recipientScopedId} is not null`),
    check('webhook_events_status', sql`${t.status} in ('received','processing','processed','ignored','failed')`),
  ],
)

/** Idempotency keys of the events. Kept as long as these. */
export const whatsappWebhookKeys = pgTable(
  'whatsapp_webhook_keys',
  {
    webhookId: text().primaryKey(),
    /** How often the provider sent the event. */
    deliveries: integer().notNull().default(1),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index().on(t.createdAt)],
)
