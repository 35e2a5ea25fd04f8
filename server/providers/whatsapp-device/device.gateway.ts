import { setTimeout as sleep } from 'node:timers/promises'
import { type Outgoing, wordsOf } from '../message.ts'
import { type CodeGateway, failed, type MessageGateway, type OutboundMessage, type Outcome } from '../provider.ts'
import { idOf, jidOf } from './ids.ts'
import type { DeviceSocket } from './library.ts'
import { newOwnId } from './own-messages.ts'

/** A device has no lists or buttons: options become numbered text and are chosen by number or name. */
export function plainWords(message: Outgoing): string {
  const numbered = (titles: readonly string[]) => titles.map((title, index) => `${index + 1}. ${title}`)
  switch (message.type) {
    case 'list': {
      const rows = message.sections.flatMap((section) => section.rows)
      return [
        message.text,
        ...numbered(rows.map(({ title, description }) => (description ? `${title} · ${description}` : title))),
      ].join('\n')
    }
    case 'buttons':
      return [message.text, ...numbered(message.buttons.map(({ title }) => title))].join('\n')
    case 'text':
    case 'template':
    case 'location-request':
      return message.text
    case 'location':
    case 'reaction':
      return wordsOf(message)
    default:
      return [message.caption, message.link].filter(Boolean).join('\n')
  }
}

/** The library's form of a message. */
function contentOf({ to, message, file, context }: OutboundMessage): object {
  switch (message.type) {
    case 'location': {
      const { lat: degreesLatitude, lng: degreesLongitude, name, address } = message
      return { location: { degreesLatitude, degreesLongitude, name, address } }
    }
    case 'reaction':
      return { react: { text: message.emoji, key: keyOf(to, { messageId: message.messageId, isOwn: context?.isOwn }) } }
    case 'image':
    case 'video':
      return file ? { [message.type]: file.bytes, mimetype: file.mimeType, caption: message.caption } : plain(message)
    case 'audio':
      return file
        ? { audio: file.bytes, mimetype: mimeOfAudio(file.mimeType), ptt: message.isVoice === true }
        : plain(message)
    case 'document': {
      const { caption } = message
      return file ? { document: file.bytes, mimetype: file.mimeType, fileName: file.name, caption } : plain(message)
    }
    default:
      return plain(message)
  }
}

const plain = (message: Outgoing) => ({ text: plainWords(message) })
/** Phones play a voice message only with its codec named. */
const mimeOfAudio = (mimeType: string) => (mimeType === 'audio/ogg' ? 'audio/ogg; codecs=opus' : mimeType)

const keyOf = (
  to: OutboundMessage['to'],
  { messageId, isOwn = false }: { messageId: string; isOwn?: boolean | undefined },
) => ({
  remoteJid: jidOf(to),
  id: messageId.replace(/^web\./, ''),
  fromMe: isOwn,
})

/** The library quotes a message by its key and text. */
const quoted = ({ to, message, context }: OutboundMessage) =>
  context && message.type !== 'reaction'
    ? { quoted: { key: keyOf(to, context), message: { conversation: context.text } } }
    : {}

/** Numbers that send faster than a person types get banned. */
const INTERVAL_MS = 1_200
const TIMEOUT_MS = 20_000

/** Sends messages and codes by the linked device; `socketOf` is null while it is disconnected. */
export function deviceGateway(
  socketOf: () => DeviceSocket | null,
  intervalMs = INTERVAL_MS,
): { messages: MessageGateway; codes: CodeGateway } {
  let turn: Promise<unknown> = Promise.resolve()

  async function write(jid: string | null, content: object, options: object): Promise<Outcome> {
    const socket = socketOf()
    if (jid === null) return failed('undeliverable', 'NO_ADDRESS', 'This contact has no address for a linked device')
    if (!socket) return failed('busy', 'NOT_CONNECTED', 'The linked device is not connected', 15)
    try {
      const late = new AbortController()
      const sent = await Promise.race([
        socket.sendMessage(jid, content, { ...options, messageId: newOwnId() }),
        sleep(TIMEOUT_MS, null, { signal: late.signal, ref: false }),
      ]).finally(() => late.abort())
      const id = sent?.key.id
      return id ? { ok: true, messageId: idOf(id) } : failed('unknown', 'NO_ANSWER', 'The linked device did not answer')
    } catch (error) {
      return failed('unknown', error instanceof Error ? error.name : 'Error', 'The linked device failed')
    }
  }
  const inTurn = (jid: string | null, content: object, options: object = {}) => {
    const mine = turn.then(() => write(jid, content, options))
    turn = mine.then(() => sleep(intervalMs))
    return mine
  }
  return {
    messages: {
      hasWindow: false,
      send: (outbound) => inTurn(jidOf(outbound.to), contentOf(outbound), quoted(outbound)),
      markRead: async () => {},
    },
    codes: { send: ({ to, text }) => inTurn(jidOf({ phone: to, businessScopedId: null }), { text }) },
  }
}
