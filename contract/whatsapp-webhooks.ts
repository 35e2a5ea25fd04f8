import * as z from 'zod/mini'
import { dayInput } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { idParams, instant } from './ids.ts'
import { page, pageQuery } from './page.ts'

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
  /** How often the provider told of it. */
  deliveries: z.number(),
  /** How often it was worked on. */
  attempts: z.number(),
  /** As it came, phones masked; text where it is no JSON. */
  rawPayload: z.unknown(),
  /** What was understood of it, phones masked. */
  processedPayload: z.unknown(),
  createdAt: instant,
  processedAt: z.nullable(instant),
})
export type WebhookEvent = z.output<typeof webhookEvent>

export const listWebhookEvents = endpoint({
  method: 'GET',
  path: '/api/admin/whatsapp/webhooks',
  allow: 'super',
  summary: 'What the provider told, newest first; phones are masked',
  query: z.extend(pageQuery, {
    eventType: z.optional(z.enum(webhookEventTypes)),
    status: z.optional(z.enum(webhookStatuses)),
    /** Part of the provider's id of a message. */
    search: z.optional(z.string().check(z.maxLength(100))),
    /** Bahrain days, both included. */
    from: z.optional(dayInput),
    to: z.optional(dayInput),
  }),
  returns: page(webhookEvent),
})

export const replayWebhookEvent = endpoint({
  method: 'POST',
  path: '/api/admin/whatsapp/webhooks/{id}/replay',
  allow: 'super',
  summary: 'Work on an event once more',
  params: idParams,
  returns: webhookEvent,
  errors: ['WEBHOOK_EVENT_NOT_FOUND'],
})
