import { idOf } from '../providers/whatsapp-device/ids.ts'
import type { DeviceEvents, DeviceMessage } from '../providers/whatsapp-device/library.ts'
import { deviceMediaId } from '../providers/whatsapp-device/media.ts'
import { isOwnId } from '../providers/whatsapp-device/own-messages.ts'
import { objectOf, objectsIn, textOf } from '../webhooks/parse-json.ts'

/** Converts the linked device's events into webhook calls of the Cloud API, which are processed the same way. */
const call = (value: object, field = 'messages') => ({
  entry: [{ id: 'linked-device', changes: [{ field, value: { messaging_product: 'whatsapp', ...value } }] }],
})

const phoneOf = (jid: string | null | undefined) =>
  /^(\d{8,15})(?::\d+)?@s\.whatsapp\.net$/.exec(jid ?? '')?.[1] ?? null
const privateIdOf = (jid: string | null | undefined) => /^(\d{5,30})(?::\d+)?@lid$/.exec(jid ?? '')?.[1] ?? null

/** Seconds since 1970, as a number, text or the library's long integer. */
const secondsOf = (value: unknown) =>
  String(typeof value === 'object' && value !== null ? String(value) : (value ?? ''))

/** Null for messages of this system, groups, statuses and everything else outside of one-to-one chats. */
export function callOfMessage({ key, pushName, messageTimestamp, message }: DeviceMessage): object | null {
  if (!key.id || !message || (key.fromMe && isOwnId(key.id))) return null
  const jids = [key.remoteJid, key.remoteJidAlt]
  const from = jids.map(phoneOf).find((one) => one !== null) ?? null
  const privateId = jids.map(privateIdOf).find((one) => one !== null) ?? null
  if (from === null && privateId === null) return null
  const content = contentOf(message)
  if (!content) return null
  const quotedId = quotedIn(message)
  const context = quotedId === null ? {} : { context: { id: idOf(quotedId) } }
  const about = { id: idOf(key.id), timestamp: secondsOf(messageTimestamp), ...context, ...content }
  if (key.fromMe) {
    const to = { ...(from ? { to: from } : {}), ...(privateId ? { to_user_id: `LID.${privateId}` } : {}) }
    return call({ message_echoes: [{ ...about, ...to }] }, 'smb_message_echoes')
  }
  const ids = { ...(from ? { from } : {}), ...(privateId ? { from_user_id: `LID.${privateId}` } : {}) }
  return call({
    contacts: [{ profile: pushName ? { name: pushName } : {}, ...(from ? { wa_id: from } : {}) }],
    messages: [{ ...about, ...ids }],
  })
}

/** The id of the quoted message. */
function quotedIn(wrapped: Record<string, unknown>): string | null {
  for (const part of Object.values(opened(wrapped))) {
    const id = textOf(objectOf(objectOf(part)['contextInfo'])['stanzaId'], 200)
    if (id !== null) return id
  }
  return null
}

const kindOfMedia: Readonly<Record<string, string>> = {
  imageMessage: 'image',
  videoMessage: 'video',
  audioMessage: 'audio',
  documentMessage: 'document',
  stickerMessage: 'sticker',
  /** A round video. */
  ptvMessage: 'video',
}

/** Kinds that say nothing: keys, markers, acts on other messages, and what is sealed for WhatsApp's own features. */
const silentKinds: ReadonlySet<string> = new Set([
  ...['messageContextInfo', 'senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage'],
  ...['albumMessage', 'pinInChatMessage', 'keepInChatMessage', 'commentMessage', 'encCommentMessage'],
  ...['encReactionMessage', 'encEventResponseMessage', 'secretEncryptedMessage', 'pollUpdateMessage'],
  // The library's spelling.
  ...['call', 'callLogMesssage', 'bcallMessage', 'scheduledCallCreationMessage', 'scheduledCallEditMessage'],
  ...['stickerSyncRmrMessage', 'placeholderMessage', 'messageHistoryBundle', 'messageHistoryNotice'],
])

const DEEPEST = 6

/**
 * Unwraps messages within messages: disappearing, seen once, of an album, edited, sent on another device. Each wrapper is
 * a part with a `message` of its own; a comment has one too, about another message.
 */
function opened(message: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const inner = Object.entries(message)
    .filter(([name]) => !silentKinds.has(name))
    .map(([, part]) => objectOf(objectOf(part)['message']))
    .find((one) => Object.keys(one).length > 0)
  return inner && depth < DEEPEST ? opened(inner, depth + 1) : message
}

function contentOf(wrapped: Record<string, unknown>): object | null {
  const message = opened(wrapped)
  const body = textOf(message['conversation']) ?? textOf(objectOf(message['extendedTextMessage'])['text'])
  if (body !== null) return { type: 'text', text: { body } }
  const place = message['locationMessage'] ?? message['liveLocationMessage']
  if (place) {
    const { degreesLatitude: latitude, degreesLongitude: longitude, name, address, caption } = objectOf(place)
    return { type: 'location', location: { latitude, longitude, name: name ?? caption, address } }
  }
  const choice = choiceOf(message)
  if (choice) return choice
  for (const [name, type] of Object.entries(kindOfMedia)) {
    if (!message[name]) continue
    const {
      mimetype: mime_type,
      caption,
      fileName: filename,
      ptt: voice,
      directPath,
      mediaKey,
    } = objectOf(message[name])
    const id = deviceMediaId(type, directPath, mediaKey)
    return { type, [type]: { ...(id ? { id } : {}), mime_type, caption, filename, voice } }
  }
  if (message['reactionMessage']) {
    const { text: emoji, key } = objectOf(message['reactionMessage'])
    const reacted = textOf(objectOf(key)['id'], 200)
    return { type: 'reaction', reaction: { emoji, ...(reacted === null ? {} : { message_id: idOf(reacted) }) } }
  }
  if (message['protocolMessage']) return changeOf(objectOf(message['protocolMessage']))
  const cards = [message['contactMessage'], ...objectsIn(objectOf(message['contactsArrayMessage'])['contacts'])]
  const contacts = objectsIn(cards).map((card) => {
    const vcard = textOf(card['vcard']) ?? ''
    const id = /waid=(\d{8,15})/.exec(vcard)?.[1]
    // People who are not on WhatsApp have a number without an id.
    const phone = /^(?:item\d+\.)?TEL[^:\r\n]{0,200}:([^\r\n]{8,40})/im.exec(vcard)?.[1]
    const phones = id ? [{ wa_id: id }] : phone ? [{ phone: phone.replace(/^tel:/i, '').trim() }] : []
    return { name: { formatted_name: card['displayName'] }, phones }
  })
  if (contacts.length > 0) return { type: 'contacts', contacts }
  return Object.keys(message).every((name) => silentKinds.has(name)) ? null : { type: 'unsupported' }
}

/** A chosen row of a list, or a pressed button. */
function choiceOf(message: Record<string, unknown>): object | null {
  const list = objectOf(message['listResponseMessage'])
  const row = textOf(objectOf(list['singleSelectReply'])['selectedRowId'], 300)
  if (row !== null) {
    const list_reply = { id: row, title: list['title'], description: list['description'] }
    return { type: 'interactive', interactive: { type: 'list_reply', list_reply } }
  }
  const pressed = objectOf(message['buttonsResponseMessage'] ?? message['templateButtonReplyMessage'])
  const id = textOf(pressed['selectedButtonId'] ?? pressed['selectedId'], 300)
  if (id === null) return null
  const button_reply = { id, title: pressed['selectedDisplayText'] }
  return { type: 'interactive', interactive: { type: 'button_reply', button_reply } }
}

/** The library's types of protocol messages; the others are keys and settings. */
const REVOKE = 0
const EDIT = 14

/** An edited or deleted message. */
function changeOf({ type, key, editedMessage }: Record<string, unknown>): object | null {
  const original = textOf(objectOf(key)['id'], 200)
  if (original === null) return null
  const original_message_id = idOf(original)
  // A protocol message without a type is a deletion: zero is not written.
  if (type === REVOKE || type === undefined) return { type: 'revoke', revoke: { original_message_id } }
  const message = type === EDIT ? contentOf(objectOf(editedMessage)) : null
  return message && { type: 'edit', edit: { original_message_id, message } }
}

const receipts: Readonly<Record<number, string>> = { 0: 'failed', 2: 'sent', 3: 'delivered', 4: 'read', 5: 'read' }

/** Null if none is a receipt of an own message. */
export function callOfReceipts(updates: DeviceEvents['messages.update']): object | null {
  const statuses = updates.flatMap(({ key, update }) => {
    const status = receipts[update.status ?? -1]
    if (!key.fromMe || !key.id || status === undefined) return []
    return [{ id: idOf(key.id), status, timestamp: String(Math.floor(Date.now() / 1000)) }]
  })
  return statuses.length > 0 ? call({ statuses }) : null
}
