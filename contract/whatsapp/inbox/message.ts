import * as z from 'zod/mini'
import { instant } from '../../lib/ids.ts'

/** A member of staff. */
export const person = z.object({ id: z.number(), name: z.nullable(z.string()) })

export const messageStatuses = ['queued', 'unknown', 'sent', 'delivered', 'read', 'failed', 'received'] as const
export type MessageStatus = (typeof messageStatuses)[number]
/** `phone`: written on the shop's own phone, beside this system. */
export const senders = ['customer', 'bot', 'staff', 'phone', 'system', 'campaign'] as const
export type Sender = (typeof senders)[number]

/**
 * Why a file is not stored: the provider did not respond or no longer has it; its type is not accepted; it is too
 * large; the contact exceeded the daily limit; the picture cannot be decoded or has too many pixels.
 */
export const fileProblems = ['away', 'gone', 'kind', 'large', 'much', 'broken'] as const
export type FileProblem = (typeof fileProblems)[number]

/** A voice message, video, document or missing picture: being fetched, stored, or metadata only. */
export const messageFile = z.object({
  state: z.enum(['fetching', 'kept', 'named']),
  /** Detected from the contents. */
  mimeType: z.nullable(z.string()),
  /** Bytes, if known. */
  size: z.nullable(z.number()),
  seconds: z.nullable(z.number()),
  problem: z.nullable(z.enum(fileProblems)),
  /** Fetching can be retried. */
  mayRetry: z.boolean(),
})
export type MessageFile = z.output<typeof messageFile>

/** Non-text parts of a message for the admin area, without the provider's media ids. */
export const messageParts = z.object({
  lat: z.optional(z.number()),
  lng: z.optional(z.number()),
  place: z.optional(z.string()),
  filename: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  isVoice: z.optional(z.boolean()),
  /** What a model heard in a voice message. */
  transcript: z.optional(z.string()),
  /** Dimensions of a stored picture; `file` tells why there is none. */
  picture: z.optional(z.object({ width: z.number(), height: z.number() })),
  file: z.optional(messageFile),
  emoji: z.optional(z.string()),
  /** Products of an order from Meta's catalogue; without a name if we do not have the product. */
  items: z.optional(
    z.array(
      z.object({
        id: z.string(),
        name: z.nullable(z.string()),
        nameAr: z.nullable(z.string()),
        size: z.nullable(z.string()),
        quantity: z.number(),
      }),
    ),
  ),
  /** Answers of a filled-in form. */
  answers: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  /** Reactions to this message; at most one of each side. */
  reactions: z.optional(z.array(z.object({ emoji: z.string(), isOwn: z.boolean() }))),
  phones: z.optional(z.array(z.string())),
  template: z.optional(z.string()),
  header: z.optional(z.string()),
  footer: z.optional(z.string()),
  /** Labels of the offered buttons or rows. */
  choices: z.optional(z.array(z.string())),
})
export type MessageParts = z.output<typeof messageParts>

export const message = z.object({
  id: z.number(),
  direction: z.enum(['incoming', 'outgoing']),
  channel: z.enum(['whatsapp', 'sms', 'telegram', 'push']),
  type: z.string(),
  text: z.string(),
  parts: messageParts,
  status: z.enum(messageStatuses),
  /** Error of a failed or unknown message, in the provider's words. */
  problem: z.nullable(z.object({ code: z.string(), text: z.string(), kind: z.string() })),
  /** Staff can retry sending; the message was not retried yet. */
  mayRetry: z.boolean(),
  isRetried: z.boolean(),
  by: z.object({ type: z.enum(senders), user: z.nullable(person) }),
  at: instant,
  /** The customer's last edit. */
  editedAt: z.nullable(instant),
  sentAt: z.nullable(instant),
  deliveredAt: z.nullable(instant),
  seenAt: z.nullable(instant),
  /** Incoming messages: read by staff. */
  isRead: z.boolean(),
  /** It can be quoted and reacted to. */
  isQuotable: z.boolean(),
  answers: z.nullable(
    z.object({ id: z.number(), text: z.string(), type: z.string(), direction: z.enum(['incoming', 'outgoing']) }),
  ),
})
export type Message = z.output<typeof message>
