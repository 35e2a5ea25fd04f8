import * as z from 'zod/mini'
import { instant } from './ids.ts'

/** Somebody of the staff. */
export const person = z.object({ id: z.number(), name: z.nullable(z.string()) })

export const messageStatuses = ['queued', 'unknown', 'sent', 'delivered', 'read', 'failed', 'received'] as const
export type MessageStatus = (typeof messageStatuses)[number]
export const senders = ['customer', 'bot', 'staff', 'system', 'campaign'] as const
export type Sender = (typeof senders)[number]

/**
 * Why a file is only named: the provider did not answer, or has it no longer; its kind is none that is kept; it is too
 * large; the contact sent too much in a day.
 */
export const fileProblems = ['away', 'gone', 'kind', 'large', 'much'] as const
export type FileProblem = (typeof fileProblems)[number]

/** A voice message, video or document: on its way here, here, or only named. */
export const messageFile = z.object({
  state: z.enum(['fetching', 'kept', 'named']),
  /** By its contents. */
  mimeType: z.nullable(z.string()),
  /** Bytes, as far as that is known. */
  size: z.nullable(z.number()),
  seconds: z.nullable(z.number()),
  problem: z.nullable(z.enum(fileProblems)),
  /** May be asked for once more. */
  mayRetry: z.boolean(),
})
export type MessageFile = z.output<typeof messageFile>

/** What the office may see of what is no text: ids to fetch it by are not among it. */
export const messageParts = z.object({
  lat: z.optional(z.number()),
  lng: z.optional(z.number()),
  place: z.optional(z.string()),
  filename: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  isVoice: z.optional(z.boolean()),
  /** What may be looked at is there; what is only named was not fetched, or is no picture. */
  picture: z.optional(z.object({ width: z.number(), height: z.number() })),
  file: z.optional(messageFile),
  emoji: z.optional(z.string()),
  phones: z.optional(z.array(z.string())),
  template: z.optional(z.string()),
  header: z.optional(z.string()),
  footer: z.optional(z.string()),
  /** Words of the buttons or rows that were offered. */
  choices: z.optional(z.array(z.string())),
})
export type MessageParts = z.output<typeof messageParts>

export const message = z.object({
  id: z.number(),
  direction: z.enum(['incoming', 'outgoing']),
  channel: z.enum(['whatsapp', 'sms', 'telegram']),
  type: z.string(),
  text: z.string(),
  parts: messageParts,
  status: z.enum(messageStatuses),
  /** Why it failed or is not known; the provider's own words. */
  problem: z.nullable(z.object({ code: z.string(), text: z.string(), kind: z.string() })),
  /** May be sent once more, which it was not yet. */
  mayRetry: z.boolean(),
  isRetried: z.boolean(),
  by: z.object({ type: z.enum(senders), user: z.nullable(person) }),
  at: instant,
  sentAt: z.nullable(instant),
  deliveredAt: z.nullable(instant),
  seenAt: z.nullable(instant),
  /** Of what came in: read by the shop's people. */
  isRead: z.boolean(),
  answers: z.nullable(
    z.object({ id: z.number(), text: z.string(), type: z.string(), direction: z.enum(['incoming', 'outgoing']) }),
  ),
})
export type Message = z.output<typeof message>
