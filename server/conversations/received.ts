import type { Referral } from '@qatra/contract/users/referral'

/** An incoming message, independent of its channel. */
export interface Received {
  /** The provider's id; the same message can arrive more than once. */
  providerId: string
  channel: 'whatsapp' | 'telegram'
  from: Sender
  /** The sender's clock. */
  at: Date
  type: ReceivedType
  /** Text of the message: text, title of the chosen option, caption, or `lat,lng`. */
  content: string
  /** Additional fields, see `ReceivedParts`. */
  parts: ReceivedParts
  /** Provider's id of the message that this one replies to. */
  contextId: string | null
}

export const receivedTypes = [
  'text',
  /** A pressed button: `parts.id` is the id we gave it. */
  'button',
  /** A chosen list row: `parts.id` is the id we gave it. */
  'list',
  /** `parts.lat`, `parts.lng`, which a text with a map link has too. */
  'location',
  /** Contact cards: `parts.phones`. */
  'contacts',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'reaction',
  /** Products of Meta's catalogue: `parts.items`. */
  'order',
  /** A filled-in form: `parts.answers`. */
  'flow',
  /** A type without support here. */
  'unsupported',
] as const
export type ReceivedType = (typeof receivedTypes)[number]

/** Types of messages with a file that the provider stores. */
export const typesWithFile: readonly string[] = ['image', 'sticker', 'audio', 'video', 'document']

export interface ReceivedParts {
  id?: string
  title?: string
  lat?: number
  lng?: number
  place?: string
  address?: string
  /** E.164; entries that are not phone numbers are left out. */
  phones?: string[]
  /** The single card is the sender's own: the provider confirms its number with this message. */
  isOwnPhone?: boolean
  mediaId?: string
  mimeType?: string
  filename?: string
  isVoice?: boolean
  /** Of a sound: what a model heard; empty if it could not. Missing while it listens, and without a model. */
  transcript?: string
  isForwarded?: boolean
  /** The place behind a short link in the text was looked up and not found; a found one is in `lat` and `lng`. */
  isLinkUnread?: boolean
  emoji?: string
  items?: OrderedItem[]
  answers?: { name: string; value: string }[]
  referral?: Referral
}

/** A product of Meta's catalogue. */
export interface OrderedItem {
  /** Set by us in the catalogue: the id of our product. */
  retailerId: string
  quantity: number
}

/** PostgreSQL rejects NUL and unpaired surrogates. */
export const storable = (text: string) => text.replaceAll('\u0000', '').toWellFormed()

/** A message that the shop sent from its own phone. */
export interface Echo extends Pick<Received, 'providerId' | 'at' | 'type' | 'content' | 'parts' | 'contextId'> {
  to: Sender
}

/** Sender: phone, business-scoped id of newer accounts, or both. */
export interface Sender {
  phone: string | null
  businessScopedId: string | null
  name: string | null
}
