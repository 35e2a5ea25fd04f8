import { describe, expect, it } from 'vitest'
import { simulateDevice } from '../../test/simulators/whatsapp-device.ts'
import { callOfMessage } from '../../whatsapp-device/calls.ts'
import type { Outgoing } from '../message.ts'
import type { OutboundMessage } from '../provider.ts'
import { deviceGateway } from './device.gateway.ts'

const jid = '97333111222@s.whatsapp.net'
const bytes = Buffer.from('bytes')
const file = (mimeType: string) => ({ bytes, mimeType, name: 'bill.pdf' })
const stored = (mimeType: string) => ({ sha256: 'a', mimeType })

/** What the library is given for a message. */
async function givenFor(message: Outgoing, more: Partial<OutboundMessage> = {}) {
  const { library } = simulateDevice()
  const socket = library.makeWASocket({})
  const given: unknown[] = []
  const own: (string | undefined)[] = []
  socket.sendMessage = async (to, content, { messageId, ...options } = {}) => {
    given.push(to, content, options)
    own.push(messageId)
    return { key: { id: messageId ?? null } }
  }
  const { messages } = deviceGateway(() => socket, 0)
  const to = { phone: '+97333111222', businessScopedId: null }
  const outcome = await messages.send({ to, message, reference: '1', ...more })
  return { given, outcome, own: own[0] ?? '' }
}

describe('a message by the linked device', () => {
  it.each<[string, Outgoing, Partial<OutboundMessage>, object, object]>([
    [
      'a picture',
      { type: 'image', file: stored('image/webp'), caption: 'The gate' },
      { file: file('image/jpeg') },
      { image: bytes, mimetype: 'image/jpeg', caption: 'The gate' },
      {},
    ],
    [
      'a voice message',
      { type: 'audio', file: stored('audio/ogg'), isVoice: true },
      { file: file('audio/ogg') },
      { audio: bytes, mimetype: 'audio/ogg; codecs=opus', ptt: true },
      {},
    ],
    [
      'a PDF',
      { type: 'document', file: stored('application/pdf') },
      { file: file('application/pdf') },
      { document: bytes, mimetype: 'application/pdf', fileName: 'bill.pdf', caption: undefined },
      {},
    ],
    [
      'a place',
      { type: 'location', lat: 26.2, lng: 50.5, name: 'Office' },
      {},
      { location: { degreesLatitude: 26.2, degreesLongitude: 50.5, name: 'Office', address: undefined } },
      {},
    ],
    [
      'a reaction',
      { type: 'reaction', messageId: 'web.IN1', emoji: '👍' },
      { context: { messageId: 'web.IN1', isOwn: false, text: 'Hi' } },
      { react: { text: '👍', key: { remoteJid: jid, id: 'IN1', fromMe: false } } },
      {},
    ],
    [
      'a quote',
      { type: 'text', text: 'Yes' },
      { context: { messageId: 'web.IN1', isOwn: false, text: 'Hi' } },
      { text: 'Yes' },
      { quoted: { key: { remoteJid: jid, id: 'IN1', fromMe: false }, message: { conversation: 'Hi' } } },
    ],
  ])('has the form of the library: %s', async (_, message, more, content, options) => {
    const { given, outcome, own } = await givenFor(message, more)
    expect(given).toEqual([jid, content, options])
    expect(outcome).toEqual({ ok: true, messageId: `web.${own}` })
  })

  it('is not taken for one of the shop’s phone when the device reports it', async () => {
    const { own } = await givenFor({ type: 'text', text: 'Hi' })
    const reported = (id: string) =>
      callOfMessage({ key: { id, fromMe: true, remoteJid: jid }, message: { conversation: 'Hi' } })
    expect(reported(own)).toBeNull()
    expect(reported('PHONE1')).toMatchObject({
      entry: [
        {
          changes: [
            { field: 'smb_message_echoes', value: { message_echoes: [{ id: 'web.PHONE1', to: '97333111222' }] } },
          ],
        },
      ],
    })
  })
})

describe('a message to the linked device', () => {
  it('names the message that it quotes or reacts to', () => {
    const key = { id: 'X', remoteJid: jid }
    const quote = { extendedTextMessage: { text: 'Yes', contextInfo: { stanzaId: 'OUT1' } } }
    expect(callOfMessage({ key, message: quote })).toMatchObject({
      entry: [{ changes: [{ value: { messages: [{ context: { id: 'web.OUT1' } }] } }] }],
    })
    const reaction = { reactionMessage: { text: '👍', key: { id: 'OUT1' } } }
    expect(callOfMessage({ key, message: reaction })).toMatchObject({
      entry: [{ changes: [{ value: { messages: [{ reaction: { emoji: '👍', message_id: 'web.OUT1' } }] } }] }],
    })
  })
})
