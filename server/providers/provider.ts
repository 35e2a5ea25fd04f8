import { fit } from '@qatra/contract/lib/fit'
import type { Lang } from '@qatra/contract/lib/lang'
import type { Outgoing } from './message.ts'

/** A text message to a phone. */
export interface OutboundText {
  /** E.164 */
  to: string
  lang: Lang
  /** The whole message, for channels without templates. */
  text: string
  /** Our id of the message; some providers return it with receipts. */
  reference: string
}

/** A login code to a phone. */
export interface OutboundCode extends OutboundText {
  code: string
}

/** A stored file, in a format that the channels accept. */
export interface OutboundFile {
  bytes: Buffer
  mimeType: string
  name: string
}

/** A message to a contact, by phone or else by business-scoped id. */
export interface OutboundMessage {
  to: { phone: string | null; businessScopedId: string | null }
  message: Outgoing
  reference: string
  /** Of a message with a stored file. */
  file?: OutboundFile | null
  /** The message that this one replies or reacts to. */
  context?: { messageId: string; isOwn: boolean; text: string } | null
}

/**
 * `busy`: certainly not accepted; may be retried (after `retryAfter` seconds, if the provider says so).
 * `undeliverable`: certainly not accepted and never will be. `stopped`: the account accepts no message until a person
 * fixes it. `template`: this template is not accepted for anybody, for example because it is paused. `window`: only
 * templates are accepted, since the customer's service window is closed. `unknown`: may have been sent, so it is never
 * retried.
 */
export type FailureKind = 'busy' | 'undeliverable' | 'stopped' | 'template' | 'window' | 'unknown'
export type Outcome =
  | { ok: true; messageId: string }
  | {
      ok: false
      kind: FailureKind
      error: { code: string; text: string }
      retryAfter?: number
      /** Of `busy`: concerns all messages, not only the one to this person. */
      isAccountWide?: boolean
    }

/** How the provider bills a message. */
export interface MessagePricing {
  isBillable: boolean
  /** `marketing`, `utility`, `authentication`, `service` … */
  category: string
  /** `PMP` by message, `CBP` by conversation */
  model: string | null
  /** `regular`, `free_customer_service`, `free_entry_point` */
  type: string | null
}

/** A provider's status of an accepted message. */
export type Receipt = 'sent' | 'delivered' | 'read' | 'failed'

export interface TextGateway {
  send: (outbound: OutboundText) => Promise<Outcome>
}

export interface CodeGateway {
  send: (outbound: OutboundCode) => Promise<Outcome>
}

/** `gone`: permanently unavailable. `large`: above the limit; with its size, if known. */
export type FetchedMedia =
  | { ok: true; bytes: Uint8Array }
  | { ok: false; kind: 'busy' | 'gone' }
  | { ok: false; kind: 'large'; size: number | null }

/** A channel for conversations. */
export interface MessageGateway {
  send: (outbound: OutboundMessage) => Promise<Outcome>
  /** Shows the customer that the message was read and, optionally, a typing indicator. Never throws. */
  markRead: (messageId: string, options?: { isTyping?: boolean }) => Promise<void>
  /** Fetches a customer's file; absent if the channel stores none. */
  fetchMedia?: (mediaId: string, maxBytes: number) => Promise<FetchedMedia>
  /** Whether free text is limited to the service window and other messages need templates. */
  hasWindow: boolean
}

export const failed = (kind: FailureKind, code: string, text: string, retryAfter?: number) => ({
  ok: false as const,
  kind,
  error: { code, text: fit(text, 300) },
  ...(retryAfter === undefined ? {} : { retryAfter }),
})
