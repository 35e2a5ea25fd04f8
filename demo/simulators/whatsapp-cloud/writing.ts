import { randomUUID } from 'node:crypto'
import type { Parsed } from '@qatra/contract/endpoint'
import type { App } from '../../../server/http/runtime.ts'
import { AppError } from '../../../server/lib/errors.ts'
import type { SimulatedMessage, sendSimulatedMessage } from '../../contract/simulator.ts'
import { storeSimulated } from '../commands.ts'
import { listSimulated, SHOP, simulatorKey } from '../queries.ts'
import { mediaIdOf, mimeTypes, type SimulatedMedia } from './media.ts'
import { callWebhook } from './phones.ts'
import { messageCall } from './webhook-calls.ts'

type Written = Parsed<typeof sendSimulatedMessage>['body']
interface Choice {
  kind: 'button' | 'list' | 'template'
  id: string
  title: string
  messageId: string
}

/** What the phone's last messages offer to tap, newest first. */
function choicesIn(messages: readonly SimulatedMessage[]): Choice[] {
  return messages.flatMap(({ id: messageId, direction, parts }) => {
    if (direction !== 'outgoing' || !parts) return []
    const rows = (parts.sections ?? []).flatMap((section) => section.rows)
    const ofList = rows.map(({ id, title }) => ({ kind: 'list', id, title, messageId }) as const)
    const buttons = (parts.buttons ?? []).flatMap((button): Choice[] => {
      const { id, title, type, value = '' } = button
      if (id !== undefined && title !== undefined) return [{ kind: 'button', id, title, messageId }]
      return type === 'quick_reply' ? [{ kind: 'template', id: value, title: value, messageId }] : []
    })
    return [...ofList, ...buttons]
  })
}

const media = (type: SimulatedMedia, id: string, more: object = {}) => ({
  id: mediaIdOf(type, id),
  mime_type: mimeTypes[type],
  sha256: '',
  ...more,
})

/** The part of Meta's call that says what was written. */
function contentOf(
  written: Written,
  choices: readonly Choice[],
  id: string,
): { content: object; words: string; contextId?: string } {
  const { type, body = '', lat = 0, lng = 0 } = written
  switch (type) {
    case 'location':
      return {
        words: `${lat},${lng}`,
        content: { type: 'location', location: { latitude: lat, longitude: lng, ...(body ? { name: body } : {}) } },
      }
    case 'button':
    case 'list': {
      const found = choices.find((one) => one.id === (written.id ?? body) || (!written.id && one.title === body))
      const {
        kind,
        id: chosen,
        title,
      } = found ?? { kind: type, id: written.id ?? body, title: body || (written.id ?? '') }
      const context = found ? { contextId: found.messageId } : {}
      if (kind === 'template') {
        return { ...context, words: title, content: { type: 'button', button: { payload: chosen, text: title } } }
      }
      const reply = { id: chosen, title }
      return {
        ...context,
        words: title,
        content: {
          type: 'interactive',
          interactive:
            kind === 'list' ? { type: 'list_reply', list_reply: reply } : { type: 'button_reply', button_reply: reply },
        },
      }
    }
    case 'image':
    case 'video':
      return { words: body, content: { type, [type]: media(type, id, body ? { caption: body } : {}) } }
    case 'audio':
      return { words: body, content: { type, audio: media(type, id, { voice: true }) } }
    case 'document':
      return { words: body, content: { type, document: media(type, id, { filename: body || 'file.pdf' }) } }
    case 'reaction':
      return {
        words: body,
        content: { type, reaction: { message_id: written.replyTo, ...(body ? { emoji: body } : {}) } },
      }
    case 'contact': {
      const phones = [{ phone: written.from, wa_id: written.from.slice(1) }]
      const contacts = [{ name: { formatted_name: written.name ?? body }, phones, origin: 'contact_request' }]
      return { words: written.from, content: { type: 'contacts', origin: 'contact_request', contacts } }
    }
    default:
      return { words: body, content: { type: 'text', text: { body } } }
  }
}

/**
 * Sends a message as a simulated customer: stores it in the phone's chat and calls the shop's webhook as Meta does.
 * @throws UNAVAILABLE where the webhook did not take it
 */
export async function writeToShop(app: App, written: Written): Promise<SimulatedMessage> {
  const key = simulatorKey(app.config.secret)
  const { from, replyTo, name, hidesPhone } = written
  const id = `wamid.sim.${randomUUID()}`
  const isReaction = written.type === 'reaction'
  const isTap = written.type === 'button' || written.type === 'list'
  const choices = isTap ? choicesIn(await listSimulated({ db: app.db, key }, from)) : []
  const { content, words, contextId } = contentOf(written, choices, id)
  // Only the type is stored; the file is generated when it is fetched.
  const parts = written.type in mimeTypes ? { type: written.type } : null
  const kept = { id, phone: from, direction: 'incoming', channel: 'whatsapp', body: words } as const
  const at = await storeSimulated(app, key, parts ? { ...kept, parts } : kept)
  const writer = { phone: from, ...(name ? { name } : {}), ...(hidesPhone ? { hidesPhone } : {}) }
  const status = await callWebhook(
    app,
    messageCall(writer, { id, at, contextId: isReaction ? null : (replyTo ?? contextId ?? null) }, content),
  )
  if (status !== 200) throw new AppError('UNAVAILABLE')
  return {
    id,
    to: SHOP,
    from,
    direction: 'incoming',
    channel: 'whatsapp',
    body: words,
    parts,
    status: 'received',
    createdAt: at.toISOString(),
  }
}
