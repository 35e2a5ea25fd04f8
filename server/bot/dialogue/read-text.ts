import type { Coordinates } from '@qatra/contract/places/geo'
import { mapLinkIn, pointInLink } from '../../geocoding/map-links.ts'
import { writtenPlaceIn } from '../../geocoding/written-places.ts'
import { type Understanding, understand } from '../understanding/understand.ts'
import type { CartLine, Memory } from './memory.ts'
import type { TurnContext } from './replies.ts'
import type { Facts, Incoming } from './turn-context.ts'

const label =
  /^[>\s\p{So}\uFE0F*_[(]*(?:forwarded(?: message)?|fwd?|رساله? محول[هة]|رسالة محول[هة]|محول[هة]|تمت? إعادة (?:ال)?(?:توجيه|تحويل)(?:ها)?|معاد توجيهها)(?:[*_\])]+[:：]?\s*|\s*[:：]\s*|\s*\n+)/iu
/** `[10:42 AM, 11/21/2026] Ahmed: `, `[21/11/2026, 10:42:15] أحمد: `, `21/11/2026, 10:42 - Ahmed: ` */
const copied =
  /^[\u200e\u200f\s>]*(?:\[[^\]\n]{6,40}\]\s*[^:\n[\]]{1,40}:|[\d٠-٩]{1,2}[/.][\d٠-٩]{1,2}[/.][\d٠-٩]{2,4}[،,]?\s[^\n]{3,14}\s-\s[^:\n]{1,40}:)\s*/u

/** Forwarded and copied text without the label and the sender before each line. */
export function withoutLabel(text: string): string {
  const bare = text.replace(label, '')
  if (bare === text && !copied.test(text) && !/^\s*>/u.test(text)) return text
  return bare
    .split('\n')
    .map((line) => line.replace(copied, '').replace(/^\s*>\s?/u, ''))
    .join('\n')
    .trim()
}

export interface ReadText {
  /** What is left to understand. */
  text: string
  /** Where the map link, the coordinates or the plus code of the text lead to. */
  point: Coordinates | null
  /** Whether the place is a shared location, not a link. */
  isPin: boolean
  /** A map link whose place is not known. */
  isLinkUnread: boolean
}

/** The words of a written message, and the place that its map link or its pin stands for. */
export function readText({ content, parts }: Incoming): ReadText {
  const { lat, lng } = parts
  const text = withoutLabel(content)
  const link = mapLinkIn(text)
  const pin = lat === undefined || lng === undefined ? null : { lat, lng }
  const written = link ? null : writtenPlaceIn(text)
  const point = pin ?? (link ? pointInLink(link.url) : (written?.point ?? null))
  const place = link?.text ?? written?.text
  return {
    text: place ? text.replace(place, ' ').trim() : text,
    point,
    isPin: pin !== null,
    isLinkUnread: link !== null && point === null,
  }
}

/** What a message is read with. */
export interface ReadingContext extends Pick<Facts, 'catalogue'> {
  memory: Memory
  cart: { vendorId: number | null; items: readonly CartLine[] }
}

const isWritten = ({ type, content, parts }: Incoming) =>
  ['text', 'button', 'list'].includes(type) ||
  (['image', 'video', 'document'].includes(type) && content !== parts.filename)

/** What is read of a message: its words or its caption. */
export const wordsIn = (incoming: Incoming): string => (isWritten(incoming) ? readText(incoming).text : '')

/** Reads a text, or the words of a message, with what the conversation knows. */
export function meaningOf(
  written: string | Incoming,
  { memory, cart, catalogue, isLiteral }: ReadingContext & { isLiteral?: boolean },
): Understanding {
  const { state, vendorId, productId } = memory
  const known = {
    state,
    vendorId: vendorId ?? cart.vendorId,
    productId: state === 'quantity' ? productId : null,
    cart: cart.items.map(({ productId, quantity }) => ({ productId, quantity })),
    lastOrder: [],
  }
  return understand(typeof written === 'string' ? written : wordsIn(written), catalogue, known, isLiteral)
}

/** By WhatsApp's own flag or by the mark before the text. */
export const isForwarded = ({ parts, content }: Incoming): boolean => parts.isForwarded === true || label.test(content)

/** The words of another, forwarded, agree to nothing, and `صح؟` asks. */
export const isYes = ({ meaning, incoming }: TurnContext) =>
  meaning.intent === 'yes' && meaning.isExplained && !isForwarded(incoming) && !/[?؟]/u.test(incoming.content)
