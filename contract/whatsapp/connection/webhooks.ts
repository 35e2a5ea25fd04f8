import * as z from 'zod/mini'
import { dayInput } from '../../calendar/dates.ts'
import { endpoint } from '../../endpoint.ts'
import { idParams, instant } from '../../lib/ids.ts'
import { page, pageQuery } from '../../lib/page.ts'

export const webhookEventTypes = [
  'message',
  'status',
  'template',
  'preference',
  'user_id',
  'account',
  'unknown',
  'unreadable',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]
export const webhookStatuses = ['received', 'processing', 'processed', 'ignored', 'failed'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

export const webhookEvent = z.object({
  id: z.number(),
  webhookId: z.string(),
  eventType: z.enum(webhookEventTypes),
  field: z.nullable(z.string()),
  phoneNumberId: z.nullable(z.string()),
  businessAccountId: z.nullable(z.string()),
  status: z.enum(webhookStatuses),
  errorMessage: z.nullable(z.string()),
  /** Number of deliveries by the provider. */
  deliveries: z.number(),
  /** Number of processing attempts. */
  attempts: z.number(),
  /** Payload as received, phones masked; a string if it is not JSON. */
  rawPayload: z.unknown(),
  /** Parsed event, phones masked. */
  processedPayload: z.unknown(),
  createdAt: instant,
  processedAt: z.nullable(instant),
})
export type WebhookEvent = z.output<typeof webhookEvent>

export const listWebhookEvents = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/webhooks',
  allow: 'super',
  summary: 'Webhook events of the provider, newest first; phone numbers are masked',
  query: z.extend(pageQuery, {
    eventType: z.optional(z.enum(webhookEventTypes)),
    status: z.optional(z.enum(webhookStatuses)),
    /** Part of the provider's message id. */
    search: z.optional(z.string().check(z.maxLength(100))),
    /** Bahrain days, both inclusive. */
    from: z.optional(dayInput),
    to: z.optional(dayInput),
  }),
  returns: page(webhookEvent),
})

export const replayWebhookEvent = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/webhooks/{id}/replay',
  allow: 'super',
  summary: 'Process an event again',
  params: idParams,
  returns: webhookEvent,
  errors: ['WEBHOOK_EVENT_NOT_FOUND'],
})
