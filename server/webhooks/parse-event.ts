import type { Received, ReceivedParts, Sender } from '../conversations/received.ts'
import { cleanFileName } from '../lib/file-name.ts'
import type { Receipt } from '../providers/provider.ts'
import {
  type Json,
  numberOf,
  objectOf,
  objectsIn,
  phoneIn,
  scopedIdIn,
  senderIn,
  textOf,
  timeIn,
} from './parse-json.ts'

/** Parsed meaning of an event. */
export type ParsedEvent =
  | { kind: 'message'; message: Received }
  | { kind: 'receipt'; receipt: ReceiptNews }
  | { kind: 'number'; from: Sender; phone: string | null; businessScopedId: string | null }
  | { kind: 'preference'; from: Sender; isOut: boolean; at: Date }
  | { kind: 'template'; name: string; language: string; status: string; reason: string | null }
  /** Nothing to do, and why. */
  | { kind: 'ignored'; reason: string }
  /** A known event with missing or invalid fields. */
  | { kind: 'broken'; reason: string }

export interface ReceiptNews {
  messageId: string
  reference: string | null
  status: Receipt
  at: Date
  error?: { code: string; text: string; kind: string }
}

const receipts: readonly string[] = ['sent', 'delivered', 'read', 'failed']
const ignored = (reason: string): ParsedEvent => ({ kind: 'ignored', reason })
const broken = (reason: string): ParsedEvent => ({ kind: 'broken', reason })

/** Pure: depends only on its arguments. `now` replaces a missing time of the event. */
export function parseEvent(payload: unknown, now: Date): ParsedEvent[] {
  const change = objectOf(payload)
  const field = textOf(change['field'], 100)
  const value = objectOf(change['value'])
  if (field === 'messages') {
    const people = objectsIn(value['contacts'])
    const all = [
      ...objectsIn(value['messages']).map((message) => meaningOfMessage(message, people[0] ?? {}, now)),
      ...objectsIn(value['statuses']).map((status) => meaningOfStatus(status, now)),
      ...(objectsIn(value['errors']).length > 0 ? [ignored('The provider reports errors of the account')] : []),
    ]
    return all.length > 0 ? all : [ignored('There is nothing in it')]
  }
  if (field === 'user_preferences') return preferences(value, now)
  if (field === 'user_id_update') return movedIds(value)
  if (field === 'message_template_status_update') return [templateStatus(value)]
  return [ignored(field === null ? 'The change has no field' : `Unsupported field: ${field.slice(0, 60)}`)]
}

const controls = /[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

function senderOf(message: Json, person: Json): Sender {
  const profile = objectOf(person['profile'])
  const name = textOf(profile['name'] ?? profile['username'], 300)
    ?.replace(controls, '')
    .trim()
    .slice(0, 100)
  return {
    ...senderIn(message, person),
    name: name ? name.toWellFormed() : null,
  }
}

function meaningOfMessage(message: Json, person: Json, now: Date): ParsedEvent {
  const providerId = textOf(message['id'], 250)
  if (providerId === null) return broken('The message has no id')
  const from = senderOf(message, person)
  if (from.phone === null && from.businessScopedId === null) return broken('The message has no sender')
  const type = textOf(message['type'], 50) ?? 'unknown'
  if (type === 'system') {
    const system = objectOf(message['system'])
    const phone = phoneIn(system['wa_id'] ?? system['new_wa_id'])
    const businessScopedId = scopedIdIn(system['user_id'])
    if (phone === null && businessScopedId === null) return ignored('A word of the system')
    return { kind: 'number', from: { ...from, businessScopedId: null }, phone, businessScopedId }
  }
  const at = timeIn(message['timestamp']) ?? now
  const contextId = textOf(objectOf(message['context'])['id'], 250)
  return {
    kind: 'message',
    message: { providerId, channel: 'whatsapp', from, at, contextId, ...contentOf(type, message, from) },
  }
}

type Content = Pick<Received, 'type' | 'content' | 'parts'>
const content = (type: Received['type'], text: string | null, parts: ReceivedParts = {}): Content => ({
  type,
  content: text ?? '',
  parts,
})

function contentOf(type: string, message: Json, from: Sender): Content {
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
    textOf(part['id'], 200),
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

function meaningOfStatus(status: Json, now: Date): ParsedEvent {
  const [messageId, name] = [textOf(status['id'], 250), textOf(status['status'], 30)]
  if (messageId === null) return broken('The receipt has no message')
  // `played` means a voice message was played, which counts as read; newer statuses are ignored.
  const known = name === 'played' ? 'read' : name
  if (known === null || !receipts.includes(known)) return ignored('An unknown receipt')
  const [error] = objectsIn(status['errors'])
  const details = objectOf(error?.['error_data'])
  const text = [error?.['title'] ?? error?.['message'], details['details']].filter((one) => typeof one === 'string')
  return {
    kind: 'receipt',
    receipt: {
      messageId,
      reference: textOf(status['biz_opaque_callback_data'], 100),
      status: known as Receipt, // checked one line above
      at: timeIn(status['timestamp']) ?? now,
      ...(error && known === 'failed'
        ? { error: { code: String(error['code'] ?? ''), text: text.join(': ').slice(0, 300), kind: 'undeliverable' } }
        : {}),
    },
  }
}

function preferences(value: Json, now: Date): ParsedEvent[] {
  const all = objectsIn(value['user_preferences']).map((one): ParsedEvent => {
    const from = { phone: phoneIn(one['wa_id']), businessScopedId: scopedIdIn(one['user_id']), name: null }
    if (from.phone === null && from.businessScopedId === null) return broken('The preference has no phone or user id')
    if (one['category'] !== 'marketing_messages') return ignored('A preference about something else')
    if (one['value'] !== 'stop' && one['value'] !== 'resume') return ignored('An unknown preference')
    return { kind: 'preference', from, isOut: one['value'] === 'stop', at: timeIn(one['timestamp']) ?? now }
  })
  return all.length > 0 ? all : [broken('There is no preference in it')]
}

function movedIds(value: Json): ParsedEvent[] {
  const all = objectsIn(value['user_id_update']).map((one): ParsedEvent => {
    const ids = objectOf(one['user_id'])
    const [before, after] = [scopedIdIn(ids['previous']), scopedIdIn(ids['current'])]
    if (after === null) return broken('There is no new id')
    const from = { phone: phoneIn(one['wa_id']), businessScopedId: before, name: null }
    return { kind: 'number', from, phone: null, businessScopedId: after }
  })
  return all.length > 0 ? all : [broken('There is no id in it')]
}

function templateStatus(value: Json): ParsedEvent {
  const name = textOf(value['message_template_name'], 512)
  const language = textOf(value['message_template_language'], 20)
  const status = textOf(value['event'], 50)
  if (name === null || language === null || status === null) return broken('The template has no name')
  return { kind: 'template', name, language, status, reason: textOf(value['reason'], 300) }
}
