import type { Lang } from '@qatra/contract/lang'
import type { Outgoing } from './message.ts'

/** Words on their way to a phone. */
export interface TextLetter {
  /** E.164 */
  to: string
  lang: Lang
  /** The whole message for channels that send words. */
  text: string
  /** Our id of the message; comes back with receipts where the provider knows how. */
  reference: string
}

/** A code on its way to a phone, as every gateway takes it. */
export interface CodeLetter extends TextLetter {
  code: string
}

/** Any message on its way to a contact: by phone where there is one, else by the business-scoped id. */
export interface Letter {
  to: { phone: string | null; businessScopedId: string | null }
  message: Outgoing
  reference: string
}

/**
 * `busy`: certainly not accepted, may be tried again (after `retryAfter` seconds, where the provider says so).
 * `undeliverable`: never will be. `stopped`: certainly not accepted, and nothing else will be until somebody sees to
 * the account. `unknown`: may have been sent, so it is never sent again.
 */
export type FailureKind = 'busy' | 'undeliverable' | 'stopped' | 'unknown'
export type Outcome =
  | { ok: true; messageId: string }
  | { ok: false; kind: FailureKind; error: { code: string; text: string }; retryAfter?: number }

/** What a provider reports of a message that it accepted. */
export type Receipt = 'sent' | 'delivered' | 'read' | 'failed'

export interface TextGateway {
  send: (letter: TextLetter) => Promise<Outcome>
}

export interface CodeGateway {
  send: (letter: CodeLetter) => Promise<Outcome>
}

/** `gone`: it will not come, however often it is asked for. `large`: longer than was asked for; how long, where it is told. */
export type FetchedMedia =
  | { ok: true; bytes: Uint8Array }
  | { ok: false; kind: 'busy' | 'gone' }
  | { ok: false; kind: 'large'; size: number | null }

/** A channel for conversations. */
export interface MessageGateway {
  send: (letter: Letter) => Promise<Outcome>
  /** Shows the customer that the message was read, and that an answer is being written. Never throws. */
  markRead: (messageId: string, options?: { isTyping?: boolean }) => Promise<void>
  /** What a customer sent; absent where the channel keeps nothing to be fetched. */
  fetchMedia?: (mediaId: string, maxBytes: number) => Promise<FetchedMedia>
  /** Free words only while the service window is open, news by templates. */
  hasWindow: boolean
}

export const failed = (kind: FailureKind, code: string, text: string, retryAfter?: number): Outcome => ({
  ok: false,
  kind,
  error: { code, text: text.slice(0, 300) },
  ...(retryAfter === undefined ? {} : { retryAfter }),
})
