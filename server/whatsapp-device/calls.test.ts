import { describe, expect, it } from 'vitest'
import { parseEvent } from '../webhooks/parse-event.ts'
import { eventsOf } from '../webhooks/split-events.ts'
import { callOfMessage } from './calls.ts'

const jid = '97336000006@s.whatsapp.net'
/** What the webhook makes of a message of the library. */
function meaningOf(message: Record<string, unknown>, fromMe = false) {
  const call = callOfMessage({
    key: { id: '3EB0A1', remoteJid: jid, fromMe },
    messageTimestamp: 1_795_251_222,
    message,
  })
  const [event] = call ? eventsOf(Buffer.from(JSON.stringify(call))) : []
  return event ? parseEvent(JSON.parse(event.rawPayload), new Date())[0] : null
}

describe('a message of the linked device', () => {
  it('with a picture names where the file is and its key', () => {
    const imageMessage = {
      mimetype: 'image/jpeg',
      caption: 'broken',
      directPath: `/o1/v/t62.7118-24/${'f'.repeat(200)}?ccb=9-4`,
      mediaKey: new Uint8Array(32).fill(7),
    }
    expect(meaningOf({ imageMessage })).toMatchObject({
      kind: 'message',
      message: { type: 'image', content: 'broken', parts: { mediaId: expect.stringMatching(/^web\.[\w-]{300,}$/) } },
    })
  })

  const mediaKey = new Uint8Array(32).fill(7)
  const photo = { mimetype: 'image/jpeg', caption: 'this one', directPath: '/v/t62', mediaKey }
  const voice = { mimetype: 'audio/ogg; codecs=opus', ptt: true, directPath: '/v/t62', mediaKey }
  const messageContextInfo = {}
  const text = { conversation: 'hello' }
  it.each([
    [
      'a photo of an album',
      { associatedChildMessage: { message: { imageMessage: photo } }, messageContextInfo },
      'image',
    ],
    ['a disappearing text', { ephemeralMessage: { message: text } }, 'text'],
    [
      'a text seen once that disappears',
      { ephemeralMessage: { message: { viewOnceMessage: { message: text } } } },
      'text',
    ],
    ['a voice message seen once', { viewOnceMessageV2Extension: { message: { audioMessage: voice } } }, 'audio'],
    ['a text of another device', { deviceSentMessage: { destinationJid: jid, message: text } }, 'text'],
    ['a file with a caption', { documentWithCaptionMessage: { message: { documentMessage: photo } } }, 'document'],
    ['a wrapper of later versions', { someLaterMessage: { message: text } }, 'text'],
    ['a live place', { liveLocationMessage: { degreesLatitude: 26.2235, degreesLongitude: 50.5876 } }, 'location'],
    ['a round video', { ptvMessage: { mimetype: 'video/mp4', directPath: '/v/t62', mediaKey } }, 'video'],
    [
      'a chosen row',
      { listResponseMessage: { title: 'Seef', singleSelectReply: { selectedRowId: 'area:7' } } },
      'list',
    ],
    [
      'a pressed button',
      { buttonsResponseMessage: { selectedButtonId: 'yes:1', selectedDisplayText: 'Yes' } },
      'button',
    ],
    ['a poll', { pollCreationMessageV3: { name: 'When?' }, messageContextInfo }, 'unsupported'],
  ])('that is %s keeps its content', (_, message, type) => {
    expect(meaningOf(message)).toMatchObject({ kind: 'message', message: { type } })
  })

  it.each([
    ['the marker of an album', { albumMessage: { expectedImageCount: 3 }, messageContextInfo }],
    ['a pin', { pinInChatMessage: { key: { id: 'A' }, type: 1 }, messageContextInfo }],
    ['a kept message', { keepInChatMessage: { key: { id: 'A' }, keepType: 1 }, messageContextInfo }],
    ['keys alone', { messageContextInfo }],
    ['keys of a group', { senderKeyDistributionMessage: { groupId: 'x' }, messageContextInfo }],
    ['a comment', { commentMessage: { message: text, targetMessageKey: { id: 'A' } } }],
    ['a call', { call: { callKey: 'x' } }],
    ['a call that was missed', { callLogMesssage: { isVideo: false, callOutcome: 1 } }],
  ])('that is %s says nothing', (_, message) => {
    expect(meaningOf(message)).toBeNull()
  })

  it('with a card of a person who is not on WhatsApp keeps the number', () => {
    const vcard = 'BEGIN:VCARD\nFN:Ali\nitem1.TEL;type=CELL:+973 3600 1234\nEND:VCARD'
    expect(meaningOf({ contactMessage: { displayName: 'Ali', vcard } })).toMatchObject({
      message: { type: 'contacts', content: 'Ali', parts: { phones: ['+97336001234'] } },
    })
  })

  it('that is an edit in its wrapper changes the original', () => {
    const key = { id: '3EB0A0', remoteJid: jid, fromMe: false }
    const protocolMessage = { key, type: 14, editedMessage: { conversation: '5 cartons' } }
    expect(meaningOf({ editedMessage: { message: { protocolMessage } } })).toMatchObject({
      kind: 'change',
      change: { originalId: 'web.3EB0A0', content: '5 cartons' },
    })
  })

  it('that was deleted or edited is the change of the original', () => {
    const key = { id: '3EB0A0', remoteJid: jid, fromMe: false }
    expect(meaningOf({ protocolMessage: { key, type: 0 } })).toMatchObject({
      kind: 'change',
      change: { originalId: 'web.3EB0A0', content: null, direction: 'incoming', customer: { phone: '+97336000006' } },
    })
    const edited = { key, type: 14, editedMessage: { conversation: '5 cartons' } }
    expect(meaningOf({ protocolMessage: edited })).toMatchObject({
      kind: 'change',
      change: { originalId: 'web.3EB0A0', content: '5 cartons' },
    })
    expect(meaningOf({ protocolMessage: { type: 5, key } })).toBeNull()
  })

  it('that the shop’s phone deleted or edited is the change of its own message', () => {
    const key = { id: '3EB0A0', remoteJid: jid, fromMe: true }
    const change = { originalId: 'web.3EB0A0', direction: 'outgoing', customer: { phone: '+97336000006' } }
    expect(meaningOf({ protocolMessage: { key, type: 0 } }, true)).toMatchObject({
      kind: 'change',
      change: { ...change, content: null },
    })
    const edited = { key, type: 14, editedMessage: { conversation: 'at 5' } }
    expect(meaningOf({ protocolMessage: edited }, true)).toMatchObject({
      kind: 'change',
      change: { ...change, content: 'at 5' },
    })
  })
})
