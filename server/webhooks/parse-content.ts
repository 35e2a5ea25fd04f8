import type { Received, ReceivedParts, Sender } from '../conversations/received.ts'
import { cleanFileName } from '../lib/file-name.ts'
import { answersIn, orderedItemsIn } from './parse-forms.ts'
import { type Json, numberOf, objectOf, objectsIn, phoneIn, textOf } from './parse-json.ts'

/** What a message says, of any type. */
export type Content = Pick<Received, 'type' | 'content' | 'parts'>
const content = (type: Received['type'], text: string | null, parts: ReceivedParts = {}): Content => ({
  type,
  content: text ?? '',
  parts,
})

/** The type, words and parts of a message in the provider's format. */
export function contentOf(type: string, message: Json, from: Sender): Content {
  const part = objectOf(message[type])
  switch (type) {
    case 'text':
      return content('text', textOf(part['body']))
    case 'button': {
      const title = textOf(part['text'], 300) ?? ''
      return content('button', title, { id: textOf(part['payload'], 300) ?? title, title })
    }
    case 'interactive': {
      const kind = textOf(part['type'], 50)
      if (kind === 'nfm_reply') {
        const reply = objectOf(part['nfm_reply'])
        return content('flow', textOf(reply['body'], 300), { answers: answersIn(reply) })
      }
      if (kind !== 'list_reply' && kind !== 'button_reply') return content('unsupported', null)
      const reply = objectOf(part[kind])
      const title = textOf(reply['title'], 300) ?? ''
      return content(kind === 'list_reply' ? 'list' : 'button', title, { id: textOf(reply['id'], 300) ?? title, title })
    }
    case 'location':
      return location(part)
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return media(type, part)
    case 'contacts':
      return cards(message, from)
    case 'order':
      return content('order', textOf(part['text']), { items: orderedItemsIn(part) })
    case 'request_welcome':
      // The person opened the chat for the first time, and has written nothing.
      return content('text', '👋')
    case 'reaction': {
      const emoji = textOf(part['emoji'], 20)
      return content('reaction', emoji, emoji === null ? {} : { emoji })
    }
    default:
      return content('unsupported', null)
  }
}

function location(part: Json): Content {
  const [lat, lng] = [numberOf(part['latitude']), numberOf(part['longitude'])]
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return content('unsupported', null)
  const [place, address] = [textOf(part['name'], 300), textOf(part['address'], 500)]
  return content('location', `${lat},${lng}`, {
    lat,
    lng,
    ...(place ? { place } : {}),
    ...(address ? { address } : {}),
  })
}

function media(type: 'image' | 'video' | 'audio' | 'document' | 'sticker', part: Json): Content {
  const [mediaId, mimeType, filename] = [
    textOf(part['id'], 1_000),
    textOf(part['mime_type'], 100),
    textOf(cleanFileName(textOf(part['filename'], 200) ?? '')),
  ]
  return content(type, textOf(part['caption']) ?? filename, {
    ...(mediaId ? { mediaId } : {}),
    ...(mimeType ? { mimeType } : {}),
    ...(filename ? { filename } : {}),
    ...(part['voice'] === true ? { isVoice: true } : {}),
  })
}

/**
 * Anybody can send anybody's card. A card is the sender's own only if the provider names the same number as the sender
 * of this message; accounts without a visible number are treated like a typed number.
 */
function cards(message: Json, from: Sender): Content {
  const all = objectsIn(message['contacts'])
  const phones = all
    .flatMap((card) => objectsIn(card['phones']))
    .flatMap(({ wa_id, phone }) => phoneIn(wa_id) ?? phoneIn(textOf(phone, 40)?.replace(/[\s()-]/g, '')) ?? [])
  const names = all.map((card) => textOf(objectOf(card['name'])['formatted_name'], 100) ?? '').filter(Boolean)
  const isOwnPhone = all.length === 1 && phones.length === 1 && phones[0] === from.phone
  return content('contacts', names.join('، ') || (phones[0] ?? ''), { phones: phones.slice(0, 20), isOwnPhone })
}
