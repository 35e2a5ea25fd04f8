/** A message that came in, in our own words, whatever channel brought it. */
export interface Received {
  /** The provider's id; the same message comes more than once. */
  providerId: string
  channel: 'whatsapp' | 'telegram'
  from: Sender
  /** The sender's clock. */
  at: Date
  type: ReceivedType
  /** The message in words: text, the title of what was chosen, a caption, or `lat,lng`. */
  content: string
  /** What there is besides: see `ReceivedParts`. */
  parts: ReceivedParts
  /** The provider's id of the message that this one answers. */
  contextId: string | null
}

export const receivedTypes = [
  'text',
  /** A press: `parts.id` is the id we gave the button. */
  'button',
  /** A row of a list: `parts.id` is the id we gave the row. */
  'list',
  /** `parts.lat`, `parts.lng` */
  'location',
  /** Cards of an address book: `parts.phones`. */
  'contacts',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'reaction',
  /** What nobody here can read. */
  'unsupported',
] as const
export type ReceivedType = (typeof receivedTypes)[number]

export interface ReceivedParts {
  id?: string
  title?: string
  lat?: number
  lng?: number
  place?: string
  address?: string
  /** E.164, as far as they are numbers at all. */
  phones?: string[]
  /** The one card is the sender's own: its number is the one that the provider vouches for with this message. */
  isOwnPhone?: boolean
  mediaId?: string
  mimeType?: string
  filename?: string
  isVoice?: boolean
  emoji?: string
}

/** Whoever writes: by phone, by the business-scoped id that newer accounts show instead, or by both. */
export interface Sender {
  phone: string | null
  businessScopedId: string | null
  name: string | null
}
