import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, rowId } from '../database/columns.ts'

/** One row per event of a provider's call, stored before the call is answered. The rows are the queue. Kept 90 days. */
export const whatsappWebhookEvents = pgTable(
  'whatsapp_webhook_events',
  {
    id: rowId(),
    /** Idempotency key: `message:<id>`, `status:<id>:<status>`, or the hash of the event's bytes. */
    webhookId: text().notNull().unique(),
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
    /** Number of deliveries, and of processing attempts. */
    deliveries: integer().notNull().default(1),
    attempts: integer().notNull().default(0),
    processedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
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
