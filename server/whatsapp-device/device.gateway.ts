import { setTimeout as sleep } from 'node:timers/promises'
import type { Outgoing } from '../providers/message.ts'
import { type CodeGateway, failed, type MessageGateway, type Outcome } from '../providers/provider.ts'
import { idOf, jidOf } from './calls.ts'
import type { DeviceSocket } from './library.ts'

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
    default:
      return [message.caption, message.link].filter(Boolean).join('\n')
  }
}

/** Numbers that send faster than a person types get banned. */
const PACE_MS = 1_200
const TIMEOUT_MS = 20_000

/** Sends messages and codes by the linked device; `socketOf` is null while it is disconnected. */
export function deviceGateway(
  socketOf: () => DeviceSocket | null,
  paceMs = PACE_MS,
): { messages: MessageGateway; codes: CodeGateway } {
  let turn: Promise<unknown> = Promise.resolve()

  async function write(jid: string | null, text: string): Promise<Outcome> {
    const socket = socketOf()
    if (jid === null) return failed('undeliverable', 'NO_ADDRESS', 'This contact has no address for a linked device')
    if (!socket) return failed('busy', 'NOT_CONNECTED', 'The linked device is not connected', 15)
    try {
      const late = new AbortController()
      const sent = await Promise.race([
        socket.sendMessage(jid, { text }),
        sleep(TIMEOUT_MS, null, { signal: late.signal, ref: false }),
      ]).finally(() => late.abort())
      const id = sent?.key.id
      return id ? { ok: true, messageId: idOf(id) } : failed('unknown', 'NO_ANSWER', 'The linked device did not answer')
    } catch (error) {
      return failed('unknown', error instanceof Error ? error.name : 'Error', 'The linked device failed')
    }
  }
  const inTurn = (jid: string | null, text: string) => {
    const mine = turn.then(() => write(jid, text))
    turn = mine.then(() => sleep(paceMs))
    return mine
  }
  return {
    messages: {
      hasWindow: false,
      send: ({ to, message }) => inTurn(jidOf(to), plainWords(message)),
      markRead: async () => {},
    },
    codes: { send: ({ to, text }) => inTurn(jidOf({ phone: to, businessScopedId: null }), text) },
  }
}
